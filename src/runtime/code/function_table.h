// From a host function's address to what is registered for it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace chip {

/// A hash table that any number of threads read without a lock while one at a time changes it. A `Value` has an atomic `key`,
/// an address that is not null; while a thread may be reading, it stays a `Value`, though perhaps another one's. Memory is
/// bounded by the most entries that there were at once.
template <class Value> class FunctionTable {
public:
  /// The entry of that key. Null if there is none, or if a change just now was in the way: ask again under the lock.
  Value *find(const void *key) const {
    const Table *table = current_.load(std::memory_order_acquire);
    if (!table) [[unlikely]]
      return nullptr;
    for (size_t i = hash(key);; ++i) {
      Value *value = (*table)[i].load(std::memory_order_acquire);
      if (!value || value->key.load(std::memory_order_relaxed) == key) [[likely]]
        return value;
    }
  }

  /// Enters a value, in the place of another one of the same key. The caller holds a lock of its own. Throws std::bad_alloc, and
  /// then nothing has changed.
  void set(Value *value) {
    if (tables_.empty() || 2 * (count_ + 1) > tables_.back()->size())
      grow();
    enter(*tables_.back(), value);
  }

  /// The caller holds the lock of set().
  void remove(const void *key) {
    if (tables_.empty())
      return;
    Table &table = *tables_.back();
    size_t hole = find_slot(table, key);
    if (!table[hole].load())
      return;
    // What lies behind, up to the next empty slot, moves up where that brings it no further than to its first choice.
    for (size_t i = hole + 1; Value *value = table[i].load(); ++i)
      if (table.distance(hash(value->key), i) >= table.distance(hole, i))
        table[std::exchange(hole, i)].store(value, std::memory_order_release);
    table[hole].store(nullptr, std::memory_order_release);
    --count_;
  }

  /// Of all tables together.
  size_t slots() const {
    size_t total = 0;
    for (const auto &table : tables_)
      total += table->size();
    return total;
  }

private:
  using Slot = std::atomic<Value *>;
  class Table {
  public:
    explicit Table(size_t size) : mask_(size - 1), slots_(new Slot[size]{}) {}
    size_t size() const { return mask_ + 1; }
    size_t distance(size_t from, size_t to) const { return (to - from) & mask_; }
    Slot &operator[](size_t i) const { return slots_[i & mask_]; }

  private:
    const size_t mask_;
    const std::unique_ptr<Slot[]> slots_;
  };

  static size_t hash(const void *key) {
    return (reinterpret_cast<uintptr_t>(key) >> 3) * 0x9e3779b97f4a7c15ull >> 32;
  }

  /// Where the key is, or an empty slot where it would be.
  static size_t find_slot(const Table &table, const void *key) {
    size_t i = hash(key);
    for (; Value *value = table[i].load(); ++i)
      if (value->key == key)
        break;
    return i;
  }

  void enter(Table &table, Value *value) {
    Slot &slot = table[find_slot(table, value->key)];
    count_ += !slot.load();
    slot.store(value, std::memory_order_release);
  }

  void grow() {
    constexpr size_t smallest = 64;
    tables_.reserve(tables_.size() + 1);
    auto larger = std::make_unique<Table>(tables_.empty() ? smallest : 2 * tables_.back()->size());
    count_ = 0;
    if (!tables_.empty())
      for (size_t i = 0; i < tables_.back()->size(); ++i)
        if (Value *value = (*tables_.back())[i].load())
          enter(*larger, value);
    tables_.push_back(std::move(larger));
    current_.store(tables_.back().get(), std::memory_order_release);
  }

  std::atomic<const Table *> current_{nullptr};
  /// The last is the current one; readers may be in the others still.
  std::vector<std::unique_ptr<Table>> tables_;
  size_t count_ = 0;
};

} // namespace chip
