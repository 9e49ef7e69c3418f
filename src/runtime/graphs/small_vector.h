// A vector for where there are nearly always few values.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

namespace chip {

/// A sequence of plain values, which allocates no memory as long as there are no more than `few`.
template <class T, uint32_t few> class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(void *) && few != 0);

public:
  using value_type = T;
  using const_pointer = const T *;

  SmallVector() = default;
  SmallVector(std::initializer_list<T> values) { append(values.begin(), values.end()); }
  SmallVector(const SmallVector &other) { append(other.begin(), other.end()); }
  SmallVector(SmallVector &&other) noexcept { swap(other); }
  SmallVector &operator=(SmallVector other) noexcept {
    swap(other);
    return *this;
  }
  ~SmallVector() {
    if (is_many())
      ::operator delete(data());
  }

  T *data() { return const_cast<T *>(std::as_const(*this).data()); }
  const T *data() const {
    if (!is_many())
      return reinterpret_cast<const T *>(place_.data());
    const T *memory;
    std::memcpy(&memory, place_.data(), sizeof memory);
    return memory;
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T *begin() { return data(); }
  T *end() { return data() + size_; }
  const T *begin() const { return data(); }
  const T *end() const { return data() + size_; }
  T &operator[](size_t index) { return data()[index]; }
  const T &operator[](size_t index) const { return data()[index]; }
  T &front() { return *begin(); }
  const T &front() const { return *begin(); }
  T &back() { return end()[-1]; }
  const T &back() const { return end()[-1]; }

  void push_back(T value) {
    if (size_ == capacity_)
      reserve(2 * size_t(capacity_));
    data()[size_++] = value;
  }
  void append(const T *first, const T *last) {
    reserve(size_ + size_t(last - first));
    std::copy(first, last, end());
    size_ += uint32_t(last - first);
  }
  void erase(T *first, T *last) { size_ = uint32_t(std::copy(last, end(), first) - begin()); }
  void erase(T *value) { erase(value, value + 1); }
  void reserve(size_t count) {
    if (count <= capacity_)
      return;
    auto *memory = static_cast<T *>(::operator new(count * sizeof(T)));
    std::copy(begin(), end(), memory);
    if (is_many())
      ::operator delete(data());
    std::memcpy(place_.data(), &memory, sizeof memory);
    capacity_ = uint32_t(count);
  }

private:
  bool is_many() const { return capacity_ != few; }
  void swap(SmallVector &other) noexcept {
    std::swap(place_, other.place_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  uint32_t size_ = 0, capacity_ = few;
  /// The values, or where they are.
  alignas(void *) std::array<std::byte, std::max(few * sizeof(T), sizeof(void *))> place_{};
};

} // namespace chip
