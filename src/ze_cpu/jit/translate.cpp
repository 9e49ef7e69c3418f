#include "translate.h"
#include "diagnostics.h"
#include "entry.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <cstring>
#include <mutex>
#include <sstream>

namespace ze_cpu {
namespace {

// The translator reads through a stream; this one reads the caller's memory.
class MemoryStream : public std::streambuf {
public:
  explicit MemoryStream(std::span<const std::byte> bytes) {
    auto begin = const_cast<char *>(reinterpret_cast<const char *>(bytes.data()));
    setg(begin, begin, begin + bytes.size());
  }

protected:
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    off_type origin = from == std::ios_base::beg   ? 0
                      : from == std::ios_base::cur ? gptr() - eback()
                                                   : egptr() - eback();
    return seekpos(origin + offset, std::ios_base::in);
  }
  pos_type seekpos(pos_type position, std::ios_base::openmode) override {
    off_type offset = position;
    if (offset < 0 || offset > egptr() - eback())
      return pos_type(off_type(-1));
    setg(eback(), eback() + offset, egptr());
    return position;
  }
};

struct Translation {
  llvm::LLVMContext *context;
  const SPIRV::TranslatorOpts *options;
  std::istream *stream;
  llvm::Module *module = nullptr;
  std::string error = {};
  bool ok = false;
};

} // namespace

std::expected<std::unique_ptr<llvm::Module>, std::string>
translate(std::unique_ptr<llvm::LLVMContext> &context, std::span<const std::byte> spirv,
          std::span<const SpecializationConstant> constants, const JitHost &host) {
  SPIRV::TranslatorOpts options;
  options.enableAllExtensions();
  options.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::SPIRVFriendlyIR);
  for (const SpecializationConstant &constant : constants) {
    uint64_t value = 0;
    if (constant.value.empty() || constant.value.size() > sizeof value)
      return std::unexpected("specialisation constant " + std::to_string(constant.id) +
                             ": its size is " + std::to_string(constant.value.size()) + " bytes");
    std::memcpy(&value, constant.value.data(), constant.value.size());
    options.setSpecConst(constant.id, value);
  }
  MemoryStream buffer(spirv);
  std::istream stream(&buffer);
  Translation work{context.get(), &options, &stream};
  // The library keeps some state of its own in static variables.
  static std::mutex one_at_a_time;
  int signal;
  std::string fatal;
  {
    std::lock_guard lock(one_at_a_time);
    ExpectFatalErrors expect(fatal);
    signal = host.guarded(
        [](void *argument) {
          auto &self = *static_cast<Translation *>(argument);
          self.ok =
              llvm::readSpirv(*self.context, *self.options, *self.stream, self.module, self.error);
        },
        &work);
  }
  if (signal != 0) {
    (void)context.release();
    return std::unexpected("the SPIR-V translator failed on this module: " +
                           (fatal.empty() ? "signal " + std::to_string(signal) : fatal));
  }
  if (!work.ok || !work.module) {
    delete work.module;
    return std::unexpected("translation: " + (work.error.empty()
                                                  ? std::string("the module cannot be translated")
                                                  : work.error));
  }
  return std::unique_ptr<llvm::Module>(work.module);
}

} // namespace ze_cpu
