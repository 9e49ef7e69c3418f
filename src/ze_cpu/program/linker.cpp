#include "linker.h"

#include "../../common/align.h"
#include "../contract/kernel_code.h"
#include "../contract/region_table.h"
#include "../exec/checks/group_trace.h"
#include "../exec/group_wait.h"
#include "../exec/memory_check.h"
#include "../runtime/functions.h"
#include "../runtime/images.h"
#include "debugger.h"
#include "processor/relocations.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <new>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

// Of the compiler's library, which finds the frames of a function that an exception or a backtrace comes through.
extern "C" void __register_frame(void *frames);
extern "C" void __deregister_frame(void *frames);

namespace ze_cpu {
namespace {

struct LinkError {
  std::string what;
};

// The compiler's library has a lock of its own for them, which ThreadSanitizer does not see.
constinit std::mutex frames_mutex;
void register_frames(void *frames) {
  const std::lock_guard lock(frames_mutex);
  __register_frame(frames);
}
void forget_frames(void *frames) {
  const std::lock_guard lock(frames_mutex);
  __deregister_frame(frames);
}

// What LLVM makes calls of: mathematics, memory functions, arithmetic on types the machine lacks.
// Never closed, as kernels may run until the process is gone.
void *find_in_libraries(const char *symbol) {
  static const auto &opened = *new std::vector<void *>([] {
    std::vector<void *> libraries;
    // One that is not there is missed only by kernels that need it, and named then.
    for (const char *name : {"libm.so.6", "libmvec.so.1", "libc.so.6", "libgcc_s.so.1"})
      if (void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL))
        libraries.push_back(library);
    return libraries;
  }());
  for (void *library : opened)
    if (void *address = dlsym(library, symbol))
      return address;
  return nullptr;
}

void *find_own(std::string_view symbol) {
  static const auto &functions = *new std::unordered_map<std::string_view, void *>([] {
    std::unordered_map<std::string_view, void *> all = {
        {"ze_cpu_sync", reinterpret_cast<void *>(ze_cpu_sync)},
        {"ze_cpu_run_diverged", reinterpret_cast<void *>(ze_cpu_run_diverged)},
        {"ze_cpu_exchange", reinterpret_cast<void *>(ze_cpu_exchange)},
        {"ze_cpu_wait", reinterpret_cast<void *>(ze_cpu_wait)},
        {"ze_cpu_check", reinterpret_cast<void *>(ze_cpu_check)},
        {"ze_cpu_check_lanes", reinterpret_cast<void *>(ze_cpu_check_lanes)},
        {"ze_cpu_check_row", reinterpret_cast<void *>(ze_cpu_check_row)},
        {"ze_cpu_trace", reinterpret_cast<void *>(ze_cpu_trace)},
        {"ze_cpu_trace_lanes", reinterpret_cast<void *>(ze_cpu_trace_lanes)},
        {"ze_cpu_trace_row", reinterpret_cast<void *>(ze_cpu_trace_row)},
        {"ze_cpu_trace_fence", reinterpret_cast<void *>(ze_cpu_trace_fence)},
        {"ze_cpu_trace_fence_lanes", reinterpret_cast<void *>(ze_cpu_trace_fence_lanes)},
        {"ze_cpu_trace_arrive", reinterpret_cast<void *>(ze_cpu_trace_arrive)},
        {"ze_cpu_trace_arrive_lanes", reinterpret_cast<void *>(ze_cpu_trace_arrive_lanes)},
        {"ze_cpu_trace_pass", reinterpret_cast<void *>(ze_cpu_trace_pass)},
        {"ze_cpu_trace_pass_lanes", reinterpret_cast<void *>(ze_cpu_trace_pass_lanes)},
        {"ze_cpu_trace_meet", reinterpret_cast<void *>(ze_cpu_trace_meet)},
        {"ze_cpu_trace_meet_lanes", reinterpret_cast<void *>(ze_cpu_trace_meet_lanes)},
        {"ze_cpu_trace_around", reinterpret_cast<void *>(ze_cpu_trace_around)},
        {"ze_cpu_trace_around_lanes", reinterpret_cast<void *>(ze_cpu_trace_around_lanes)},
        {"ze_cpu_trace_named", reinterpret_cast<void *>(ze_cpu_trace_named)},
        {"ze_cpu_trace_named_lanes", reinterpret_cast<void *>(ze_cpu_trace_named_lanes)},
        {"ze_cpu_trace_behind", reinterpret_cast<void *>(ze_cpu_trace_behind)},
        {"ze_cpu_trace_behind_lanes", reinterpret_cast<void *>(ze_cpu_trace_behind_lanes)}};
    for (const auto some : {runtime_functions(), image_functions()})
      for (const RuntimeFunction &function : some)
        all.emplace(function.name, function.address);
    return all;
  }());
  const auto found = functions.find(symbol);
  return found == functions.end() ? nullptr : found->second;
}

size_t page_bytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

} // namespace

