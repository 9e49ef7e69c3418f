#include "vector_library.h"

#include "llvm_compat.h"

#include <deque>
#include <dlfcn.h>
#include <llvm/MC/MCSubtargetInfo.h>

namespace ze_cpu {
namespace {

enum Precision : unsigned { none = 0, single_ = 1, double_ = 2, both = 3 };

struct Function {
  const char *name; // of the C library, for double
  /// Of which the vectorised function is accurate enough, by the processor.
  unsigned x86_64, aarch64;
  unsigned arguments = 1;
  bool intrinsic = true; // LLVM calls it by an intrinsic of that name too
};

// libmvec promises 4 units in the last place for all of them. Where OpenCL wants less, all or very many values were tried:
// left out are exp (3.0 and more) and cbrt for double, log (3.9 near 1) and cbrt (2.8) for float. HIP documents one unit for
// most: which of these are used for what is in lower/math.cpp. AArch64's have errors of their own: what is used as it is has to
// be as near there as HIP documents. Of what x86-64 takes, exp10, log2, log10, hypot and pow are not (1.1 to 2.4), and asin,
// atan and tanh may be more than two units off. Of -0, its sin, expm1 and log1p, and tan for float, make 0.
constexpr Function functions[] = {
    {"sin", both, none},
    {"cos", both, both},
    {"tan", both, double_},
    {"asin", both, none},
    {"acos", both, both},
    {"atan", both, none},
    {"atan2", both, both, 2},
    {"sinh", both, both},
    {"cosh", both, both},
    {"tanh", both, none},
    {"asinh", both, both, 1, false},
    {"acosh", both, both, 1, false},
    {"atanh", both, both, 1, false},
    {"exp", single_, single_},
    {"exp2", both, single_},
    {"exp10", both, single_},
    {"expm1", both, none, 1, false},
    {"log", double_, double_},
    {"log2", both, single_},
    {"log10", both, none},
    {"log1p", both, none, 1, false},
    {"pow", both, none, 2},
    {"hypot", both, none, 2, false},
    {"erf", both, both, 1, false},
    {"erfc", both, both, 1, false},
};

/// Made once: LLVM refers to the names. On x86-64 16 bytes take SSE4 (the C library itself looks whether there is), 32 bytes AVX2.
/// Those for AVX-512 are left out: some are less accurate, and LLVM prefers 32 bytes. AArch64 has 16 bytes, and SVE's, which
/// no code is made for.
struct Library {
  const bool is_aarch64;
  std::deque<std::string> names;
  std::vector<llvm::VecDesc> narrow, wide;

  explicit Library(const llvm::Triple &triple) : is_aarch64(triple.isAArch64()) {
    // Older C libraries have fewer.
    void *libmvec = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!libmvec)
      return;
    for (const Function &function : functions)
      for (const Precision precision : {single_, double_})
        for (const unsigned bytes : {16u, 32u})
          if ((is_aarch64 ? function.aarch64 : function.x86_64) & precision)
            add(libmvec, function, precision, bytes);
  }

  /// The letter of the vector function ABI for vectors of so many bytes.
  const char *letter(unsigned bytes) const { return bytes == 32 ? "d" : is_aarch64 ? "n" : "b"; }

  void add(void *libmvec, const Function &function, Precision precision, unsigned bytes) {
    const unsigned lanes = bytes / (precision == single_ ? 4 : 8);
    const std::string parameters(function.arguments, 'v');
    const std::string shape = "N" + std::to_string(lanes) + parameters;
    const std::string name = std::string(function.name) + (precision == single_ ? "f" : "");
    const llvm::StringRef vector = keep(std::string("_ZGV") + letter(bytes) + shape + "_" + name);
    if (!dlsym(libmvec, vector.data()))
      return;
    const llvm::StringRef prefix = keep("_ZGV_LLVM_" + shape);
    std::vector<llvm::VecDesc> &list = bytes == 16 ? narrow : wide;
    list.push_back(compat::vector_function(keep(name), vector, lanes, prefix));
    if (function.intrinsic) {
      const char *type = precision == single_ ? ".f32" : ".f64";
      list.push_back(compat::vector_function(keep("llvm." + std::string(function.name) + type),
                                             vector, lanes, prefix));
    }
  }

  llvm::StringRef keep(std::string name) { return names.emplace_back(std::move(name)); }
};

} // namespace

void add_vector_library(llvm::TargetLibraryInfoImpl &library, const llvm::TargetMachine &machine) {
  const llvm::Triple &triple = machine.getTargetTriple();
  if (triple.getArch() != llvm::Triple::x86_64 && !triple.isAArch64())
    return;
  // Of this process's own processor: no other one's functions are there to be called.
  static const Library libmvec(triple);
  library.addVectorizableFunctions(libmvec.narrow);
  if (!libmvec.is_aarch64 && machine.getMCSubtargetInfo()->checkFeatures("+avx2"))
    library.addVectorizableFunctions(libmvec.wide);
}

} // namespace ze_cpu
