// HIP API reference: Texture management and surface objects, as the host sees them.
#include "fixture.h"

#include <cstring>
#include <vector>

// Texture references are deprecated, but there.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace fixture;

namespace {

const hipChannelFormatDesc of_floats = {32, 0, 0, 0, hipChannelFormatKindFloat};
const hipChannelFormatDesc of_ints = {32, 0, 0, 0, hipChannelFormatKindSigned};

struct Resource : hipResourceDesc {
  explicit Resource(hipChannelFormatDesc element = of_floats) : hipResourceDesc() {
    resType = hipResourceTypeArray;
    REQUIRE_HIP(hipMallocArray(&res.array.array, &element, 4, 4, 0));
    array = res.array.array;
  }
  ~Resource() { (void)hipFreeArray(array); }
  Resource(const Resource &) = delete;
  hipArray_t array;
};

hipError_t create(const hipResourceDesc &resource, const hipTextureDesc &texture,
                  const hipResourceViewDesc *view = nullptr) {
  hipTextureObject_t object = nullptr;
  hipError_t result = hipCreateTextureObject(&object, &resource, &texture, view);
  if (result == hipSuccess)
    REQUIRE_HIP(hipDestroyTextureObject(object));
  return result;
}

} // namespace

TEST_CASE("hip textures: resources that do not exist are refused") {
  const hipTextureDesc texture{};
  Resource good;
  CHECK(create(good, texture) == hipSuccess);
  hipTextureObject_t object = nullptr;
  CHECK(hipCreateTextureObject(nullptr, &good, &texture, nullptr) == hipErrorInvalidValue);
  CHECK(hipCreateTextureObject(&object, nullptr, &texture, nullptr) == hipErrorInvalidValue);
  CHECK(hipCreateTextureObject(&object, &good, nullptr, nullptr) == hipErrorInvalidValue);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  CHECK(create(resource, texture) == hipErrorInvalidValue);
  resource.resType = hipResourceTypeMipmappedArray;
  CHECK(create(resource, texture) == hipErrorInvalidValue);
  resource.resType = hipResourceType(9);
  CHECK(create(resource, texture) == hipErrorInvalidValue);
}

TEST_CASE("hip textures: memory has to be aligned, and as long as the texture") {
  const hipTextureDesc texture{};
  char *memory = nullptr;
  REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&memory), 4096));
  hipResourceDesc linear{};
  linear.resType = hipResourceTypeLinear;
  auto make = [&](void *address, size_t bytes, hipChannelFormatDesc element = of_floats) {
    linear.res.linear = {address, element, bytes};
    return create(linear, texture);
  };
  CHECK(make(memory, 4096) == hipSuccess);
  CHECK(make(memory, 4100) == hipErrorInvalidValue);
  CHECK(make(memory, 0) == hipErrorInvalidValue);
  CHECK(make(memory, SIZE_MAX) == hipErrorInvalidValue);
  CHECK(make(memory + 4, 64) == hipErrorInvalidValue);
  CHECK(make(nullptr, 64) == hipErrorInvalidValue);
  CHECK(make(memory, 64, {32, 32, 32, 0, hipChannelFormatKindFloat}) == hipErrorInvalidValue);
  const hipResourceViewDesc view{};
  CHECK(create(linear, texture, &view) == hipErrorInvalidValue);

  hipResourceDesc pitched{};
  pitched.resType = hipResourceTypePitch2D;
  auto make_2d = [&](void *address, size_t width, size_t height, size_t pitch) {
    pitched.res.pitch2D = {address, of_floats, width, height, pitch};
    return create(pitched, texture);
  };
  CHECK(make_2d(memory, 16, 64, 64) == hipSuccess);
  CHECK(make_2d(memory, 16, 65, 64) == hipErrorInvalidValue);
  CHECK(make_2d(memory, 17, 4, 64) == hipErrorInvalidValue);
  CHECK(make_2d(memory, 8, 4, 68) == hipErrorInvalidValue);
  CHECK(make_2d(memory, 0, 4, 64) == hipErrorInvalidValue);
  CHECK(make_2d(memory, 8, 0, 64) == hipErrorInvalidValue);
  CHECK(make_2d(memory, SIZE_MAX, 4, 64) == hipErrorInvalidValue);
  CHECK(make_2d(memory, 8, SIZE_MAX, 64) == hipErrorInvalidValue);
  CHECK(make_2d(memory, 8, 4, SIZE_MAX) == hipErrorInvalidValue);
  CHECK(make_2d(memory + 128, 8, 4, 64) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hip textures: modes that do not exist or make no sense are refused") {
  Resource floats, ints(of_ints);
  hipTextureDesc texture{};
  texture.filterMode = hipFilterModeLinear;
  CHECK(create(floats, texture) == hipSuccess);
  CHECK(create(ints, texture) == hipErrorInvalidValue); // integers cannot be filtered
  texture.filterMode = hipTextureFilterMode(2);
  CHECK(create(floats, texture) == hipErrorInvalidValue);
  texture = {};
  texture.addressMode[2] = hipTextureAddressMode(4);
  CHECK(create(floats, texture) == hipErrorInvalidValue);
  texture = {};
  texture.readMode = hipTextureReadMode(2);
  CHECK(create(floats, texture) == hipErrorInvalidValue);

  hipResourceViewDesc view{};
  texture = {};
  view.format = hipResViewFormatSignedInt1;
  CHECK(create(floats, texture, &view) == hipSuccess);
  view.format = hipResViewFormatFloat2; // elements of another size
  CHECK(create(floats, texture, &view) == hipErrorInvalidValue);
  view.format = hipResViewFormatUnsignedBlockCompressed1;
  CHECK(create(floats, texture, &view) == hipErrorNotSupported);
  view = {};
  view.lastLayer = 1;
  CHECK(create(floats, texture, &view) == hipErrorInvalidValue);
}

