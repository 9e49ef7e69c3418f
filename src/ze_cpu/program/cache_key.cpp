#include "cache_key.h"

#include "serialize.h"

namespace ze_cpu {

Hash module_key(std::string_view compiler, std::span<const std::byte> spirv,
                const BuildOptions &options, std::span<const SpecializationConstant> constants) {
  Writer settings;
  settings.put(options);
  for (const SpecializationConstant &constant : constants) {
    settings.put(constant.id);
    settings.put(constant.value);
  }
  return hash_of({"module",
                  compiler,
                  settings.take(),
                  {reinterpret_cast<const char *>(spirv.data()), spirv.size()}});
}

Hash linked_key(std::span<const Hash> members, std::span<const Hash> providers) {
  Writer keys;
  keys.put(std::as_bytes(members));
  keys.put(std::as_bytes(providers));
  return hash_of({"linked", keys.take()});
}

Hash unit_key(const Hash &module, UnitKind kind, std::string_view symbol) {
  const auto number = static_cast<char>(kind);
  return hash_of({"unit", bytes_of(module), {&number, 1}, symbol});
}

} // namespace ze_cpu
