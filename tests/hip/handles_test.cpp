// Handles that are not live: never made, destroyed, or of another type. Each function that takes one answers with an error that
// its comment names, whatever the address is, and nothing behind it is touched.
#include "fixture.h"

#include <hip/hip_ext.h>

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <sys/mman.h>
#include <type_traits>
#include <utility>
#include <vector>

// What HIP calls deprecated takes handles as well.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace fixture;

namespace {

const hipChannelFormatDesc of_floats = {32, 0, 0, 0, hipChannelFormatKindFloat};

constexpr int type_count = 15;
template <class T> constexpr int type_of = -1; // what is no handle
template <> constexpr int type_of<hipStream_t> = 0;
template <> constexpr int type_of<hipEvent_t> = 1;
template <> constexpr int type_of<hipModule_t> = 2;
template <> constexpr int type_of<hipFunction_t> = 3;
template <> constexpr int type_of<hipArray_t> = 4;
template <> constexpr int type_of<hipArray_const_t> = 4;
template <> constexpr int type_of<hipMipmappedArray_t> = 5;
template <> constexpr int type_of<hipMipmappedArray_const_t> = 5;
template <> constexpr int type_of<hipTextureObject_t> = 6;
template <> constexpr int type_of<hipSurfaceObject_t> = 7;
template <> constexpr int type_of<hipGraph_t> = 8;
template <> constexpr int type_of<hipGraphNode_t> = 9;
template <> constexpr int type_of<hipGraphExec_t> = 10;
template <> constexpr int type_of<hipMemPool_t> = 11;
template <> constexpr int type_of<hipMemGenericAllocationHandle_t> = 12;
template <> constexpr int type_of<hipLibrary_t> = 13;
template <> constexpr int type_of<hipKernel_t> = 14;

/// One handle of each type.
struct Handles {
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  hipArray_t array = nullptr, shown = nullptr; // the texture and the surface show the second
  hipMipmappedArray_t mipmapped = nullptr;
  hipTextureObject_t texture = nullptr;
  hipSurfaceObject_t surface = nullptr;
  hipGraph_t graph = nullptr;
  hipGraphNode_t node = nullptr;
  hipGraphExec_t exec = nullptr;
  hipMemPool_t pool = nullptr;
  hipMemGenericAllocationHandle_t memory = nullptr;
  hipLibrary_t library = nullptr;
  hipKernel_t kernel = nullptr;