/// One object in memory: what is executed, what is only read and what is written, each on pages of its own.
class Linker::Image {
public:
  explicit Image(std::string object) : object_(std::move(object)) {
    auto file = ObjectFile::read(object_);
    if (!file)
      throw LinkError{file.error()};
    file_ = std::move(*file);
    lay_out();
    map();
  }
  ~Image() {
    debugged_.reset();
    if (frames_)
      forget_frames(frames_);
    if (memory_)
      munmap(memory_, bytes_);
  }
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;

  /// Calls use(name, address, is weak) for each symbol that others may use.
  template <class Use> void for_each_symbol(Use &&use) const {
    for (const ObjectFile::Symbol &symbol : file_.symbols)
      if (!symbol.is_local() && symbol.entry.st_shndx != SHN_UNDEF)
        use(symbol.name, address_of(symbol), symbol.is_weak());
  }

  /// resolve(name) gives addresses of what lies elsewhere, or null. Then the code can run.
  template <class Resolve> void finish(Resolve &&resolve) {
    std::vector<uint64_t> addresses;
    for (const ObjectFile::Symbol &symbol : file_.symbols) {
      uint64_t address = 0;
      if (symbol.entry.st_shndx != SHN_UNDEF && (symbol.is_local() || !symbol.is_weak()))
        address = reinterpret_cast<uint64_t>(address_of(symbol));
      else if (!symbol.name.empty() && symbol.name != got_symbol) {
        address = reinterpret_cast<uint64_t>(resolve(symbol.name));
        if (!address && !symbol.is_weak())
          throw LinkError{"there is no " + std::string(symbol.name)};
      }
      addresses.push_back(address);
    }
    std::memcpy(memory_ + got_, addresses.data(), addresses.size() * sizeof(uint64_t));
    for (size_t i = 0; i < addresses.size(); ++i)
      write_stub(this_machine, memory_ + stubs_ + i * stub_bytes(this_machine), addresses[i]);
    for (size_t i = 0; i < file_.sections.size(); ++i)
      if (is_loaded(i))
        for (const Elf64_Rela &relocation : file_.sections[i].relocations)
          relocate(i, relocation, addresses[ELF64_R_SYM(relocation.r_info)]);
    protect();
    announce();
  }

private:
  static constexpr size_t not_loaded = SIZE_MAX;
  static constexpr std::string_view got_symbol = "_GLOBAL_OFFSET_TABLE_";
  enum Part { executed, read, written };

  bool is_loaded(size_t section) const { return places_[section] != not_loaded; }

  static Part part_of(const Elf64_Shdr &header) {
    return header.sh_flags & SHF_EXECINSTR ? executed
           : header.sh_flags & SHF_WRITE   ? written
                                           : read;
  }

  void lay_out() {
    places_.assign(file_.sections.size(), not_loaded);
    for (const Part part : {executed, read, written}) {
      bytes_ = common::round_up(bytes_, page_bytes());
      for (size_t i = 0; i < places_.size(); ++i) {
        const Elf64_Shdr &header = file_.sections[i].header;
        if (!(header.sh_flags & SHF_ALLOC) || part_of(header) != part)
          continue;
        // The frames end with a zero, which is no part of the section.
        const uint64_t more = file_.sections[i].name == ".eh_frame" ? sizeof(uint64_t) : 0;
        places_[i] = common::round_up(bytes_, std::max<uint64_t>(header.sh_addralign, 1));
        if (__builtin_add_overflow(places_[i], header.sh_size, &bytes_) ||
            __builtin_add_overflow(bytes_, more, &bytes_))
          throw std::bad_alloc();
      }
      if (part == executed) { // code that jumps to what is too far for a call
        stubs_ = bytes_ = common::round_up(bytes_, sizeof(uint64_t));
        bytes_ += file_.symbols.size() * stub_bytes(this_machine);
      }
      if (part == read) { // the addresses that code reads from a table
        got_ = bytes_ = common::round_up(bytes_, sizeof(uint64_t));
        bytes_ += file_.symbols.size() * sizeof(uint64_t);
      }
      ends_[part] = bytes_;
    }
    bytes_ = common::round_up(bytes_, page_bytes());
  }

  void map() {
    for (const ObjectFile::Section &section : file_.sections)
      if (section.header.sh_addralign > page_bytes())
        throw LinkError{"a section wants to be aligned to more than a page"};
    void *const memory =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    memory_ = static_cast<std::byte *>(memory);
    for (size_t i = 0; i < places_.size(); ++i)
      if (const std::string_view content = file_.sections[i].content;
          is_loaded(i) && !content.empty())
        std::memcpy(memory_ + places_[i], content.data(), content.size());
  }

  void *address_of(const ObjectFile::Symbol &symbol) const {
    const Elf64_Sym &entry = symbol.entry;
    if (entry.st_shndx == SHN_ABS)
      return reinterpret_cast<void *>(entry.st_value);
    return is_loaded(entry.st_shndx) ? memory_ + places_[entry.st_shndx] + entry.st_value : nullptr;
  }

