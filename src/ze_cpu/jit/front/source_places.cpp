#include "source_places.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/Path.h>

namespace ze_cpu {
namespace {

std::string file_of(const llvm::DILocation &location) {
  llvm::SmallString<128> path(location.getFilename());
  if (!llvm::sys::path::is_absolute(path) && !location.getDirectory().empty()) {
    path = location.getDirectory();
    llvm::sys::path::append(path, location.getFilename());
  }
  llvm::sys::path::remove_dots(path, true);
  return std::string(path);
}

/// The place in the program's own code, not in HIP's headers that it calls functions of.
const llvm::DILocation *place_of(const llvm::Instruction &instruction) {
  const llvm::DILocation *location = instruction.getDebugLoc().get();
  while (location && location->getInlinedAt() &&
         (location->getLine() == 0 ||
          llvm::StringRef(location->getFilename()).contains("/hip/spirv_detail/")))
    location = location->getInlinedAt();
  return location;
}

} // namespace

llvm::Constant *SourcePlaces::text(llvm::StringRef text) {
  llvm::Constant *&known = texts_[text];
  if (!known) {
    auto *content = llvm::ConstantDataArray::getString(module_.getContext(), text);
    known = new llvm::GlobalVariable(module_, content->getType(), true,
                                     llvm::GlobalValue::PrivateLinkage, content, "zecpu.text");
  }
  return known;
}

llvm::Constant *SourcePlaces::of(const llvm::Instruction &instruction) {
  llvm::Constant *&known = places_[&instruction];
  if (known)
    return known;
  llvm::LLVMContext &context = module_.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *i32 = llvm::Type::getInt32Ty(context);
  const auto number = [&](uint32_t value) { return llvm::ConstantInt::get(i32, value); };
  auto *i64 = llvm::Type::getInt64Ty(context);
  auto *zero = llvm::ConstantInt::get(i64, 0);
  auto *none = llvm::ConstantPointerNull::get(pointer);
  const llvm::DILocation *location = place_of(instruction);
  auto *type = llvm::StructType::get(pointer, i32, i32, i32, i32, i64, i64, i64);
  auto *content = llvm::ConstantStruct::get(
      type, {location ? text(file_of(*location)) : none, number(location ? location->getLine() : 0),
             number(static_cast<uint32_t>(places_.size())), number(0),
             number(location ? location->getColumn() : 0), zero, zero, zero});
  // Not constant: execution gives it a number.
  known = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::InternalLinkage,
                                   content, "zecpu.place");
  return known;
}

} // namespace ze_cpu
