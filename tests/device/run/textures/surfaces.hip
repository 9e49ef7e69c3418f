// Surfaces: what kernels write is what copies, textures and other kernels read; accesses outside.
#include "texture_test.h"

using namespace texture_test;

__global__ void write_all(hipSurfaceObject_t one, hipSurfaceObject_t two, hipSurfaceObject_t three, int width,
                          int height, int depth) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  const int bytes = x * int(sizeof(float2));
  if (y == 0 && z == 0)
    surf1Dwrite(float2(x, -x), one, bytes);
  if (z == 0)
    surf2Dwrite(float2(x, y), two, bytes, y);
  surf3Dwrite(float2(x + 10 * y, z), three, bytes, y, z);
}
__global__ void add_layers(hipSurfaceObject_t one, hipSurfaceObject_t two, hipSurfaceObject_t cube,
                           hipSurfaceObject_t cubes) {
  const int x = threadIdx.x * int(sizeof(short)), i = threadIdx.y;
  short value;
  surf1DLayeredread(&value, one, x, i);
  surf1DLayeredwrite(short(value + 1), one, x, i);
  surf2DLayeredread(&value, two, x, 1, i);
  surf2DLayeredwrite(short(value + 2), two, x, 1, i);
  surfCubemapread(&value, cube, x, 1, i);
  surfCubemapwrite(short(value + 3), cube, x, 1, i);
  surfCubemapLayeredread(&value, cubes, x, 1, i, 1);
  surfCubemapLayeredwrite(short(value + 4), cubes, x, 1, i, 1);
}
__global__ void outside(int *out, hipSurfaceObject_t surface) {
  const int at[][2] = {{-4, 0}, {16, 0}, {0, -1}, {0, 2}, {14, 0}};
  for (int i = 0; i < 5; ++i) {
    surf2Dwrite(1000, surface, at[i][0], at[i][1]);
    surf2Dwrite(1000, surface, at[i][0], at[i][1], hipBoundaryModeZero);
    out[2 * i] = surf2Dread<int>(surface, at[i][0], at[i][1]);
    surf2Dread(out + 2 * i + 1, surface, at[i][0], at[i][1], hipBoundaryModeClamp);
  }
}
__global__ void write_bytes(hipSurfaceObject_t surface) {
  surf1Dwrite(uchar4(1, 2, 3, 4), surface, 4);
  surf1Dwrite(static_cast<unsigned char>(9), surface, 1); // an access need not be a whole element
}

class Surface {
public:
  template <class T> Surface(const std::vector<T> &elements, hipExtent extent, unsigned flags = 0) : extent_(extent) {
    const hipChannelFormatDesc element = hipCreateChannelDesc<T>();
    CALL(hipMalloc3DArray(&array_, &element, extent, flags | hipArraySurfaceLoadStore));
    Texture::fill(array_, elements.data(), extent);
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array_;
    CALL(hipCreateSurfaceObject(&object, &resource));
  }
  ~Surface() {
    CALL(hipDestroySurfaceObject(object));
    CALL(hipFreeArray(array_));
  }
  Surface(const Surface &) = delete;

  template <class T> std::vector<T> read() const {
    const size_t height = extent_.height ? extent_.height : 1, depth = extent_.depth ? extent_.depth : 1;
    std::vector<T> elements(extent_.width * height * depth);
    hipMemcpy3DParms copy{};
    copy.srcArray = array_;
    copy.dstPtr = make_hipPitchedPtr(elements.data(), extent_.width * sizeof(T), extent_.width, height);
    copy.extent = {extent_.width, height, depth};
    copy.kind = hipMemcpyDeviceToHost;
    CALL(hipMemcpy3D(&copy));
    return elements;
  }
  hipSurfaceObject_t object = nullptr;

private:
  hipArray_t array_ = nullptr;
  hipExtent extent_;
};

int main() {
  {
    constexpr int w = 5, h = 4, d = 3;
    Surface one(std::vector<float2>(w, float2(0)), {w, 0, 0}), two(std::vector<float2>(w * h, float2(0)), {w, h, 0}),
        three(std::vector<float2>(w * h * d, float2(0)), {w, h, d});
    write_all<<<1, dim3(w, h, d)>>>(one.object, two.object, three.object, w, h, d);
    wait();
    auto a = one.read<float2>(), b = two.read<float2>(), c = three.read<float2>();
    int wrong = 0;
    for (int x = 0; x < w; ++x) {
      wrong += a[x] != float2(x, -x);
      for (int y = 0; y < h; ++y) {
        wrong += b[y * w + x] != float2(x, y);
        for (int z = 0; z < d; ++z)
          wrong += c[(z * h + y) * w + x] != float2(x + 10 * y, z);
      }
    }
    CHECK(wrong == 0);
  }
  {
    constexpr int n = 4;
    std::vector<short> values(n * n * 12);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = short(i);
    Surface one(values, {n, 0, 6}, hipArrayLayered), two(values, {n, n, 6}, hipArrayLayered),
        cube(values, {n, n, 6}, hipArrayCubemap), cubes(values, {n, n, 12}, hipArrayCubemap | hipArrayLayered);
    add_layers<<<1, dim3(n, 6)>>>(one.object, two.object, cube.object, cubes.object);
    wait();
    auto a = one.read<short>(), b = two.read<short>(), c = cube.read<short>(), e = cubes.read<short>();
    int wrong = 0;
    for (size_t i = 0; i < a.size(); ++i)
      wrong += a[i] != short(i + 1);
    for (size_t i = 0; i < b.size(); ++i) {
      const bool row = i / n % n == 1;
      wrong += b[i] != short(i + (row ? 2 : 0));
      wrong += c[i] != short(i + (row ? 3 : 0));
    }
    for (size_t i = 0; i < e.size(); ++i)
      wrong += e[i] != short(i + (i / n % n == 1 && i >= 6 * n * n ? 4 : 0));
    CHECK(wrong == 0);
  }
  {
    Surface surface(std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8}, {4, 2, 0});
    Array<int> out(10);
    outside<<<1, 1>>>(out.get(), surface.object);
    wait();
    const int clamped[] = {1, 4, 1, 5, 4};
    for (int i = 0; i < 5; ++i) {
      CHECK(out[2 * i] == 0);
      CHECK(out[2 * i + 1] == clamped[i]);
    }
    CHECK(surface.read<int>() == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  }
  {
    Surface surface(std::vector<uchar4>(2, uchar4(0)), {2, 0, 0});
    write_bytes<<<1, 1>>>(surface.object);
    wait();
    auto values = surface.read<uchar4>();
    CHECK(values[0] == uchar4(0, 9, 0, 0));
    CHECK(values[1] == uchar4(1, 2, 3, 4));
  }
  return result();
}