  void relocate(size_t section, const Elf64_Rela &entry, uint64_t address) {
    std::byte *const at = memory_ + places_[section] + entry.r_offset;
    const uint64_t symbol = ELF64_R_SYM(entry.r_info);
    const auto address_at = [&](uint64_t place) {
      return reinterpret_cast<uint64_t>(memory_ + place);
    };
    const Relocation relocation = {.kind = static_cast<uint32_t>(ELF64_R_TYPE(entry.r_info)),
                                   .place = reinterpret_cast<uint64_t>(at),
                                   .symbol = address,
                                   .addend = static_cast<uint64_t>(entry.r_addend),
                                   .table = address_at(got_),
                                   .entry = address_at(got_ + symbol * sizeof(uint64_t)),
                                   .stub = address_at(stubs_ + symbol * stub_bytes(this_machine))};
    if (std::string error = ze_cpu::relocate(
            this_machine, relocation, at, file_.sections[section].content.size() - entry.r_offset);
        !error.empty())
      throw LinkError{std::move(error)};
  }

  void protect() {
    const auto set = [&](uint64_t begin, uint64_t end, int protection) {
      end = common::round_up(end, page_bytes());
      if (begin != end && mprotect(memory_ + begin, end - begin, protection) != 0)
        throw LinkError{std::string("memory cannot be made executable: ") + std::strerror(errno)};
    };
    const uint64_t code_end = common::round_up(ends_[executed], page_bytes());
    set(0, ends_[executed], PROT_READ | PROT_EXEC);
    set(code_end, ends_[read], PROT_READ);
    __builtin___clear_cache(reinterpret_cast<char *>(memory_),
                            reinterpret_cast<char *>(memory_ + ends_[executed]));
  }

  void announce() {
    for (size_t i = 0; i < places_.size(); ++i) {
      if (!is_loaded(i))
        continue;
      const auto address = reinterpret_cast<uint64_t>(memory_ + places_[i]);
      std::memcpy(object_.data() + ObjectFile::place_of_address(object_, i), &address,
                  sizeof address);
      if (file_.sections[i].name == ".eh_frame" && !file_.sections[i].content.empty())
        frames_ = memory_ + places_[i];
    }
    if (frames_)
      register_frames(frames_);
    file_ = {}; // which refers to the object
    debugged_.emplace(std::move(object_));
  }

  std::string object_;
  ObjectFile file_;
  std::vector<uint64_t> places_; // of sections, from the beginning of the memory
  uint64_t ends_[3] = {};
  uint64_t stubs_ = 0; // code for each symbol, where the processor wants it
  uint64_t got_ = 0;   // an address for each symbol
  uint64_t bytes_ = 0;
  std::byte *memory_ = nullptr;
  void *frames_ = nullptr;
  std::optional<DebuggedObject> debugged_;
};

Linker::Linker() = default;
Linker::~Linker() = default;

void Linker::add(std::string object) {
  if (object.empty())
    return;
  const std::lock_guard lock(mutex_);
  added_.push_back(std::move(object));
}

void Linker::define(std::span<const std::pair<std::string, void *>> symbols) {
  const std::lock_guard lock(mutex_);
  symbols_.insert(symbols.begin(), symbols.end());
}

void *Linker::address_of(std::string_view symbol) const {
  const std::string name(symbol);
  if (const auto found = symbols_.find(name); found != symbols_.end())
    return found->second;
  if (void *address = find_own(name))
    return address;
  return find_in_libraries(name.c_str());
}

// All of them or none.
std::string Linker::link_added() {
  std::vector<std::unique_ptr<Image>> images;
  std::vector<std::string> defined;
  std::string failed;
  try {
    for (std::string &object : std::exchange(added_, {}))
      images.push_back(std::make_unique<Image>(std::move(object)));
    for (const auto &image : images)
      image->for_each_symbol([&](std::string_view name, void *address, bool is_weak) {
        if (symbols_.emplace(name, address).second)
          defined.emplace_back(name);
        else if (!is_weak)
          throw LinkError{std::string(name) + " is defined twice"};
      });
    for (const auto &image : images)
      image->finish([&](std::string_view symbol) { return address_of(symbol); });
    std::ranges::move(images, std::back_inserter(images_));
    return {};
  } catch (const LinkError &error) {
    failed = error.what;
  } catch (const std::bad_alloc &) {
    failed = "there is not enough memory for the code and its variables";
  }
  for (const std::string &name : defined)
    symbols_.erase(name);
  return "linking: " + failed;
}

void *Linker::find(const std::string &symbol) {
  const std::lock_guard lock(mutex_);
  if (!added_.empty())
    if (std::string error = link_added(); !error.empty()) {
      error_ = std::move(error);
      return nullptr;
    }
  const auto found = symbols_.find(symbol);
  if (found != symbols_.end())
    return found->second;
  error_ = "linking: there is no " + symbol;
  return nullptr;
}

std::string Linker::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

} // namespace ze_cpu