  Handles() {
    const hipTextureDesc texture_description{};
    hipResourceDesc resource{};
    hipMemPoolProps pool_properties{};
    pool_properties.allocType = hipMemAllocationTypePinned;
    pool_properties.location = {hipMemLocationTypeDevice, 0};
    REQUIRE_HIP(hipMemPoolCreate(&pool, &pool_properties));
    hipMemAllocationProp properties{};
    size_t granularity = 0;
    properties.type = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    REQUIRE_HIP(hipMemGetAllocationGranularity(&granularity, &properties,
                                               hipMemAllocationGranularityMinimum));
    REQUIRE_HIP(hipMemCreate(&memory, granularity, &properties, 0));
    REQUIRE_HIP(hipStreamCreate(&stream));
    REQUIRE_HIP(hipEventCreate(&event));
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
    REQUIRE_HIP(hipModuleGetFunction(&function, module, "nothing"));
    REQUIRE_HIP(hipMallocArray(&array, &of_floats, 64));
    REQUIRE_HIP(hipMallocArray(&shown, &of_floats, 64));
    REQUIRE_HIP(hipMallocMipmappedArray(&mipmapped, &of_floats, make_hipExtent(8, 8, 0), 2));
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = shown;
    REQUIRE_HIP(hipCreateTextureObject(&texture, &resource, &texture_description, nullptr));
    REQUIRE_HIP(hipCreateSurfaceObject(&surface, &resource));
    REQUIRE_HIP(hipGraphCreate(&graph, 0));
    REQUIRE_HIP(hipGraphAddEmptyNode(&node, graph, nullptr, 0));
    REQUIRE_HIP(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    REQUIRE_HIP(
        hipLibraryLoadFromFile(&library, TEST_KERNELS, nullptr, nullptr, 0, nullptr, nullptr, 0));
    REQUIRE_HIP(hipLibraryGetKernel(&kernel, library, "nothing"));
  }
  Handles(const Handles &) = delete;

  /// Succeeds only for handles that are still live.
  void destroy() {
    REQUIRE_HIP(hipMemPoolDestroy(pool));
    REQUIRE_HIP(hipMemRelease(memory));
    REQUIRE_HIP(launch(function, stream, 1));
    REQUIRE_HIP(launch(reinterpret_cast<hipFunction_t>(kernel), stream, 1));
    REQUIRE_HIP(hipEventRecord(event, stream));
    REQUIRE_HIP(hipGraphLaunch(exec, stream));
    REQUIRE_HIP(hipGraphExecDestroy(exec));
    REQUIRE_HIP(hipGraphDestroyNode(node));
    REQUIRE_HIP(hipGraphDestroy(graph));
    REQUIRE_HIP(hipDestroySurfaceObject(surface));
    REQUIRE_HIP(hipDestroyTextureObject(texture));
    REQUIRE_HIP(hipFreeMipmappedArray(mipmapped));
    REQUIRE_HIP(hipFreeArray(shown));
    REQUIRE_HIP(hipFreeArray(array));
    REQUIRE_HIP(hipModuleUnload(module));
    REQUIRE_HIP(hipLibraryUnload(library));
    REQUIRE_HIP(hipEventDestroy(event));
    REQUIRE_HIP(hipStreamDestroy(stream));
  }

  /// By type_of.
  std::array<void *, type_count> all() const {
    return {stream, event, module, function, array,  mipmapped, texture, surface,
            graph,  node,  exec,   pool,     memory, library,   kernel};
  }
};

/// Addresses that no handle of any type has.
struct Garbage {
  void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  alignas(64) std::byte own[512] = {};
  std::vector<void *> all = {reinterpret_cast<void *>(8),
                             reinterpret_cast<void *>(64),
                             reinterpret_cast<void *>(0xffff),
                             reinterpret_cast<void *>(0x7234'5678'90ab'cde0),
                             reinterpret_cast<void *>(UINTPTR_MAX),
                             reinterpret_cast<void *>(UINTPTR_MAX - 63),
                             page,
                             own,
                             own + 1};

  Garbage() { REQUIRE(page != MAP_FAILED); }
  ~Garbage() { munmap(page, 4096); }
};

const Handles *live = nullptr; // of the test case that runs
void *scratch = nullptr;       // managed memory, which every function takes

/// What a call passes for a parameter other than the handle that it is tried with.
template <class T> T usual_value(std::string_view name) {
  const auto is = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if constexpr (type_of<T> >= 0)
    return static_cast<T>(live->all()[type_of<T>]);
  else if constexpr (std::is_same_v<T, hipStreamCallback_t>)
    return [](hipStream_t, hipError_t, void *) {};
  else if constexpr (std::is_same_v<T, hipHostFn_t>)
    return [](void *) {};
  else if constexpr (std::is_same_v<T, const char *>)
    return "nothing";
  else if constexpr (std::is_pointer_v<T>) // the arguments of a kernel without any are null
    return is({"args", "params", "extra"}) ? nullptr : static_cast<T>(scratch);
  else if constexpr (std::is_same_v<T, dim3>)
    return dim3(1);
  else if constexpr (std::is_same_v<T, hipExtent>)
    return {4, 1, 1};
  else if constexpr (std::is_same_v<T, hipPitchedPtr>)
    return {scratch, 16, 16, 1};
  else if constexpr (std::is_same_v<T, hipMemLocation>)
    return {hipMemLocationTypeDevice, 0};
  else if constexpr (std::is_same_v<T, hipMemcpyKind>)
    return hipMemcpyDefault;
  else if (is({"flags", "level", "value", "device", "dst_device", "src_device", "shared_bytes"}) ||
           name.ends_with("offset"))
    return T(0);
  else
    return T(name.ends_with("pitch") ? 16 : is({"size", "bytes", "width", "count"}) ? 4 : 1);
}

/// A handle parameter of a function.
struct Case {
  const char *function;
  std::string_view parameter;
  int type;
  std::vector<hipError_t> expected;
  std::function<hipError_t(void *)> call;
};

template <class T> T argument(std::string_view name, bool is_tried, void *handle) {
  if constexpr (type_of<T> >= 0)
    if (is_tried)
      return static_cast<T>(handle);
  return usual_value<T>(name);
}

template <class Signature> struct HandleParameter;
template <class... T> struct HandleParameter<hipError_t(T...)> {
  static Case make(const char *name, hipError_t (*function)(T...), size_t index,
                   std::vector<std::string_view> names, std::vector<hipError_t> expected) {
    const int types[] = {type_of<T>...};
    const auto call = [=]<size_t... I>(std::index_sequence<I...>) {
      return [=](void *handle) { return function(argument<T>(names[I], I == index, handle)...); };
    };
    return {name, names[index], types[index], std::move(expected),
            call(std::index_sequence_for<T...>())};
  }
};
const std::vector<Case> &handle_parameters() {
  static const std::vector<Case> cases = {
#include "handle_parameters.inc"
  };
  return cases;
}

/// Null is a stream, no event to record, or nothing to destroy.
bool null_is_allowed(const Case &c) {
  return c.type == type_of<hipStream_t> || c.parameter.ends_with("_event") ||
         ((c.type == type_of<hipTextureObject_t> || c.type == type_of<hipSurfaceObject_t>) &&
          std::string_view(c.function).find("Destroy") != std::string_view::npos);
}

void refuses_all(const Case &c, const std::vector<void *> &addresses) {
  for (void *address : addresses) {
    const hipError_t result = c.call(address);
    INFO(c.function << ", " << c.parameter << " = " << address << ": " << hipGetErrorName(result));
    CHECK(std::ranges::find(c.expected, result) != c.expected.end());
    CHECK(hipGetLastError() == result);
  }
}

/// A kernel of a library is a function as well.
bool is_taken_for(int type, int other) {
  return other == type || (type == type_of<hipFunction_t> && other == type_of<hipKernel_t>);
}

/// Tries each case with everything that is no live handle of its type.
void all_refuse(const std::vector<Case> &cases) {
  Garbage garbage;
  Handles kept, dead; // in this order: what is made later may have the address of what is gone
  live = &kept;
  dead.destroy();
  REQUIRE_HIP(hipMallocManaged(&scratch, 8192));
  for (const Case &c : cases) {
    std::vector<void *> addresses = garbage.all;
    if (!null_is_allowed(c))
      addresses.push_back(nullptr);
    for (int type = 0; type < type_count; ++type) {
      addresses.push_back(dead.all()[type]);
      if (!is_taken_for(c.type, type))
        addresses.push_back(kept.all()[type]);
      addresses.push_back(static_cast<std::byte *>(kept.all()[type]) + 8);
    }
    refuses_all(c, addresses);
  }
  REQUIRE_HIP(hipFree(scratch));
  kept.destroy();
}

/// A case of a handle that is a member of a structure.
template <class Handle, class Structure>
Case member_case(const char *function, const char *member, std::vector<hipError_t> expected,
                 Structure structure, Handle Structure::*place,
                 std::function<hipError_t(Structure &)> call) {
  return {function, member, type_of<Handle>, std::move(expected), [=](void *handle) {
            Structure copy = structure;
            copy.*place = static_cast<Handle>(handle);
            return call(copy);
          }};
}

} // namespace

TEST_CASE("hip handles: each function refuses what is no live handle of the parameter's type") {
  REQUIRE(handle_parameters().size() > 100);
  all_refuse(handle_parameters());
}

TEST_CASE("hip handles: each function refuses what is no live handle in a structure") {
  std::vector<Case> cases;
  const std::vector<hipError_t> invalid_value = {hipErrorInvalidValue},
                                no_stream = {hipErrorContextIsDestroyed};
  hipMemcpy3DParms box{};
  box.extent = {4, 1, 1};
  box.kind = hipMemcpyDefault;
  using Box = hipMemcpy3DParms;
  cases.push_back(member_case<hipArray_t, Box>("hipMemcpy3D", "srcArray", invalid_value, box,
                                               &Box::srcArray, [](Box &copy) {
                                                 copy.dstPtr = {scratch, 64, 64, 1};
                                                 return hipMemcpy3D(&copy);
                                               }));
  cases.push_back(member_case<hipArray_t, Box>("hipMemcpy3D", "dstArray", invalid_value, box,
                                               &Box::dstArray, [](Box &copy) {
                                                 copy.srcPtr = {scratch, 64, 64, 1};
                                                 return hipMemcpy3D(&copy);
                                               }));
  hip_Memcpy2D rectangle{};
  rectangle.WidthInBytes = 4;
  rectangle.Height = 1;
  rectangle.srcMemoryType = rectangle.dstMemoryType = hipMemoryTypeHost;
  hip_Memcpy2D from = rectangle, to = rectangle;
  from.srcMemoryType = to.dstMemoryType = hipMemoryTypeArray;
  cases.push_back(
      member_case<hipArray_t, hip_Memcpy2D>("hipMemcpyParam2D", "srcArray", invalid_value, from,
                                            &hip_Memcpy2D::srcArray, [](hip_Memcpy2D &copy) {
                                              copy.dstHost = scratch;
                                              return hipMemcpyParam2D(&copy);
                                            }));
  cases.push_back(
      member_case<hipArray_t, hip_Memcpy2D>("hipMemcpyParam2DAsync", "dstArray", invalid_value, to,
                                            &hip_Memcpy2D::dstArray, [](hip_Memcpy2D &copy) {
                                              copy.srcHost = scratch;
                                              return hipMemcpyParam2DAsync(&copy, live->stream);
                                            }));
  HIP_MEMCPY3D slices{};
  slices.WidthInBytes = 4;
  slices.Height = slices.Depth = 1;
  slices.srcMemoryType = hipMemoryTypeArray;
  slices.dstMemoryType = hipMemoryTypeHost;
  cases.push_back(member_case<hipArray_t, HIP_MEMCPY3D>("hipDrvMemcpy3D", "srcArray", invalid_value,
                                                        slices, &HIP_MEMCPY3D::srcArray,
                                                        [](HIP_MEMCPY3D &copy) {
                                                          copy.dstHost = scratch;
                                                          return hipDrvMemcpy3D(&copy);
                                                        }));

  const auto resource_case = [&](const char *function, auto handle, auto place,
                                 std::vector<hipError_t> expected, auto call) {
    using Handle = decltype(handle);
    cases.push_back({function, "resource", type_of<Handle>, std::move(expected), [=](void *value) {
                       hipResourceDesc resource{};
                       place(resource, static_cast<Handle>(value));
                       return call(resource);
                     }});
  };
  const auto in_array = [](hipResourceDesc &resource, hipArray_t array) {
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
  };
  const auto in_mipmapped = [](hipResourceDesc &resource, hipMipmappedArray_t array) {
    resource.resType = hipResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array;
  };
  const auto create_texture = [](hipResourceDesc &resource) {
    hipTextureDesc description{};
    hipTextureObject_t texture = nullptr;
    return hipCreateTextureObject(&texture, &resource, &description, nullptr);
  };
  const auto create_surface = [](hipResourceDesc &resource) {
    hipSurfaceObject_t surface = nullptr;
    return hipCreateSurfaceObject(&surface, &resource);
  };
  resource_case("hipCreateTextureObject", hipArray_t(), in_array, invalid_value, create_texture);
  resource_case("hipCreateTextureObject", hipMipmappedArray_t(), in_mipmapped, invalid_value,
                create_texture);
  resource_case("hipCreateSurfaceObject", hipArray_t(), in_array, {hipErrorInvalidHandle},
                create_surface);

  hipLaunchConfig_t program_launch{};
  program_launch.gridDim = program_launch.blockDim = dim3(1);
  cases.push_back(member_case<hipStream_t, hipLaunchConfig_t>(
      "hipLaunchKernelExC", "stream", no_stream, program_launch, &hipLaunchConfig_t::stream,
      [](hipLaunchConfig_t &config) { return hipLaunchKernelExC(&config, scratch, nullptr); }));
  HIP_LAUNCH_CONFIG module_launch{};
  module_launch.gridDimX = module_launch.gridDimY = module_launch.gridDimZ =
      module_launch.blockDimX = module_launch.blockDimY = module_launch.blockDimZ = 1;
  cases.push_back(member_case<hipStream_t, HIP_LAUNCH_CONFIG>(
      "hipDrvLaunchKernelEx", "hStream", no_stream, module_launch, &HIP_LAUNCH_CONFIG::hStream,
      [](HIP_LAUNCH_CONFIG &config) {
        return hipDrvLaunchKernelEx(&config, live->function, nullptr, nullptr);
      }));
  hipLaunchParams device_launch{};
  device_launch.gridDim = device_launch.blockDim = dim3(1);
  cases.push_back(member_case<hipStream_t, hipLaunchParams>(
      "hipLaunchCooperativeKernelMultiDevice", "stream", no_stream, device_launch,
      &hipLaunchParams::stream, [](hipLaunchParams &launch) {
        return hipLaunchCooperativeKernelMultiDevice(&launch, 1, 0);
      }));
  all_refuse(cases);
}

TEST_CASE("hip handles: functions that return no error refuse what is no live handle") {
  Garbage garbage;
  Handles kept, dead;
  dead.destroy();
  std::vector<void *> addresses = garbage.all;
  addresses.insert(addresses.end(), {dead.stream, dead.function, kept.event, kept.module});
  for (void *address : addresses) {
    INFO(address);
    CHECK(hipGetStreamDeviceId(static_cast<hipStream_t>(address)) == -1);
    CHECK(hipKernelNameRef(static_cast<hipFunction_t>(address)) == nullptr);
  }
  CHECK(hipKernelNameRef(nullptr) == nullptr);
  REQUIRE(hipKernelNameRef(kept.function) != nullptr);
  CHECK(std::string_view(hipKernelNameRef(kept.function)) == "nothing");
  kept.destroy();
}

TEST_CASE("hip handles: a function of an unloaded module is not one of the same code loaded anew") {
  hipModule_t module = nullptr;
  hipFunction_t dead = nullptr, found = nullptr;
  REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  REQUIRE_HIP(hipModuleGetFunction(&dead, module, "nothing"));
  REQUIRE_HIP(launch(dead, nullptr, 1));
  REQUIRE_HIP(hipModuleUnload(module));
  REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  REQUIRE(launch(dead, nullptr, 1) == hipErrorInvalidResourceHandle);
  REQUIRE_HIP(hipModuleGetFunction(&found, module, "nothing"));
  REQUIRE_HIP(launch(found, nullptr, 1));
  REQUIRE_HIP(hipModuleUnload(module));
  REQUIRE(launch(found, nullptr, 1) == hipErrorInvalidResourceHandle);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip handles: functions of thousands of loads are told from those that are gone") {
  std::vector<hipFunction_t> functions;
  for (int i = 0; i < 200; ++i) {
    hipModule_t module = nullptr;
    hipFunction_t function = nullptr;
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
    REQUIRE_HIP(hipModuleGetFunction(&function, module, "nothing"));
    REQUIRE_HIP(launch(function, nullptr, 1));
    REQUIRE_HIP(hipModuleUnload(module));
    functions.push_back(function);
  }
  for (hipFunction_t function : functions)
    REQUIRE(launch(function, nullptr, 1) == hipErrorInvalidResourceHandle);
}
