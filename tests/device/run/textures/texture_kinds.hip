// Textures other than plain ones: linear and pitched memory, layers, cubes, levels, gathered elements, references, views.
#include "texture_test.h"

using namespace texture_test;

texture<float, hipTextureType1D, hipReadModeElementType> linear_reference;
texture<unsigned char, hipTextureType2D, hipReadModeNormalizedFloat> pitched_reference;
static texture<int2, hipTextureType2D, hipReadModeElementType> array_reference;

struct Arguments { // objects are values like any other
  hipTextureObject_t textures[2];
  int which;
};

__global__ void fetch(float *out, Arguments arguments) {
  out[threadIdx.x] = tex1Dfetch<float>(arguments.textures[arguments.which], int(threadIdx.x) - 2);
}
__global__ void fetch_pitched(uchar4 *out, hipTextureObject_t texture) {
  tex2D(out + threadIdx.y * blockDim.x + threadIdx.x, texture, float(threadIdx.x), float(threadIdx.y));
}
__global__ void read_layers(float *out, hipTextureObject_t one, hipTextureObject_t two) {
  const int layer = int(threadIdx.x) - 1; // also outside
  out[2 * threadIdx.x] = tex1DLayered<float>(one, 1.5f, layer);
  out[2 * threadIdx.x + 1] = tex2DLayered<float>(two, 1.5f, 0.5f, layer);
}
__global__ void read_cubes(float *out, hipTextureObject_t cube, hipTextureObject_t cubes, const float4 *at) {
  const float4 d = at[threadIdx.x];
  out[2 * threadIdx.x] = texCubemap<float>(cube, d.x, d.y, d.z);
  out[2 * threadIdx.x + 1] = texCubemapLayered<float>(cubes, d.x, d.y, d.z, 1);
}
__global__ void gather(float4 *out, hipTextureObject_t texture) {
  for (int channel = 0; channel < 4; ++channel)
    out[channel] = tex2Dgather<float4>(texture, 2.0f, 1.0f, channel);
}
__global__ void read_levels(float *out, hipTextureObject_t texture) {
  const float lod = threadIdx.x * 0.25f - 0.5f;
  out[threadIdx.x] = tex2DLod<float>(texture, 0.5f, 0.5f, lod);
}
__global__ void read_gradients(float *out, hipTextureObject_t texture) {
  const float step = float(1 << threadIdx.x) / 8; // of the whole texture
  out[threadIdx.x] = tex2DGrad<float>(texture, 0.5f, 0.5f, float2(step, 0), float2(0, 0.01f));
}
__global__ void read_references(float *out) {
  out[0] = tex1Dfetch(linear_reference, 2);
  out[1] = tex2D(pitched_reference, 1.0f, 1.0f);
  const int2 both = tex2D(array_reference, 1.5f, 0.5f);
  out[2] = float(both.x);
  out[3] = float(both.y);
}
__global__ void read_later(float *out, hipTextureObject_t texture, volatile int *flag) {
  while (*flag == 0) {
  }
  *out = tex1D<float>(texture, 0.5f);
}
__global__ void read_view(unsigned *out, hipTextureObject_t texture) { *out = tex1D<unsigned>(texture, 1.5f); }

void linear_memory() {
  float *memory = nullptr;
  const float values[] = {1, 2, 3, 4, 5}; // the last one is not part of the texture
  CALL(hipMalloc(&memory, sizeof values));
  CALL(hipMemcpy(memory, values, sizeof values, hipMemcpyHostToDevice));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {memory, hipCreateChannelDesc<float>(), 4 * sizeof(float)};
  hipTextureDesc d{};
  Arguments arguments{{}, 1};
  CALL(hipCreateTextureObject(&arguments.textures[1], &resource, &d, nullptr));
  Array<float> out(8);
  fetch<<<1, 8>>>(out.get(), arguments);
  wait();
  for (int i = 0; i < 8; ++i)
    CHECK(out[i] == (i < 2 || i >= 6 ? 0 : values[i - 2]));
  CALL(hipDestroyTextureObject(arguments.textures[1]));
  CALL(hipFree(memory));
}

