// Descriptors, statuses, streams and graphs.
#include "support.h"

#include <cstdlib>
#include <string>
#include <thread>

namespace {

/// Sets an attribute, reads it back, and requires that fewer bytes are refused.
template <class Descriptor, class Name, class Set, class Get, class T>
void require_kept(Descriptor descriptor, Name name, const Set &set, const Get &get, T value) {
  CAPTURE(name);
  REQUIRE(set(descriptor, name, &value, sizeof value - 1) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(set(descriptor, name, nullptr, sizeof value) == HIPBLAS_STATUS_INVALID_VALUE);
  LT(set(descriptor, name, &value, sizeof value));
  T read{};
  size_t written = 0;
  REQUIRE(get(descriptor, name, &read, sizeof read - 1, &written) == HIPBLAS_STATUS_INVALID_VALUE);
  LT(get(descriptor, name, &read, sizeof read, &written));
  REQUIRE(read == value);
  REQUIRE(written == sizeof value);
  LT(get(descriptor, name, nullptr, 0, &written));
  REQUIRE(get(descriptor, name, nullptr, 0, nullptr) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(set(nullptr, name, &value, sizeof value) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(set(descriptor, Name(99), &value, sizeof value) == HIPBLAS_STATUS_INVALID_VALUE);
}

/// C = A A for a matrix of one element.
struct Square {
  Square() : a(HIP_R_32F, 1), c(HIP_R_32F, 1) {
    a.set(0, 3);
    a.upload();
  }
  hipblasStatus_t run(hipStream_t stream) {
    return hipblasLtMatmul(handle, desc, &one, a.device(), layout, a.device(), layout, &zero,
                           c.device(), layout, c.device(), layout, nullptr, nullptr, 0, stream);
  }

  Elements a, c;
  const Handle handle;
  Layout layout{HIP_R_32F, 1, 1, 1};
  Desc desc{HIPBLAS_COMPUTE_32F, HIP_R_32F};
  float one = 1, zero = 0;
};

} // namespace

TEST_CASE("attributes are kept") {
  const auto set_layout = hipblasLtMatrixLayoutSetAttribute;
  const auto get_layout = hipblasLtMatrixLayoutGetAttribute;
  const Layout layout(HIP_R_32F, 3, 4, 5);
  const auto layout_keeps = [&](auto name, auto value) {
    require_kept(layout.value, name, set_layout, get_layout, value);
  };
  int64_t ld = 0;
  LT(get_layout(layout, HIPBLASLT_MATRIX_LAYOUT_LD, &ld, sizeof ld, nullptr));
  REQUIRE(ld == 5);
  layout_keeps(HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int32_t(7));
  layout_keeps(HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, int64_t(8));
  layout_keeps(HIPBLASLT_MATRIX_LAYOUT_TYPE, uint32_t(HIP_R_16F));
  layout_keeps(HIPBLASLT_MATRIX_LAYOUT_ORDER, int32_t(HIPBLASLT_ORDER_ROW));
  layout_keeps(HIPBLASLT_MATRIX_LAYOUT_ROWS, uint64_t(9));
  layout_keeps(HIPBLASLT_MATRIX_LAYOUT_COLS, uint64_t(10));
  layout_keeps(HIPBLASLT_MATRIX_LAYOUT_LD, int64_t(11));

  const Desc desc(HIPBLAS_COMPUTE_32F, HIP_R_32F);
  const auto desc_keeps = [&](auto name, auto value) {
    require_kept(desc.value, name, hipblasLtMatmulDescSetAttribute, hipblasLtMatmulDescGetAttribute,
                 value);
  };
  void *const pointer = &ld;
  for (const auto name :
       {HIPBLASLT_MATMUL_DESC_BIAS_POINTER, HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER,
        HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER, HIPBLASLT_MATMUL_DESC_C_SCALE_POINTER,
        HIPBLASLT_MATMUL_DESC_D_SCALE_POINTER, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER,
        HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER,
        HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER_VEC_EXT,
        HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER_VEC_EXT})
    desc_keeps(name, pointer);
  for (const auto name : {HIPBLASLT_MATMUL_DESC_TRANSA, HIPBLASLT_MATMUL_DESC_TRANSB,
                          HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, HIPBLASLT_MATMUL_DESC_POINTER_MODE,
                          HIPBLASLT_MATMUL_DESC_COMPUTE_INPUT_TYPE_A_EXT,
                          HIPBLASLT_MATMUL_DESC_COMPUTE_INPUT_TYPE_B_EXT})
    desc_keeps(name, int32_t(112));
  desc_keeps(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(4));
  desc_keeps(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(5));
  desc_keeps(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, int64_t(6));

  const Preference preference;
  const auto preference_keeps = [&](auto name, auto value) {
    require_kept(preference.value, name, hipblasLtMatmulPreferenceSetAttribute,
                 hipblasLtMatmulPreferenceGetAttribute, value);
  };
  preference_keeps(HIPBLASLT_MATMUL_PREF_SEARCH_MODE, uint32_t(1));
  preference_keeps(HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, uint64_t(1) << 40);

  hipblasLtMatrixTransformDesc_t transform = nullptr;
  LT(hipblasLtMatrixTransformDescCreate(&transform, HIP_R_32F));
  for (const auto name :
       {HIPBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, HIPBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE,
        HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSB})
    require_kept(transform, name, hipblasLtMatrixTransformDescSetAttribute,
                 hipblasLtMatrixTransformDescGetAttribute, int32_t(2));
  LT(hipblasLtMatrixTransformDescDestroy(transform));
}

TEST_CASE("handles that are null") {
  REQUIRE(hipblasLtCreate(nullptr) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(hipblasLtDestroy(nullptr) == HIPBLAS_STATUS_NOT_INITIALIZED);
  REQUIRE(hipblasLtMatrixLayoutCreate(nullptr, HIP_R_32F, 1, 1, 1) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(hipblasLtMatrixLayoutDestroy(nullptr) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(hipblasLtMatmulDescDestroy(nullptr) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(hipblasLtMatmulPreferenceDestroy(nullptr) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(hipblasLtMatrixTransformDescDestroy(nullptr) == HIPBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("versions and names") {
  const Handle handle;
  int version = 0;
  LT(hipblasLtGetVersion(handle, &version));
  REQUIRE(version == HIPBLASLT_VERSION_MAJOR * 100000 + HIPBLASLT_VERSION_MINOR * 100 +
                         HIPBLASLT_VERSION_PATCH);
  REQUIRE(hipblasLtGetVersion(handle, nullptr) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(hipblasLtGetVersion(nullptr, &version) == HIPBLAS_STATUS_NOT_INITIALIZED);
  char revision[16];
  LT(hipblasLtGetGitRevision(handle, revision));
  REQUIRE(std::string(revision) == "0.12.0");
  char *name = nullptr;
  LT(hipblasLtGetArchName(&name));
  hipDeviceProp_t properties;
  HIP(hipGetDeviceProperties(&properties, 0));
  REQUIRE(std::string(name) == properties.gcnArchName);
  std::free(name);
}

TEST_CASE("products that cannot be") {
  std::mt19937 engine{1};
  Matrices a(HIP_R_32F, 3, 5, 1, HIPBLASLT_ORDER_COL, engine);
  Matrices b(HIP_R_32F, 5, 2, 1, HIPBLASLT_ORDER_COL, engine);
  Matrices c(HIP_R_32F, 3, 2, 1, HIPBLASLT_ORDER_COL, engine);
  const Handle handle;
  Desc desc(HIPBLAS_COMPUTE_32F, HIP_R_32F);
  const Preference preference;
  const float one = 1;
  struct Call {
    hipblasLtHandle_t handle;
    hipblasLtMatmulDesc_t desc;
    const void *alpha, *a, *b, *beta, *c;
    hipblasLtMatrixLayout_t a_layout, b_layout, c_layout;
    void *d;
  };
  const Call right{handle,
                   desc,
                   &one,
                   a.elements.device(),
                   b.elements.device(),
                   &one,
                   c.elements.device(),
                   a.layout,
                   b.layout,
                   c.layout,
                   c.elements.device()};
  const auto matmul = [](const Call &call) {
    return hipblasLtMatmul(call.handle, call.desc, call.alpha, call.a, call.a_layout, call.b,
                           call.b_layout, call.beta, call.c, call.c_layout, call.d, call.c_layout,
                           nullptr, nullptr, 0, nullptr);
  };
  const auto heuristic = [&](const Call &call) {
    hipblasLtMatmulHeuristicResult_t result;
    int count = -1;
    const auto status = hipblasLtMatmulAlgoGetHeuristic(call.handle, call.desc, call.a_layout,
                                                        call.b_layout, call.c_layout, call.c_layout,
                                                        preference, 1, &result, &count);
    REQUIRE(count == (status == HIPBLAS_STATUS_SUCCESS));
    return status;
  };
  const auto require_both = [&](const Call &call, hipblasStatus_t status) {
    REQUIRE(matmul(call) == status);
    REQUIRE(heuristic(call) == status);
  };
  require_both(right, HIPBLAS_STATUS_SUCCESS);
  const auto changed = [&](auto Call::*member, auto value) {
    Call call = right;
    call.*member = value;
    return call;
  };
  require_both(changed(&Call::handle, nullptr), HIPBLAS_STATUS_NOT_INITIALIZED);
  require_both(changed(&Call::desc, nullptr), HIPBLAS_STATUS_INVALID_VALUE);
  require_both(changed(&Call::a_layout, nullptr), HIPBLAS_STATUS_INVALID_VALUE);
  for (auto member : {&Call::alpha, &Call::a, &Call::b, &Call::beta, &Call::c})
    REQUIRE(matmul(changed(member, nullptr)) == HIPBLAS_STATUS_INVALID_VALUE);
  REQUIRE(matmul(changed(&Call::d, nullptr)) == HIPBLAS_STATUS_INVALID_VALUE);

  require_both(changed(&Call::a_layout, b.layout.value), HIPBLAS_STATUS_INVALID_VALUE); // its size
  const Layout overlapping(HIP_R_32F, 3, 5, 2);
  require_both(changed(&Call::a_layout, overlapping.value), HIPBLAS_STATUS_INVALID_VALUE);
  Layout batch(HIP_R_32F, 3, 5, 3);
  batch.set(HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int32_t(2));
  require_both(changed(&Call::a_layout, batch.value), HIPBLAS_STATUS_INVALID_VALUE);
  batch.set(HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, int32_t(0));
  require_both(changed(&Call::a_layout, batch.value), HIPBLAS_STATUS_INVALID_VALUE);
  Layout other_order(HIP_R_32F, 3, 5, 3);
  other_order.set(HIPBLASLT_MATRIX_LAYOUT_ORDER, int32_t(100));
  require_both(changed(&Call::a_layout, other_order.value), HIPBLAS_STATUS_NOT_SUPPORTED);
  const Layout complex(HIP_C_32F, 3, 5, 3);
  require_both(changed(&Call::a_layout, complex.value), HIPBLAS_STATUS_NOT_SUPPORTED);
  for (const auto &[compute, scale] : {std::pair{HIPBLAS_COMPUTE_16F, HIP_R_16F},
                                       {HIPBLAS_COMPUTE_32F, HIP_R_64F},
                                       {HIPBLAS_COMPUTE_64F, HIP_R_64F},
                                       {HIPBLAS_COMPUTE_32I, HIP_R_32I}}) {
    const Desc other(compute, scale);
    require_both(changed(&Call::desc, other.value), HIPBLAS_STATUS_NOT_SUPPORTED);
  }

  desc.set(HIPBLASLT_MATMUL_DESC_TRANSA, int32_t(5));
  require_both(right, HIPBLAS_STATUS_INVALID_VALUE);
  desc.set(HIPBLASLT_MATMUL_DESC_TRANSA, int32_t(HIPBLAS_OP_N));
  desc.set(HIPBLASLT_MATMUL_DESC_POINTER_MODE, int32_t(2));
  require_both(right, HIPBLAS_STATUS_INVALID_VALUE);
  desc.set(HIPBLASLT_MATMUL_DESC_POINTER_MODE, int32_t(HIPBLASLT_POINTER_MODE_HOST));
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(3));
  require_both(right, HIPBLAS_STATUS_NOT_SUPPORTED);
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(HIPBLASLT_EPILOGUE_BIAS));
  REQUIRE(heuristic(right) == HIPBLAS_STATUS_SUCCESS); // The vector may come later.
  REQUIRE(matmul(right) == HIPBLAS_STATUS_INVALID_VALUE);
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(HIPBLASLT_EPILOGUE_GELU_AUX));
  REQUIRE(matmul(right) == HIPBLAS_STATUS_INVALID_VALUE);
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, c.elements.device());
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(2));
  REQUIRE(matmul(right) == HIPBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("a factor of 0 needs no matrices") {
  Square square;
  square.one = 0;
  square.zero = 2;
  square.c.set(0, 4);
  // Nor are they read where they are said to be.
  const void *const nowhere = reinterpret_cast<const void *>(64);
  for (const auto &[type, matrix] : {std::pair<hipDataType, const void *>{HIP_R_32F, nullptr},
                                     {HIP_R_8F_E4M3, nullptr},
                                     {HIP_R_8F_E4M3, nowhere}}) {
    const Layout layout(type, 1, 1, 1);
    square.c.upload();
    LT(hipblasLtMatmul(square.handle, square.desc, &square.one, matrix, layout, matrix, layout,
                       &square.zero, square.c.device(), square.layout, square.c.device(),
                       square.layout, nullptr, nullptr, 0, nullptr));
    Elements result(HIP_R_32F, 1);
    HIP(hipMemcpy(result.device(), square.c.device(), sizeof(float), hipMemcpyDeviceToDevice));
    result.download();
    REQUIRE(result[0] == 8);
  }
}

TEST_CASE("the scale that was set last holds") {
  Elements two(HIP_R_32F, 1), three(HIP_R_32F, 1);
  two.set(0, 2);
  two.upload();
  three.set(0, 3);
  three.upload();
  for (const auto &[one, each] :
       {std::pair{HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER,
                  HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER_VEC_EXT},
        {HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER, HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER_VEC_EXT}}) {
    Square square;
    square.desc.set(one, two.device());
    square.desc.set(each, three.device());
    LT(square.run(nullptr));
    square.c.download();
    REQUIRE(square.c[0] == 27);
    square.desc.set(one, two.device());
    LT(square.run(nullptr));
    square.c.download();
    REQUIRE(square.c[0] == 18);
  }
}

TEST_CASE("auxiliary matrices do not overlap") {
  std::mt19937 engine{1};
  Matrices a(HIP_R_32F, 3, 3, 2, HIPBLASLT_ORDER_COL, engine);
  Elements aux(HIP_R_32F, 100);
  const Handle handle;
  Desc desc(HIPBLAS_COMPUTE_32F, HIP_R_32F);
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(HIPBLASLT_EPILOGUE_GELU_AUX));
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux.device());
  const float one = 1, zero = 0;
  const auto run = [&] {
    return hipblasLtMatmul(handle, desc, &one, a.elements.device(), a.layout, a.elements.device(),
                           a.layout, &zero, nullptr, a.layout, a.elements.device(), a.layout,
                           nullptr, nullptr, 0, nullptr);
  };
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, int64_t(9));
  REQUIRE(run() == HIPBLAS_STATUS_SUCCESS); // The leading dimension is that of D's rows.
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, int64_t(8));
  REQUIRE(run() == HIPBLAS_STATUS_INVALID_VALUE);
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, int64_t(9));
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(4));
  REQUIRE(run() == HIPBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("an error that the caller has not read stays, and is not the product's") {
  Square square;
  for (const auto epilogue :
       {HIPBLASLT_EPILOGUE_DEFAULT, HIPBLASLT_EPILOGUE_RELU, HIPBLASLT_EPILOGUE_BGRADA}) {
    Elements sum(HIP_R_32F, 1);
    square.desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(epilogue));
    square.desc.set(HIPBLASLT_MATMUL_DESC_BIAS_POINTER, sum.device());
    REQUIRE(hipSetDevice(99) == hipErrorInvalidDevice);
    REQUIRE(square.run(nullptr) == HIPBLAS_STATUS_SUCCESS);
    REQUIRE(hipGetLastError() == hipErrorInvalidDevice);
    square.c.download();
    REQUIRE(square.c[0] == 9);
  }
}

TEST_CASE("with the workspace that the heuristic asks for nothing is allocated") {
  std::mt19937 engine{5};
  Matrices a(HIP_R_8F_E4M3, 40, 30, 2, HIPBLASLT_ORDER_COL, engine);
  Matrices b(HIP_R_16F, 30, 20, 2, HIPBLASLT_ORDER_COL, engine);
  Matrices d(HIP_R_8F_E5M2, 40, 20, 2, HIPBLASLT_ORDER_COL, engine);
  const Handle handle;
  const Desc desc(HIPBLAS_COMPUTE_32F, HIP_R_32F);
  const Preference preference;
  hipblasLtMatmulHeuristicResult_t found;
  int count = 0;
  const auto ask = [&](uint64_t most) {
    LT(hipblasLtMatmulPreferenceSetAttribute(preference, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &most, sizeof most));
    LT(hipblasLtMatmulAlgoGetHeuristic(handle, desc, a.layout, b.layout, d.layout, d.layout,
                                       preference, 1, &found, &count));
    return found.workspaceSize;
  };
  const size_t bytes = ask(1 << 20);
  REQUIRE(bytes >= 2 * sizeof(float) * (40 * 30 + 30 * 20 + 40 * 20));
  REQUIRE(ask(bytes) == bytes);
  REQUIRE(ask(bytes - 1) == 0);

  Elements workspace(HIP_R_8I, bytes + 1);
  hipStream_t stream = nullptr;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  const auto allocations = [&](void *memory, size_t size) {
    const float one = 1, zero = 0;
    hipGraph_t graph = nullptr;
    HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    LT(hipblasLtMatmul(handle, desc, &one, a.elements.device(), a.layout, b.elements.device(),
                       b.layout, &zero, nullptr, d.layout, d.elements.device(), d.layout, nullptr,
                       memory, size, stream));
    HIP(hipStreamEndCapture(stream, &graph));
    size_t size_of_graph = 0;
    HIP(hipGraphGetNodes(graph, nullptr, &size_of_graph));
    std::vector<hipGraphNode_t> nodes(size_of_graph);
    HIP(hipGraphGetNodes(graph, nodes.data(), &size_of_graph));
    int found = 0;
    for (const hipGraphNode_t node : nodes) {
      hipGraphNodeType type{};
      HIP(hipGraphNodeGetType(node, &type));
      found += type == hipGraphNodeTypeMemAlloc;
    }
    HIP(hipGraphDestroy(graph));
    return found;
  };
  constexpr size_t alignment = 256;
  REQUIRE(allocations(workspace.device(), bytes) == 0);
  REQUIRE(allocations(static_cast<char *>(workspace.device()) + 1, bytes) == 0);
  // The first matrix does not fit, and neither does the last one where the beginning is aligned first.
  REQUIRE(allocations(workspace.device(), alignment) == 3);
  REQUIRE(allocations(workspace.device(), bytes - alignment) == 0);
  REQUIRE(allocations(static_cast<char *>(workspace.device()) + 1, bytes - alignment) == 1);
  REQUIRE(allocations(nullptr, bytes) == 3);
  HIP(hipStreamDestroy(stream));
}

TEST_CASE("sums of gradients are of single matrices") {
  std::mt19937 engine{1};
  Matrices a(HIP_R_32F, 3, 3, 2, HIPBLASLT_ORDER_COL, engine);
  const Handle handle;
  const Preference preference;
  Desc desc(HIPBLAS_COMPUTE_32F, HIP_R_32F);
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(HIPBLASLT_EPILOGUE_BGRADA));
  hipblasLtMatmulHeuristicResult_t result;
  int count = 0;
  REQUIRE(hipblasLtMatmulAlgoGetHeuristic(handle, desc, a.layout, a.layout, a.layout, a.layout,
                                          preference, 1, &result,
                                          &count) == HIPBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("D may take the place of terms of another type") {
  Elements a(HIP_R_16F, 1), c(HIP_R_16BF, 1);
  a.set(0, 3);
  a.upload();
  c.set(0, 7);
  c.upload();
  const Handle handle;
  const Desc desc(HIPBLAS_COMPUTE_32F, HIP_R_32F);
  const Layout halves(HIP_R_16F, 1, 1, 1), bfloats(HIP_R_16BF, 1, 1, 1);
  const float one = 1;
  LT(hipblasLtMatmul(handle, desc, &one, a.device(), halves, a.device(), halves, &one, c.device(),
                     bfloats, c.device(), halves, nullptr, nullptr, 0, nullptr));
  HIP(hipDeviceSynchronize());
  __half result;
  HIP(hipMemcpy(&result, c.device(), sizeof result, hipMemcpyDeviceToHost));
  REQUIRE(float(result) == 16);
}

TEST_CASE("gradients of biases are sums of many elements with the error of one") {
  constexpr int64_t terms = 200000;
  Elements a(HIP_R_32F, terms), b(HIP_R_32F, terms), c(HIP_R_32F, 1), sum(HIP_R_32F, 1);
  for (size_t i = 0; i < terms; ++i)
    a.set(i, 0.1);
  a.upload();
  const Handle handle;
  Desc desc(HIPBLAS_COMPUTE_32F, HIP_R_32F);
  desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(HIPBLASLT_EPILOGUE_BGRADA));
  desc.set(HIPBLASLT_MATMUL_DESC_BIAS_POINTER, sum.device());
  const Layout a_layout(HIP_R_32F, 1, terms, 1), b_layout(HIP_R_32F, terms, 1, terms);
  const Layout c_layout(HIP_R_32F, 1, 1, 1);
  const float one = 1, zero = 0;
  LT(hipblasLtMatmul(handle, desc, &one, a.device(), a_layout, b.device(), b_layout, &zero,
                     c.device(), c_layout, c.device(), c_layout, nullptr, nullptr, 0, nullptr));
  sum.download();
  REQUIRE(std::abs(sum[0] - terms * double(0.1f)) < 0.002);
}

TEST_CASE("what is multiplied by zero is not looked at") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Square square;
  for (const auto epilogue : {HIPBLASLT_EPILOGUE_DEFAULT, HIPBLASLT_EPILOGUE_RELU}) {
    square.desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(epilogue));
    for (const float zero : {0.0f, -0.0f}) {
      square.zero = zero;
      square.c.set(0, nan);
      square.c.upload();
      LT(square.run(nullptr));
      square.c.download();
      REQUIRE(square.c[0] == 9);
      // Nor has it to be there.
      LT(hipblasLtMatmul(square.handle, square.desc, &square.one, square.a.device(), square.layout,
                         square.a.device(), square.layout, &square.zero, nullptr, square.layout,
                         square.c.device(), square.layout, nullptr, nullptr, 0, nullptr));
    }
  }

  // The same with numbers of the device.
  Elements factors(HIP_R_32F, 2);
  factors.set(0, 0);
  factors.set(1, 2);
  factors.upload();
  square.a.set(0, nan);
  square.a.upload();
  square.desc.set(HIPBLASLT_MATMUL_DESC_POINTER_MODE, int32_t(HIPBLASLT_POINTER_MODE_DEVICE));
  const auto *alpha = static_cast<const float *>(factors.device());
  LT(hipblasLtMatmul(square.handle, square.desc, alpha, square.a.device(), square.layout,
                     square.a.device(), square.layout, alpha + 1, square.c.device(), square.layout,
                     square.c.device(), square.layout, nullptr, nullptr, 0, nullptr));
  square.c.download();
  REQUIRE(square.c[0] == 18);
}

TEST_CASE("no elements and no terms are no error, and need no memory") {
  const Handle handle;
  const Desc desc(HIPBLAS_COMPUTE_32F, HIP_R_32F);
  const Layout a(HIP_R_32F, 0, 5, 0), b(HIP_R_32F, 5, 2, 5), c(HIP_R_32F, 0, 2, 0);
  const float one = 1;
  LT(hipblasLtMatmul(handle, desc, &one, nullptr, a, nullptr, b, &one, nullptr, c, nullptr, c,
                     nullptr, nullptr, 0, nullptr));

  const Layout no_terms(HIP_R_8F_E4M3, 1, 0, 1), one_element(HIP_R_32F, 1, 1, 1);
  Elements result(HIP_R_32F, 1);
  result.set(0, 3);
  result.upload();
  Desc transposed(HIPBLAS_COMPUTE_32F, HIP_R_32F);
  transposed.set(HIPBLASLT_MATMUL_DESC_TRANSB, int32_t(HIPBLAS_OP_T));
  LT(hipblasLtMatmul(handle, transposed, &one, nullptr, no_terms, nullptr, no_terms, &one,
                     result.device(), one_element, result.device(), one_element, nullptr, nullptr,
                     0, nullptr));
  result.download();
  REQUIRE(result[0] == 3);
}

TEST_CASE("a product is in the order of its stream, and a graph does it again") {
  hipStream_t stream = nullptr;
  HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  for (const auto epilogue : {HIPBLASLT_EPILOGUE_DEFAULT, HIPBLASLT_EPILOGUE_RELU}) {
    Square square;
    square.desc.set(HIPBLASLT_MATMUL_DESC_EPILOGUE, uint32_t(epilogue));
    Elements next(HIP_R_32F, 1);
    next.set(0, 5);
    next.upload();
    float first = 0, second = 0;
    LT(square.run(stream));
    HIP(hipMemcpyAsync(&first, square.c.device(), sizeof first, hipMemcpyDeviceToHost, stream));
    HIP(hipMemcpyAsync(square.a.device(), next.device(), sizeof(float), hipMemcpyDeviceToDevice,
                       stream));
    LT(square.run(stream));
    HIP(hipMemcpyAsync(&second, square.c.device(), sizeof second, hipMemcpyDeviceToHost, stream));
    HIP(hipStreamSynchronize(stream));
    REQUIRE(first == 9);
    REQUIRE(second == 25);

    hipGraph_t graph = nullptr;
    hipGraphExec_t executable = nullptr;
    HIP(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    LT(square.run(stream));
    HIP(hipStreamEndCapture(stream, &graph));
    HIP(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
    for (const float value : {2.0f, 4.0f}) {
      square.a.set(0, value);
      square.a.upload();
      HIP(hipGraphLaunch(executable, stream));
      HIP(hipStreamSynchronize(stream));
      square.c.download();
      REQUIRE(square.c[0] == value * value);
    }
    HIP(hipGraphExecDestroy(executable));
    HIP(hipGraphDestroy(graph));
  }
  HIP(hipStreamDestroy(stream));
}

TEST_CASE("several threads use one handle, each with its stream") {
  const Handle handle;
  bool right[4] = {};
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index)
    threads.emplace_back([&, index] {
      float *data = nullptr, result = 0;
      const float value = float(index + 2), one = 1, zero = 0;
      hipStream_t stream = nullptr;
      hipblasLtMatrixLayout_t layout = nullptr;
      hipblasLtMatmulDesc_t desc = nullptr;
      bool fine = !hipStreamCreate(&stream) && !hipMalloc(reinterpret_cast<void **>(&data), 8) &&
                  !hipblasLtMatrixLayoutCreate(&layout, HIP_R_32F, 1, 1, 1) &&
                  !hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, HIP_R_32F) &&
                  !hipMemcpy(data, &value, 4, hipMemcpyHostToDevice);
      for (int i = 0; i < 100 && fine; ++i)
        fine = !hipblasLtMatmul(handle, desc, &one, data, layout, data, layout, &zero, data + 1,
                                layout, data + 1, layout, nullptr, nullptr, 0, stream) &&
               !hipMemcpyAsync(&result, data + 1, 4, hipMemcpyDeviceToHost, stream) &&
               !hipStreamSynchronize(stream) && result == value * value;
      right[index] = fine;
      (void)hipblasLtMatmulDescDestroy(desc);
      (void)hipblasLtMatrixLayoutDestroy(layout);
      (void)hipFree(data);
      (void)hipStreamDestroy(stream);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const bool one : right)
    REQUIRE(one);
}
