#include "translate.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <cstring>
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

} // namespace

std::expected<std::unique_ptr<llvm::Module>, std::string>
translate(llvm::LLVMContext &context, std::span<const std::byte> spirv,
          std::span<const SpecializationConstant> constants) {
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
  llvm::Module *read = nullptr;
  std::string error;
  const bool succeeded = llvm::readSpirv(context, options, stream, read, error);
  std::unique_ptr<llvm::Module> module(read);
  if (!succeeded || !module)
    return std::unexpected(
        "translation: " + (error.empty() ? std::string("the module cannot be translated") : error));
  return module;
}

} // namespace ze_cpu
