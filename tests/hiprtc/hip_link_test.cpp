// HIP API reference: Module management, linking while the program runs, which libCHIP has libhiprtc do.
#include "support.h"

#include <string_view>

using namespace rtc;

namespace {

/// A link state that is destroyed at the end.
class Link {
public:
  explicit Link(std::vector<hipJitOption> options = {}, std::vector<void *> values = {}) {
    REQUIRE_HIP(hipLinkCreate(unsigned(options.size()), options.data(), values.data(), &state_));
  }
  Link(const Link &) = delete;
  Link &operator=(const Link &) = delete;
  ~Link() { CHECK(hipLinkDestroy(state_) == hipSuccess); }
  operator hipLinkState_t() const { return state_; }

  hipError_t add(std::vector<char> bytes, hipJitInputType type = hipJitInputLLVMBitcode) {
    return hipLinkAddData(state_, type, bytes.data(), bytes.size(), "input", 0, nullptr, nullptr);
  }
  hipError_t add_file(const fs::path &path, hipJitInputType type) {
    return hipLinkAddFile(state_, type, path.c_str(), 0, nullptr, nullptr);
  }
  hipError_t complete() { return hipLinkComplete(state_, &image, &size); }

  void *image = nullptr;
  size_t size = 0;

private:
  hipLinkState_t state_ = nullptr;
};

const char *const calling = "__device__ int helper(int);\n"
                            "extern \"C\" __global__ void kernel(int *p) { *p = helper(*p); }";
const char *const called = "__device__ int helper(int x) { return 3 * x; }";

} // namespace

TEST_CASE("hip link: programs that need each other become an image", "[accepted]") {
  NothingLeft place;
  Link link;
  REQUIRE_HIP(link.add(bitcode_of(calling)));
  REQUIRE_HIP(link.add(bitcode_of(called)));
  REQUIRE_HIP(link.complete());
  CHECK(link.size > 0);
  CHECK(Module(link.image).function("kernel") != nullptr);
}

TEST_CASE("hip link: what was linked runs, and is linked once", "[results]") {
  NothingLeft place;
  Link link;
  REQUIRE_HIP(link.add(bitcode_of(calling)));
  REQUIRE_HIP(link.add(bitcode_of(called)));
  REQUIRE_HIP(link.complete());
  CHECK(Module(link.image).result_of("kernel", 7) == 21);
  void *again = nullptr;
  size_t size = 0;
  REQUIRE_HIP(hipLinkComplete(link, &again, &size));
  CHECK(again == link.image);
  CHECK(size == link.size);
}

TEST_CASE("hip link: objects of hipcc and archives of them are inputs", "[results]") {
  Directory directory;
  write_file(directory.path / "called.hip", std::string("#include <hip/hip_runtime.h>\n") + called);
  const std::string object = (directory.path / "called.o").string(),
                    archive = (directory.path / "called.a").string();
  REQUIRE(std::system((TEST_HIPCC " -fgpu-rdc -c " + (directory.path / "called.hip").string() +
                       " -o " + object)
                          .c_str()) == 0);
  REQUIRE(std::system((TEST_LLVM_BIN "/llvm-ar rc " + archive + " " + object).c_str()) == 0);
  NothingLeft place;
  for (auto [type, file] :
       {std::pair(hipJitInputObject, object), std::pair(hipJitInputLibrary, archive)}) {
    char errors[1000] = "";
    Link link({hipJitOptionErrorLogBuffer, hipJitOptionErrorLogBufferSizeBytes},
              {errors, reinterpret_cast<void *>(sizeof errors)});
    REQUIRE_HIP(link.add(bitcode_of(calling)));
    REQUIRE_HIP(link.add_file(file, type));
    const hipError_t result = link.complete();
    CAPTURE(type, errors);
    REQUIRE_HIP(result);
    CHECK(Module(link.image).result_of("kernel", 5) == 15);
  }
}

TEST_CASE("hip link: what does not link says why where the program wants it") {
  NothingLeft place;
  char errors[2000] = "";
  Link link({hipJitOptionErrorLogBuffer, hipJitOptionErrorLogBufferSizeBytes},
            {errors, reinterpret_cast<void *>(sizeof errors)});
  REQUIRE_HIP(link.add(bitcode_of(called)));
  REQUIRE_HIP(link.add(bitcode_of("__device__ int helper(int) { return 0; }"))); // twice defined
  CHECK(link.complete() == hipErrorInvalidImage);
  CAPTURE(errors);
  CHECK(std::string_view(errors).find("helper") != std::string_view::npos);
  CHECK(link.image == nullptr);
  Link nothing;
  CHECK(nothing.complete() == hipErrorInvalidImage);
}

TEST_CASE("hip link: arguments that are not valid are refused") {
  char byte = 0;
  hipLinkState_t state = nullptr;
  hipJitOption option = hipJitOptionLogVerbose;
  CHECK(hipLinkCreate(0, nullptr, nullptr, nullptr) == hipErrorInvalidValue);
  CHECK(hipLinkCreate(1, nullptr, nullptr, &state) == hipErrorInvalidValue);
  CHECK(hipLinkCreate(1, &option, nullptr, &state) == hipErrorInvalidValue);
  CHECK(state == nullptr);

  Link link;
  CHECK(hipLinkAddData(link, hipJitInputLLVMBitcode, nullptr, 1, nullptr, 0, nullptr, nullptr) ==
        hipErrorInvalidValue);
  CHECK(hipLinkAddData(link, hipJitInputLLVMBitcode, &byte, 0, nullptr, 0, nullptr, nullptr) ==
        hipErrorInvalidValue);
  CHECK(hipLinkAddData(link, hipJitInputLLVMBitcode, &byte, 1, nullptr, 1, nullptr, nullptr) ==
        hipErrorInvalidValue);
  for (auto type : {hipJitInputCubin, hipJitInputPtx, hipJitInputNvvm, hipJitInputType(99)}) {
    CHECK(link.add({'a'}, type) == hipErrorInvalidValue);
    CHECK(link.add_file("/no/such/file", type) == hipErrorInvalidValue);
  }
  CHECK(link.add_file("/no/such/file", hipJitInputLLVMBitcode) == hipErrorFileNotFound);
  CHECK(hipLinkAddFile(link, hipJitInputLLVMBitcode, nullptr, 0, nullptr, nullptr) ==
        hipErrorInvalidValue);
  CHECK(hipLinkComplete(link, nullptr, &link.size) == hipErrorInvalidValue);
  CHECK(hipLinkComplete(link, &link.image, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip link: a state that is not live is refused, whatever it is") {
  char own[64] = {};
  void *image = nullptr;
  size_t size = 0;
  hipLinkState_t destroyed = nullptr;
  REQUIRE_HIP(hipLinkCreate(0, nullptr, nullptr, &destroyed));
  REQUIRE_HIP(hipLinkDestroy(destroyed));
  for (hipLinkState_t state :
       {hipLinkState_t(nullptr), destroyed, reinterpret_cast<hipLinkState_t>(own)}) {
    CHECK(hipLinkAddData(state, hipJitInputLLVMBitcode, own, 1, nullptr, 0, nullptr, nullptr) ==
          hipErrorInvalidHandle);
    CHECK(hipLinkAddFile(state, hipJitInputLLVMBitcode, "/no/such/file", 0, nullptr, nullptr) ==
          hipErrorInvalidHandle);
    CHECK(hipLinkComplete(state, &image, &size) == hipErrorInvalidHandle);
    CHECK(hipLinkDestroy(state) == hipErrorInvalidHandle);
  }
}
