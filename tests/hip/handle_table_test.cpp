// The table of handles (src/common/handle_table.h), on its own.
#include "common/handle_table.h"

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <vector>

using common::HandleTable;

TEST_CASE("handle table: an object that was found outlives its handle") {
  HandleTable<int> table;
  auto made = std::make_shared<int>(7);
  const std::weak_ptr<int> watched = made;
  int *handle = table.add(std::move(made));
  auto found = table.find(handle);
  CHECK(table.take(handle) == found);
  CHECK(table.find(handle) == nullptr);
  CHECK(table.take(handle) == nullptr);
  CHECK(*found == 7);
  found = nullptr;
  CHECK(watched.expired());
}

TEST_CASE("handle table: a handle that is not meant stays live") {
  HandleTable<int> table;
  int *handle = table.add(std::make_shared<int>(7));
  CHECK(table.take_if(handle, [](int value) { return value == 8; }) == nullptr);
  CHECK(table.find(handle) != nullptr);
  CHECK(table.take_if(handle, [](int value) { return value == 7; }) != nullptr);
}

TEST_CASE(
    "handle table: taking all that is meant leaves the others, and destroys without the lock") {
  struct Object {
    HandleTable<Object> &table;
    int number;
    ~Object() { CHECK(table.find(this) == nullptr); } // needs the lock
  };
  HandleTable<Object> table;
  std::vector<Object *> handles;
  for (int i = 0; i < 10; ++i)
    handles.push_back(table.add(std::shared_ptr<Object>(new Object{table, i})));
  CHECK(table.take_all_if([](const Object &object) { return object.number < 4; }).size() == 4);
  CHECK(table.find(handles[3]) == nullptr);
  CHECK(table.find(handles[4]) != nullptr);
  table.take_all_if([](const Object &) { return true; });
}