TEST_CASE("hip textures: objects tell what they were made of") {
  Resource resource;
  hipTextureDesc texture{};
  texture.addressMode[1] = hipAddressModeBorder;
  texture.borderColor[3] = 0.5f;
  texture.maxMipmapLevelClamp = 2;
  hipResourceViewDesc view{};
  view.format = hipResViewFormatUnsignedInt1;
  view.width = view.height = 4;
  hipTextureObject_t object = nullptr;
  REQUIRE_HIP(hipCreateTextureObject(&object, &resource, &texture, &view));
  hipResourceDesc found_resource{};
  hipTextureDesc found_texture{};
  hipResourceViewDesc found_view{};
  REQUIRE_HIP(hipGetTextureObjectResourceDesc(&found_resource, object));
  REQUIRE_HIP(hipGetTextureObjectTextureDesc(&found_texture, object));
  REQUIRE_HIP(hipGetTextureObjectResourceViewDesc(&found_view, object));
  CHECK(found_resource.res.array.array == resource.array);
  CHECK(std::memcmp(&found_texture, &texture, sizeof texture) == 0);
  CHECK((found_view.format == view.format && found_view.width == 4));
  CHECK(hipGetTextureObjectTextureDesc(nullptr, object) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDestroyTextureObject(object));
  CHECK(hipDestroyTextureObject(object) == hipErrorInvalidValue);
  CHECK(hipGetTextureObjectTextureDesc(&found_texture, object) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDestroyTextureObject(nullptr));
}

TEST_CASE("hip textures: the driver functions mean the same") {
  Resource resource;
  HIP_RESOURCE_DESC driver{};
  driver.resType = HIP_RESOURCE_TYPE_ARRAY;
  driver.res.array.hArray = resource.array;
  HIP_TEXTURE_DESC texture{};
  texture.addressMode[0] = HIP_TR_ADDRESS_MODE_MIRROR;
  texture.flags = HIP_TRSF_NORMALIZED_COORDINATES | HIP_TRSF_READ_AS_INTEGER;
  hipTextureObject_t object = nullptr;
  REQUIRE_HIP(hipTexObjectCreate(&object, &driver, &texture, nullptr));
  hipTextureDesc as_runtime{};
  REQUIRE_HIP(hipGetTextureObjectTextureDesc(&as_runtime, object));
  CHECK((as_runtime.normalizedCoords == 1 && as_runtime.readMode == hipReadModeElementType));
  CHECK(as_runtime.addressMode[0] == hipAddressModeMirror);
  HIP_TEXTURE_DESC back{};
  HIP_RESOURCE_DESC resource_back{};
  HIP_RESOURCE_VIEW_DESC view{};
  REQUIRE_HIP(hipTexObjectGetTextureDesc(&back, object));
  REQUIRE_HIP(hipTexObjectGetResourceDesc(&resource_back, object));
  CHECK(back.flags == texture.flags);
  CHECK(resource_back.res.array.hArray == resource.array);
  CHECK(hipTexObjectGetResourceViewDesc(&view, object) == hipErrorInvalidValue); // it has none
  REQUIRE_HIP(hipTexObjectDestroy(object));
}