void pitched_memory() {
  constexpr int width = 5, height = 3;
  void *memory = nullptr;
  size_t pitch = 0;
  CALL(hipMallocPitch(&memory, &pitch, width * sizeof(uchar4), height));
  std::vector<uchar4> values(width * height);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = uchar4(i, i * 2, i * 3, i * 4);
  CALL(hipMemcpy2D(memory, pitch, values.data(), width * sizeof(uchar4), width * sizeof(uchar4), height,
                   hipMemcpyHostToDevice));
  hipResourceDesc resource{};
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {memory, hipCreateChannelDesc<uchar4>(), width, height, pitch};
  hipTextureDesc d{};
  hipTextureObject_t texture = nullptr;
  CALL(hipCreateTextureObject(&texture, &resource, &d, nullptr));
  Array<uchar4> out(values.size());
  fetch_pitched<<<1, dim3(width, height)>>>(out.get(), texture);
  wait();
  int wrong = 0;
  for (size_t i = 0; i < values.size(); ++i)
    wrong += out[i] != values[i];
  CHECK(wrong == 0);
  CALL(hipDestroyTextureObject(texture));
  CALL(hipFree(memory));
}

std::vector<float> counted(size_t n) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i)
    values[i] = float(i);
  return values;
}

void layers() {
  const hipTextureDesc d = description(hipFilterModePoint, false);
  Texture one(counted(4 * 3), {4, 0, 3}, d, hipArrayLayered);
  Texture two(counted(4 * 2 * 3), {4, 2, 3}, d, hipArrayLayered);
  Array<float> out(10);
  read_layers<<<1, 5>>>(out.get(), one.object, two.object);
  wait();
  for (int i = 0; i < 5; ++i) {
    const int layer = std::min(std::max(i - 1, 0), 2);
    CHECK(out[2 * i] == float(layer * 4 + 1));
    CHECK(out[2 * i + 1] == float(layer * 8 + 1));
  }
}

