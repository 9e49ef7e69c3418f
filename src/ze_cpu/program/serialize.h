// The structures that outlive a process, as bytes and back. What is read has been checked against
// the hash that it was written with; still nothing here reads past its end.
#pragma once

#include "compiler.h"
#include "units.h"

#include <concepts>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace ze_cpu {

template <class T, class Structure>
concept Is = std::same_as<std::remove_const_t<T>, Structure>;

// All fields of each structure. One that gains a field no longer compiles here: name the new field
// on both lines, and entries of before are no longer found, because another build wrote them.
template <Is<Argument> T> auto fields(T &value) {
  auto &[kind, size, offset, alignment] = value;
  return std::tie(kind, size, offset, alignment);
}
template <Is<KernelInfo> T> auto fields(T &value) {
  auto &[name, arguments, argument_bytes, required_group_size, required_sub_group_size,
         attributes] = value;
  return std::tie(name, arguments, argument_bytes, required_group_size, required_sub_group_size,
                  attributes);
}
template <Is<BuildError> T> auto fields(T &value) {
  auto &[kind, log] = value;
  return std::tie(kind, log);
}
template <Is<BuildOptions> T> auto fields(T &value) {
  auto &[optimise, finite_math, relaxed_math, contract_always, fibers, interchange, lock_step,
         check_memory, trace_accesses, trace_barriers, architecture, gathers] = value;
  return std::tie(optimise, finite_math, relaxed_math, contract_always, fibers, interchange,
                  lock_step, check_memory, trace_accesses, trace_barriers, architecture, gathers);
}
template <Is<ModuleIr::Kernel> T> auto fields(T &value) {
  auto &[info, sub_group_size] = value;
  return std::tie(info, sub_group_size);
}
template <Is<ModuleIr::Global> T> auto fields(T &value) {
  auto &[symbol, bytes] = value;
  return std::tie(symbol, bytes);
}
template <Is<ModuleIr> T> auto fields(T &value) {
  auto &[bitcode, kernels, globals, exported_functions, shared_functions, variables, imports,
         contract, options] = value;
  return std::tie(bitcode, kernels, globals, exported_functions, shared_functions, variables,
                  imports, contract, options);
}
template <Is<BorrowedVariable> T> auto fields(T &value) {
  auto &[symbol, provider, original] = value;
  return std::tie(symbol, provider, original);
}
template <Is<LinkedIr> T> auto fields(T &value) {
  auto &[ir, borrowed] = value;
  return std::tie(ir, borrowed);
}
template <Is<FileVersion> T> auto fields(T &value) {
  auto &[path, device, inode, size, seconds, nanoseconds] = value;
  return std::tie(path, device, inode, size, seconds, nanoseconds);
}
template <Is<Compiler> T> auto fields(T &value) {
  auto &[identity, files, has_slow_gathers] = value;
  return std::tie(identity, files, has_slow_gathers);
}
template <Is<LocalLayout> T> auto fields(T &value) {
  auto &[offsets, bytes, alignment] = value;
  return std::tie(offsets, bytes, alignment);
}
template <Is<Unit> T> auto fields(T &value) {
  auto &[object, local, private_bytes, stack_bytes, has_sync, in_regions, by_sub_group, lane_bytes,
         nontemporal_bytes, instructions, has_grid_sync, stack_is_bounded, waits_for_memory,
         has_small_parts, of_columns, may_be_of_columns] = value;
  return std::tie(object, local, private_bytes, stack_bytes, has_sync, in_regions, by_sub_group,
                  lane_bytes, nontemporal_bytes, instructions, has_grid_sync, stack_is_bounded,
                  waits_for_memory, has_small_parts, of_columns, may_be_of_columns);
}

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
public:
  template <Plain T> void put(const T &value) { put_bytes(&value, sizeof value); }
  void put(const std::string &text) { put_sized(text); }
  void put(std::span<const std::byte> bytes) { put_sized(bytes); }
  template <class T, size_t n> void put(const T (&values)[n]) {
    for (const T &value : values)
      put(value);
  }
  template <class T> void put(const std::vector<T> &values) { put_each(values); }
  template <class T, class C> void put(const std::set<T, C> &values) { put_each(values); }
  template <class K, class V, class C> void put(const std::map<K, V, C> &values) {
    put_each(values);
  }
  template <class A, class B> void put(const std::pair<A, B> &value) {
    put(value.first);
    put(value.second);
  }
  template <class T>
    requires requires(T &value) { fields(value); }
  void put(const T &value) {
    std::apply([&](const auto &...field) { (put(field), ...); }, fields(value));
  }

  std::string take() { return std::move(bytes_); }

private:
  void put_bytes(const void *data, size_t size) {
    bytes_.append(static_cast<const char *>(data), size);
  }
  void put_sized(const auto &bytes) {
    put(uint64_t(bytes.size()));
    put_bytes(bytes.data(), bytes.size());
  }
  void put_each(const auto &values) {
    put(uint64_t(values.size()));
    for (const auto &value : values)
      put(value);
  }

  std::string bytes_;
};

/// After the first value that is not there, all others are left as they were.
class Reader {
public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <Plain T> void get(T &value) {
    if (!has(sizeof value))
      return;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
  }
  void get(bool &value) {
    uint8_t byte = value;
    get(byte);
    value = byte != 0;
  }
  void get(std::string &text) { text = get_sized(); }
  template <class T, size_t n> void get(T (&values)[n]) {
    for (T &value : values)
      get(value);
  }
  template <class T> void get(std::vector<T> &values) {
    get_each([&] { get(values.emplace_back()); });
  }
  template <class T, class C> void get(std::set<T, C> &values) {
    get_each([&] {
      T value;
      get(value);
      values.insert(std::move(value));
    });
  }
  template <class K, class V, class C> void get(std::map<K, V, C> &values) {
    get_each([&] {
      std::pair<K, V> value;
      get(value);
      values.insert(std::move(value));
    });
  }
  template <class A, class B> void get(std::pair<A, B> &value) {
    get(value.first);
    get(value.second);
  }
  template <class T>
    requires requires(T &value) { fields(value); }
  void get(T &value) {
    std::apply([&](auto &...field) { (get(field), ...); }, fields(value));
  }

  /// Everything was there, and nothing more.
  bool complete() const { return !short_ && rest_.empty(); }

private:
  bool has(uint64_t size) {
    short_ |= size > rest_.size();
    return !short_;
  }
  std::string_view get_sized() {
    uint64_t size = 0;
    get(size);
    if (!has(size))
      return {};
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  void get_each(const auto &get_one) {
    uint64_t count = 0;
    get(count);
    while (count-- != 0 && !short_)
      get_one();
  }

  std::string_view rest_;
  bool short_ = false;
};

template <class T> std::string serialize(const T &value) {
  Writer writer;
  writer.put(value);
  return writer.take();
}

/// Nothing if the bytes are not those of a T.
template <class T> std::optional<T> deserialize(std::string_view bytes) {
  Reader reader(bytes);
  T value;
  reader.get(value);
  if (!reader.complete())
    return std::nullopt;
  return value;
}

} // namespace ze_cpu
