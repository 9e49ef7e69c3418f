// The table that launches look kernels up in, while libraries come and go.
#include "runtime/code/function_table.h"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <deque>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

struct Entry {
  std::atomic<const void *> key{nullptr};
};
using Table = chip::FunctionTable<Entry>;

/// The address of a host function, perhaps near others.
const void *address(uint64_t number) {
  return reinterpret_cast<const void *>(0x7f0000000000 + 16 * number);
}

/// As the registry does: entries are used again for other keys.
class Entries {
public:
  Entry &add(Table &table, const void *key) {
    Entry *entry = free_.empty() ? &all_.emplace_back() : free_.back();
    if (!free_.empty())
      free_.pop_back();
    entry->key = key;
    table.set(entry);
    return *entry;
  }
  void remove(Table &table, Entry &entry) {
    table.remove(entry.key);
    free_.push_back(&entry);
  }
  size_t size() const { return all_.size(); }

private:
  std::deque<Entry> all_;
  std::vector<Entry *> free_;
};

} // namespace

TEST_CASE("hip function table: finds what was entered and not removed") {
  Table table;
  REQUIRE(table.find(address(1)) == nullptr);
  table.remove(address(1));
  Entries entries;
  std::unordered_map<const void *, Entry *> expected;
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const void *key = address(random() % 600);
    if (auto found = expected.find(key); found != expected.end()) {
      entries.remove(table, *found->second);
      expected.erase(found);
    } else {
      expected.emplace(key, &entries.add(table, key));
    }
    if (i % 100 == 0)
      for (uint64_t number = 0; number < 600; ++number) {
        auto found = expected.find(address(number));
        REQUIRE(table.find(address(number)) == (found == expected.end() ? nullptr : found->second));
      }
  }
}

TEST_CASE("hip function table: one value takes the place of another") {
  Table table;
  Entry first, second;
  first.key = second.key = address(3);
  table.set(&first);
  table.set(&second);
  REQUIRE(table.find(address(3)) == &second);
  table.remove(address(3));
  REQUIRE(table.find(address(3)) == nullptr);
}

TEST_CASE("hip function table: libraries that come and go for ever take no more memory") {
  Table table;
  Entries entries;
  std::mt19937_64 random(11);
  for (uint64_t stays = 0; stays < 20; ++stays)
    entries.add(table, address(random() % 1'000'000));
  size_t slots = 0;
  for (int library = 0; library < 20'000; ++library) {
    std::vector<Entry *> own;
    const uint64_t base = random() % 1'000'000'000;
    for (uint64_t i = 0; i < 10; ++i)
      own.push_back(&entries.add(table, address(base + i * (1 + random() % 7))));
    for (Entry *entry : own)
      entries.remove(table, *entry);
    if (library == 0)
      slots = table.slots();
  }
  REQUIRE(table.slots() == slots);
  REQUIRE(slots <= 256);
  REQUIRE(entries.size() == 30);
}

TEST_CASE("hip function table: a reader never gets another key's value, and finds its own at the "
          "latest under the lock") {
  Table table;
  Entries entries;
  std::mutex mutex; // as the registry's
  std::vector<Entry *> stay;
  for (uint64_t i = 0; i < 40; ++i)
    stay.push_back(&entries.add(table, address(7 * i)));
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> readers;
  for (int thread = 0; thread < 3; ++thread)
    readers.emplace_back([&] {
      while (!done)
        for (uint64_t i = 0; i < stay.size(); ++i) {
          Entry *found = table.find(address(7 * i));
          if (!found) {
            std::lock_guard lock(mutex);
            found = table.find(address(7 * i));
          }
          wrong += found != stay[i];
        }
    });
  std::mt19937_64 random(3);
  for (int i = 0; i < 20'000; ++i) {
    std::lock_guard lock(mutex);
    std::vector<Entry *> own;
    for (uint64_t kernel = 0; kernel < 1 + uint64_t(i) / 500; ++kernel)
      own.push_back(&entries.add(table, address(1000 + random() % 100'000)));
    for (Entry *entry : own)
      entries.remove(table, *entry);
  }
  done = true;
  for (std::thread &reader : readers)
    reader.join();
  REQUIRE(wrong == 0);
}