/// The faces in their order, and the direction in which each one's coordinates grow.
void cubes() {
  constexpr int n = 4;
  const hipTextureDesc d = description(hipFilterModePoint, true);
  Texture cube(counted(n * n * 6), {n, n, 6}, d, hipArrayCubemap);
  Texture two(counted(n * n * 12), {n, n, 12}, d, hipArrayCubemap | hipArrayLayered);
  // For each face, its direction, that of s and that of t (CUDA programming guide, cubemap textures).
  const float axes[6][3][3] = {
      {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},  {{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
      {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},    {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
      {{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},   {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}}};
  Array<float4> directions(6 * n * n);
  for (int face = 0; face < 6; ++face)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const float s = (i + 0.5f) / n * 2 - 1, t = (j + 0.5f) / n * 2 - 1;
        float v[3];
        for (int c = 0; c < 3; ++c) // of any length
          v[c] = 3 * (axes[face][0][c] + s * axes[face][1][c] + t * axes[face][2][c]);
        directions[(face * n + j) * n + i] = float4(v[0], v[1], v[2], 0);
      }
  Array<float> out(2 * directions.size());
  read_cubes<<<1, unsigned(directions.size())>>>(out.get(), cube.object, two.object, directions.get());
  wait();
  int wrong = 0;
  for (size_t i = 0; i < directions.size(); ++i)
    wrong += out[2 * i] != float(i) || out[2 * i + 1] != float(i + 6 * n * n);
  CHECK(wrong == 0);

  // Between faces.
  const float between[][4] = {{1, 1, 1, 4}, {-1, 1, -1, 5}, {2, 2, 0, 2}, {2, -2, 1, 3}, {2, 0, -2, 5}};
  for (int i = 0; i < 5; ++i)
    directions[i] = float4(between[i][0], between[i][1], between[i][2], 0);
  read_cubes<<<1, 5>>>(out.get(), cube.object, two.object, directions.get());
  wait();
  for (int i = 0; i < 5; ++i)
    CHECK(int(out[2 * i]) / (n * n) == int(between[i][3]));

  // A face has no border, whatever the address mode says.
  hipTextureDesc with_border = description(hipFilterModeLinear, true, hipAddressModeBorder);
  with_border.borderColor[0] = 1000;
  Texture ones(std::vector<float>(n * n * 6, 1), {n, n, 6}, with_border, hipArrayCubemap);
  read_cubes<<<1, 5>>>(out.get(), ones.object, two.object, directions.get());
  wait();
  for (int i = 0; i < 5; ++i)
    CHECK(out[2 * i] == 1);
}

void gathered() {
  std::vector<float4> values;
  for (int i = 0; i < 4 * 2; ++i)
    values.push_back(float4(i, 10 + i, 20 + i, 30 + i));
  Texture texture(values, {4, 2, 0}, description(hipFilterModePoint, false), hipArrayTextureGather);
  Array<float4> out(4);
  gather<<<1, 1>>>(out.get(), texture.object);
  wait();
  for (int c = 0; c < 4; ++c) // columns 1 and 2, rows 0 and 1
    CHECK(out[c] == float4(5, 6, 2, 1) + float4(10.0f * c));
}

/// Four levels, each of one value.
class Levels {
public:
  explicit Levels(const hipTextureDesc &d) {
    const hipChannelFormatDesc element = hipCreateChannelDesc<float>();
    CALL(hipMallocMipmappedArray(&array_, &element, {8, 8, 0}, 4, 0));
    for (unsigned level = 0; level < 4; ++level) {
      hipArray_t one = nullptr;
      CALL(hipGetMipmappedArrayLevel(&one, array_, level));
      const std::vector<float> values(64 >> 2 * level, float(level * 10));
      Texture::fill(one, values.data(), {size_t(8) >> level, size_t(8) >> level, 0});
    }
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = array_;
    CALL(hipCreateTextureObject(&object, &resource, &d, nullptr));
  }
  ~Levels() {
    CALL(hipDestroyTextureObject(object));
    CALL(hipFreeMipmappedArray(array_));
  }
  Levels(const Levels &) = delete;
  hipTextureObject_t object = nullptr;

private:
  hipMipmappedArray_t array_ = nullptr;
};

void levels() {
  for (bool linear : {false, true})
    for (float bias : {0.0f, 1.0f}) {
      hipTextureDesc d = description(hipFilterModeLinear, true);
      d.mipmapFilterMode = linear ? hipFilterModeLinear : hipFilterModePoint;
      d.mipmapLevelBias = bias;
      d.minMipmapLevelClamp = 0.25f;
      d.maxMipmapLevelClamp = 2.5f;
      Levels texture(d);
      constexpr unsigned n = 20;
      Array<float> out(n);
      read_levels<<<1, n>>>(out.get(), texture.object);
      wait();
      for (unsigned i = 0; i < n; ++i) {
        const float lod = std::min(std::max(i * 0.25f - 0.5f + bias, 0.25f), 2.5f);
        const float expected = 10 * (linear ? lod : std::floor(lod + 0.5f));
        CHECK(close(out[i], expected, 1e-3));
      }
    }
  hipTextureDesc d = description(hipFilterModeLinear, true);
  d.mipmapFilterMode = hipFilterModeLinear;
  d.maxMipmapLevelClamp = 3;
  Levels texture(d);
  Array<float> out(4);
  read_gradients<<<1, 4>>>(out.get(), texture.object);
  wait();
  for (int i = 0; i < 4; ++i) // a step of one element, of two, of four, of eight
    CHECK(close(out[i], i * 10, 0.05));
}

#pragma clang diagnostic ignored "-Wdeprecated-declarations"
void references() {
  float *memory = nullptr;
  const float values[] = {1, 2, 33, 4};
  CALL(hipMalloc(&memory, sizeof values));
  CALL(hipMemcpy(memory, values, sizeof values, hipMemcpyHostToDevice));
  size_t offset = 77;
  CALL(hipBindTexture(&offset, linear_reference, memory, sizeof values));
  CHECK(offset == 0);

  unsigned char *rows = nullptr;
  size_t pitch = 0;
  CALL(hipMallocPitch(reinterpret_cast<void **>(&rows), &pitch, 2, 2));
  const unsigned char bytes[] = {0, 0, 0, 51};
  CALL(hipMemcpy2D(rows, pitch, bytes, 2, 2, 2, hipMemcpyHostToDevice));
  CALL(hipBindTexture2D(&offset, pitched_reference, rows, 2, 2, pitch));

  const hipChannelFormatDesc element = hipCreateChannelDesc<int2>();
  hipArray_t array = nullptr;
  CALL(hipMallocArray(&array, &element, 2, 1));
  const int2 pairs[] = {{1, 2}, {-3, 4}};
  CALL(hipMemcpy2DToArray(array, 0, 0, pairs, sizeof pairs, sizeof pairs, 1, hipMemcpyHostToDevice));
  CALL(hipBindTextureToArray(array_reference, array));

  Array<float> out(4);
  read_references<<<1, 1>>>(out.get());
  wait();
  CHECK(out[0] == 33);
  CHECK(close(out[1], 0.2, 1e-6));
  CHECK(out[2] == -3);
  CHECK(out[3] == 4);

  // Bound anew, with memory that is not aligned as objects want it.
  CALL(hipBindTexture(nullptr, linear_reference, memory + 1, 3 * sizeof(float)));
  read_references<<<1, 1>>>(out.get());
  wait();
  CHECK(out[0] == 4);

  const textureReference *found = nullptr;
  CALL(hipGetTextureReference(&found, &linear_reference));
  CHECK(found == &linear_reference);
  CHECK(hipGetTextureReference(&found, &values) == hipErrorInvalidSymbol);
  (void)hipGetLastError();
  CALL(hipUnbindTexture(linear_reference));
  CALL(hipUnbindTexture(pitched_reference));
  CALL(hipUnbindTexture(array_reference));
  CALL(hipFreeArray(array));
  CALL(hipFree(rows));
  CALL(hipFree(memory));
}

/// A view gives the elements another format, and shows some of the layers.
void views() {
  const hipTextureDesc d = description(hipFilterModePoint, false);
  const std::vector<float> values{1, 2, 3, 4};
  Texture texture(values, {4, 0, 0}, d);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = texture.array();
  hipResourceViewDesc view{};
  view.format = hipResViewFormatUnsignedInt1;
  view.width = 4;
  hipTextureObject_t object = nullptr;
  CALL(hipCreateTextureObject(&object, &resource, &d, &view));
  Array<unsigned> out(1);
  read_view<<<1, 1>>>(out.get(), object);
  wait();
  CHECK(out[0] == 0x40000000);
  CALL(hipDestroyTextureObject(object));

  Texture layered(counted(4 * 3), {4, 0, 3}, d, hipArrayLayered);
  resource.res.array.array = layered.array();
  view = {};
  view.firstLayer = 1;
  view.lastLayer = 2;
  CALL(hipCreateTextureObject(&object, &resource, &d, &view));
  Array<float> two(10);
  read_layers<<<1, 4>>>(two.get(), object, layered.object);
  wait();
  CHECK(two[2] == 5); // its layer 0
  CHECK(two[6] == 9); // the last one
  CALL(hipDestroyTextureObject(object));
}

/// A kernel reads through an object that is destroyed meanwhile, while others are made.
void destroyed_in_use() {
  const hipTextureDesc d = description(hipFilterModePoint, false);
  Texture first(std::vector<float>(4, 1.0f), {4, 0, 0}, d), second(std::vector<float>(4, 2.0f), {4, 0, 0}, d);
  auto make = [&](const Texture &of) {
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = of.array();
    hipTextureObject_t object = nullptr;
    CALL(hipCreateTextureObject(&object, &resource, &d, nullptr));
    return object;
  };
  hipStream_t stream = nullptr;
  CALL(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  int *flag = nullptr;
  float *out = nullptr;
  CALL(hipHostMalloc(reinterpret_cast<void **>(&flag), sizeof *flag, 0));
  CALL(hipHostMalloc(reinterpret_cast<void **>(&out), sizeof *out, 0));
  *flag = 0;
  *out = 0;
  hipTextureObject_t used = make(first);
  read_later<<<1, 1, 0, stream>>>(out, used, flag);
  CALL(hipDestroyTextureObject(used));
  std::vector<hipTextureObject_t> others;
  for (int i = 0; i < 100; ++i)
    others.push_back(make(second));
  *static_cast<volatile int *>(flag) = 1;
  CALL(hipStreamSynchronize(stream));
  CHECK(*out == 1);
  for (hipTextureObject_t object : others)
    CALL(hipDestroyTextureObject(object));
  CALL(hipStreamDestroy(stream));
  CALL(hipHostFree(flag));
  CALL(hipHostFree(out));
}

/// Places of objects are used again.
void many() {
  const hipTextureDesc d = description(hipFilterModePoint, false);
  Array<float> out(300 * 2);
  std::vector<std::vector<float>> values;
  Texture other(counted(8), {4, 2, 0}, d);
  for (int i = 0; i < 300; ++i) {
    Texture texture(std::vector<float>(4, float(i)), {4, 0, 0}, d);
    read_layers<<<1, 1>>>(out.get() + 2 * i, texture.object, other.object);
  }
  wait();
  int wrong = 0;
  for (int i = 0; i < 300; ++i)
    wrong += out[2 * i] != float(i);
  CHECK(wrong == 0);
}

int main() {
  linear_memory();
  pitched_memory();
  layers();
  cubes();
  gathered();
  levels();
  references();
  views();
  destroyed_in_use();
  many();
  return result();
}
