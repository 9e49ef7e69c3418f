#include "debugger.h"

#include <atomic>
#include <chrono>
#include <llvm/ExecutionEngine/JITEventListener.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/Object/ELFObjectFile.h>

namespace ze_cpu {
namespace {

// The way that all versions of LLVM have to announce objects, and to take that back. It wants the
// object from the linker that came before today's.
class Announcement final : public llvm::RuntimeDyld::LoadedObjectInfo {
public:
  explicit Announcement(std::unique_ptr<llvm::MemoryBuffer> &object)
      : LoadedObjectInfo(no_linker(), {}), object_(object) {}

  llvm::object::OwningBinary<llvm::object::ObjectFile>
  getObjectForDebug(const llvm::object::ObjectFile &) const override {
    auto file = llvm::object::ObjectFile::createObjectFile(object_->getMemBufferRef());
    if (file)
      return {std::move(*file), std::move(object_)};
    llvm::consumeError(file.takeError());
    return {};
  }
  std::unique_ptr<llvm::LoadedObjectInfo> clone() const override { return nullptr; }

private:
  // Nobody looks at it.
  static llvm::RuntimeDyldImpl &no_linker() {
    alignas(std::max_align_t) static std::byte nothing[1];
    return reinterpret_cast<llvm::RuntimeDyldImpl &>(nothing);
  }

  std::unique_ptr<llvm::MemoryBuffer> &object_;
};

using Addresses = std::map<std::string, uint64_t, std::less<>>;

// Writes into the section headers of `buffer`, an object, where the sections are in memory.
bool place_sections(llvm::MemoryBuffer &buffer, const Addresses &addresses) {
  using Elf = llvm::object::ELF64LE;
  auto file = llvm::object::ELFFile<Elf>::create(buffer.getBuffer());
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  auto sections = file->sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return false;
  }
  for (const Elf::Shdr &section : *sections) {
    auto name = file->getSectionName(section);
    if (!name) {
      llvm::consumeError(name.takeError());
      return false;
    }
    if (auto found = addresses.find(*name); found != addresses.end())
      const_cast<Elf::Shdr &>(section).sh_addr = found->second;
  }
  return true;
}

/// LLVM's listener is a static object of LLVM's, which is destroyed before the programs that are
/// unloaded last, and takes back everything then.
class Debuggers {
public:
  static Debuggers &instance() {
    static Debuggers debuggers; // made after LLVM's, so that it goes before
    return debuggers;
  }
  Debuggers(const Debuggers &) = delete;
  Debuggers &operator=(const Debuggers &) = delete;
  ~Debuggers() {
    // For a while only: the thread that ends the process may have the lock, in a signal handler.
    const std::unique_lock lock(mutex, std::chrono::milliseconds(100));
    are_there = false;
  }

  /// Calls `tell(listener)` unless the process is ending.
  template <class Tell> static void tell(Tell tell) {
    Debuggers &debuggers = instance();
    const std::lock_guard lock(mutex);
    if (are_there)
      tell(debuggers.listener_);
  }

private:
  Debuggers() = default;
  llvm::JITEventListener &listener_ = *llvm::JITEventListener::createGDBRegistrationListener();
  // Not of the object: asked for after its end.
  static inline std::timed_mutex mutex;
  static inline constinit bool are_there = true;
};

std::atomic<uint64_t> next_number = 1;

} // namespace

class DebuggedObjects::Plugin final : public llvm::orc::ObjectLinkingLayer::Plugin {
public:
  explicit Plugin(DebuggedObjects &objects) : objects_(objects) {}

  void modifyPassConfig(llvm::orc::MaterializationResponsibility &, llvm::jitlink::LinkGraph &,
                        llvm::jitlink::PassConfiguration &configuration) override {
    configuration.PostFixupPasses.push_back([&objects = objects_](llvm::jitlink::LinkGraph &graph) {
      objects.announce(graph);
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility &) override {
    return llvm::Error::success();
  }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib &, llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib &, llvm::orc::ResourceKey,
                                   llvm::orc::ResourceKey) override {}

private:
  DebuggedObjects &objects_;
};

DebuggedObjects::DebuggedObjects(llvm::orc::LLJIT &jit) {
  if (auto *layer = llvm::dyn_cast<llvm::orc::ObjectLinkingLayer>(&jit.getObjLinkingLayer()))
    layer->addPlugin(std::make_shared<Plugin>(*this));
}

void DebuggedObjects::withdraw() {
  std::lock_guard lock(mutex_);
  for (uint64_t number : announced_)
    Debuggers::tell(
        [&](llvm::JITEventListener &listener) { listener.notifyFreeingObject(number); });
  announced_.clear();
}

std::unique_ptr<llvm::MemoryBuffer>
DebuggedObjects::add(std::unique_ptr<llvm::MemoryBuffer> object) {
  std::lock_guard lock(mutex_);
  const std::string name = "object " + std::to_string(waiting_.size() + announced_.size());
  auto copy = llvm::MemoryBuffer::getMemBufferCopy(object->getBuffer(), name);
  waiting_[name] = std::move(object);
  return copy;
}

void DebuggedObjects::announce(llvm::jitlink::LinkGraph &graph) {
  std::lock_guard lock(mutex_);
  auto found = waiting_.find(graph.getName());
  if (found == waiting_.end())
    return;
  std::unique_ptr<llvm::MemoryBuffer> object = std::move(found->second);
  waiting_.erase(found);
  Addresses addresses;
  for (llvm::jitlink::Section &section : graph.sections())
    if (const llvm::jitlink::SectionRange range(section); !range.empty())
      addresses[section.getName().str()] = range.getStart().getValue();
  if (!place_sections(*object, addresses))
    return;
  auto file = llvm::object::ObjectFile::createObjectFile(object->getMemBufferRef());
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  const uint64_t number = next_number++;
  Debuggers::tell([&](llvm::JITEventListener &listener) {
    listener.notifyObjectLoaded(number, **file, Announcement(object));
  });
  announced_.push_back(number);
}

} // namespace ze_cpu