TEST_CASE("hip surfaces: a surface is made of an array, and destroyed once") {
  Resource resource;
  hipSurfaceObject_t surface = nullptr;
  REQUIRE_HIP(hipCreateSurfaceObject(&surface, &resource));
  // Surfaces and textures are not the same.
  CHECK(hipDestroyTextureObject(reinterpret_cast<hipTextureObject_t>(surface)) ==
        hipErrorInvalidValue);
  REQUIRE_HIP(hipDestroySurfaceObject(surface));
  CHECK(hipDestroySurfaceObject(surface) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDestroySurfaceObject(nullptr));
  CHECK(hipCreateSurfaceObject(nullptr, &resource) == hipErrorInvalidValue);
  CHECK(hipCreateSurfaceObject(&surface, nullptr) == hipErrorInvalidValue);
  hipResourceDesc other{};
  other.resType = hipResourceTypeLinear;
  CHECK(hipCreateSurfaceObject(&surface, &other) == hipErrorInvalidValue);
  other.resType = hipResourceTypeArray;
  CHECK(hipCreateSurfaceObject(&surface, &other) == hipErrorInvalidHandle);
}

TEST_CASE("hip textures: a module's reference reads what it is set to", "[results]") {
  textureReference *reference = nullptr, *again = nullptr;
  CHECK(hipModuleGetTexRef(&reference, module(), "no_such_reference") == hipErrorNotFound);
  CHECK(hipModuleGetTexRef(nullptr, module(), "reference") == hipErrorInvalidValue);
  REQUIRE_HIP(hipModuleGetTexRef(&reference, module(), "reference"));
  REQUIRE_HIP(hipModuleGetTexRef(&again, module(), "reference"));
  CHECK(reference == again);

  Resource resource;
  std::vector<float> values(16);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(i * i);
  REQUIRE_HIP(
      hipMemcpy2DToArray(resource.array, 0, 0, values.data(), 16, 16, 4, hipMemcpyHostToDevice));
  REQUIRE_HIP(hipTexRefSetAddressMode(reference, 0, hipAddressModeClamp));
  REQUIRE_HIP(hipTexRefSetAddressMode(reference, 1, hipAddressModeClamp));
  CHECK(hipTexRefSetAddressMode(reference, 3, hipAddressModeClamp) == hipErrorInvalidValue);
  REQUIRE_HIP(hipTexRefSetFormat(reference, HIP_AD_FORMAT_FLOAT, 1));
  CHECK(hipTexRefSetArray(reference, resource.array, 0) == hipErrorInvalidValue);
  REQUIRE_HIP(hipTexRefSetArray(reference, resource.array, HIP_TRSA_OVERRIDE_FORMAT));
  HostMemory<float> out(2);
  auto read = [&] {
    REQUIRE_HIP(launch(function("read_reference"), nullptr, 1, out.get()));
    REQUIRE_HIP(hipDeviceSynchronize());
  };
  read(); // at 1.5, 2.5 and at -3, 0.25
  CHECK((out[0] == values[9] && out[1] == values[0]));
  // What is set later takes effect, too.
  float border[4] = {7, 7, 7, 7};
  REQUIRE_HIP(hipTexRefSetBorderColor(reference, border));
  REQUIRE_HIP(hipTexRefSetAddressMode(reference, 0, hipAddressModeBorder));
  read();
  CHECK((out[0] == values[9] && out[1] == 7));

  hipArray_t array = nullptr;
  hipArray_Format format{};
  int channels = 0;
  hipTextureAddressMode mode{};
  REQUIRE_HIP(hipTexRefGetArray(&array, reference));
  REQUIRE_HIP(hipTexRefGetFormat(&format, &channels, reference));
  REQUIRE_HIP(hipTexRefGetAddressMode(&mode, reference, 0));
  CHECK((array == resource.array && format == HIP_AD_FORMAT_FLOAT && channels == 1));
  CHECK(mode == hipAddressModeBorder);
  hipDeviceptr_t address = nullptr;
  CHECK(hipTexRefGetAddress(&address, reference) == hipErrorInvalidValue);

  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, 64 * 4));
  const HIP_ARRAY_DESCRIPTOR rows{4, 4, HIP_AD_FORMAT_FLOAT, 1};
  REQUIRE_HIP(hipMemcpy2D(memory, 64, values.data(), 16, 16, 4, hipMemcpyHostToDevice));
  REQUIRE_HIP(hipTexRefSetAddress2D(reference, &rows, memory, 64));
  read();
  CHECK(out[0] == values[9]);
  REQUIRE_HIP(hipTexRefGetAddress(&address, reference));
  CHECK(address == memory);
  REQUIRE_HIP(hipUnbindTexture(reference));
  CHECK(hipTexRefGetAddress(&address, reference) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hip textures: a reference of an unloaded module is refused") {
  textureReference *dead = nullptr, *reference = nullptr;
  hipModule_t loaded = nullptr;
  Resource resource;
  REQUIRE_HIP(hipModuleLoad(&loaded, TEST_KERNELS));
  REQUIRE_HIP(hipModuleGetTexRef(&dead, loaded, "reference"));
  REQUIRE_HIP(hipTexRefSetArray(dead, resource.array, HIP_TRSA_OVERRIDE_FORMAT));
  REQUIRE_HIP(hipModuleUnload(loaded));
  hipTextureFilterMode mode{};
  hipArray_t array = nullptr;
  float color[4] = {};
  CHECK(hipTexRefSetFilterMode(dead, hipFilterModePoint) == hipErrorInvalidValue);
  CHECK(hipTexRefSetBorderColor(dead, color) == hipErrorInvalidValue);
  CHECK(hipTexRefSetArray(dead, resource.array, HIP_TRSA_OVERRIDE_FORMAT) == hipErrorInvalidValue);
  CHECK(hipTexRefGetFilterMode(&mode, dead) == hipErrorInvalidValue);
  CHECK(hipTexRefGetArray(&array, dead) == hipErrorInvalidValue);
  CHECK(hipBindTextureToArray(dead, resource.array, &of_floats) == hipErrorInvalidValue);
  CHECK(hipUnbindTexture(dead) == hipErrorInvalidValue);
  // Nothing of it is left in the next one.
  REQUIRE_HIP(hipModuleLoad(&loaded, TEST_KERNELS));
  REQUIRE_HIP(hipModuleGetTexRef(&reference, loaded, "reference"));
  CHECK(hipTexRefGetArray(&array, reference) == hipErrorInvalidValue);
  REQUIRE_HIP(hipModuleUnload(loaded));
}

TEST_CASE("hip textures: a reference is bound anew after the device was reset") {
  textureReference *reference = nullptr;
  hipModule_t loaded = nullptr;
  hipArray_t array = nullptr, found = nullptr;
  REQUIRE_HIP(hipModuleLoad(&loaded, TEST_KERNELS));
  REQUIRE_HIP(hipModuleGetTexRef(&reference, loaded, "reference"));
  REQUIRE_HIP(hipMallocArray(&array, &of_floats, 4, 4));
  REQUIRE_HIP(hipTexRefSetArray(reference, array, HIP_TRSA_OVERRIDE_FORMAT));
  REQUIRE_HIP(hipDeviceReset());
  REQUIRE_HIP(hipMallocArray(&array, &of_floats, 4, 4));
  REQUIRE_HIP(hipTexRefSetArray(reference, array, HIP_TRSA_OVERRIDE_FORMAT));
  REQUIRE_HIP(hipTexRefGetArray(&found, reference));
  CHECK(found == array);
  REQUIRE_HIP(hipDeviceReset());
  REQUIRE_HIP(hipUnbindTexture(reference));
  REQUIRE_HIP(hipModuleUnload(loaded));
}
