// Puts the objects of one program into memory.
#pragma once

#include "object_file.h"

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ze_cpu {

/// Safe from any thread.
class Linker {
public:
  Linker();
  ~Linker();
  Linker(const Linker &) = delete;
  Linker &operator=(const Linker &) = delete;

  /// Adds an object, an ELF file; it is linked when a symbol is looked up.
  void add(std::string object);

  /// Makes symbols known that lie elsewhere.
  void define(std::span<const std::pair<std::string, void *>> symbols);

  /// The address of a symbol, or null with a reason in error().
  void *find(const std::string &symbol);

  std::string error() const;

private:
  class Image;
  std::string link_added();
  void *address_of(std::string_view symbol) const;

  mutable std::mutex mutex_;
  std::vector<std::string> added_;
  std::vector<std::unique_ptr<Image>> images_;
  std::unordered_map<std::string, void *> symbols_; // of all objects
  std::string error_;
};

} // namespace ze_cpu
