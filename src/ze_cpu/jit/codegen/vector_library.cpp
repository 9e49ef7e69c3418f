#include "vector_library.h"

#include "llvm_compat.h"

#include <deque>
#include <dlfcn.h>
#include <llvm/MC/MCSubtargetInfo.h>

namespace ze_cpu {
namespace {

enum Precision : unsigned { single_ = 1, double_ = 2, both = 3 };

struct Function {
  const char *name;    // of the C library, for double
  unsigned precisions; // of which the vectorised function stays within OpenCL's bound
  unsigned arguments = 1;
  bool intrinsic = true; // LLVM calls it by an intrinsic of that name too
};

// libmvec promises 4 units in the last place for all of them. Where OpenCL wants less, all or very many values were tried:
// left out are exp (3.0 and more) and cbrt for double, log (3.9 near 1) and cbrt (2.8) for float. HIP documents one unit for
// most: which of these are used for what is in lower/math.cpp.
constexpr Function functions[] = {
    {"sin", both},
    {"cos", both},
    {"tan", both},
    {"asin", both},
    {"acos", both},
    {"atan", both},
    {"atan2", both, 2},
    {"sinh", both},
    {"cosh", both},
    {"tanh", both},
    {"asinh", both, 1, false},
    {"acosh", both, 1, false},
    {"atanh", both, 1, false},
    {"exp", single_},
    {"exp2", both},
    {"exp10", both},
    {"expm1", both, 1, false},
    {"log", double_},
    {"log2", both},
    {"log10", both},
    {"log1p", both, 1, false},
    {"pow", both, 2},
    {"hypot", both, 2, false},
    {"erf", both, 1, false},
    {"erfc", both, 1, false},
};

/// Made once: LLVM refers to the names. 16 bytes take SSE4 (the C library itself looks whether there is), 32 bytes AVX2.
/// Those for AVX-512 are left out: some are less accurate, and LLVM prefers 32 bytes.
struct Library {
  std::deque<std::string> names;
  std::vector<llvm::VecDesc> narrow, wide;

  Library() {
    // Older C libraries have fewer.
    void *libmvec = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!libmvec)
      return;
    for (const Function &function : functions)
      for (const Precision precision : {single_, double_})
        for (const unsigned bytes : {16u, 32u})
          if (function.precisions & precision)
            add(libmvec, function, precision, bytes);
  }

  void add(void *libmvec, const Function &function, Precision precision, unsigned bytes) {
    const unsigned lanes = bytes / (precision == single_ ? 4 : 8);
    const std::string parameters(function.arguments, 'v');
    const std::string shape = "N" + std::to_string(lanes) + parameters;
    const std::string name = std::string(function.name) + (precision == single_ ? "f" : "");
    const llvm::StringRef vector = keep((bytes == 16 ? "_ZGVb" : "_ZGVd") + shape + "_" + name);
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
  if (machine.getTargetTriple().getArch() != llvm::Triple::x86_64)
    return;
  static const Library libmvec;
  library.addVectorizableFunctions(libmvec.narrow);
  if (machine.getMCSubtargetInfo()->checkFeatures("+avx2"))
    library.addVectorizableFunctions(libmvec.wide);
}

} // namespace ze_cpu
