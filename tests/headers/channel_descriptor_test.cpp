// hipCreateChannelDesc<T>: which element a C++ type makes.
#include <hip/hip_runtime_api.h>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
  return {x, y, z, w, f};
}

namespace {

template <class T> struct Vector1 {
  T x;
};
template <class T> struct Vector2 {
  T x, y;
};
template <class T> struct Vector3 {
  T x, y, z;
};
template <class T> struct Vector4 {
  T x, y, z, w;
};
/// Vector types may keep their members in an unnamed union.
struct UnionVector {
  union {
    struct {
      short x, y;
    };
    short data[2];
  };
};

template <class T> std::array<int, 5> description() {
  const hipChannelFormatDesc d = hipCreateChannelDesc<T>();
  return {d.x, d.y, d.z, d.w, d.f};
}

constexpr std::array<int, 5> none = {0, 0, 0, 0, hipChannelFormatKindNone};

} // namespace

TEST_CASE("headers: a number is an element of one channel") {
  CHECK(description<char>() == std::array<int, 5>{8, 0, 0, 0, hipChannelFormatKindSigned});
  CHECK(description<signed char>() == std::array<int, 5>{8, 0, 0, 0, hipChannelFormatKindSigned});
  CHECK(description<unsigned char>() ==
        std::array<int, 5>{8, 0, 0, 0, hipChannelFormatKindUnsigned});
  CHECK(description<short>() == std::array<int, 5>{16, 0, 0, 0, hipChannelFormatKindSigned});
  CHECK(description<unsigned short>() ==
        std::array<int, 5>{16, 0, 0, 0, hipChannelFormatKindUnsigned});
  CHECK(description<int>() == std::array<int, 5>{32, 0, 0, 0, hipChannelFormatKindSigned});
  CHECK(description<unsigned int>() ==
        std::array<int, 5>{32, 0, 0, 0, hipChannelFormatKindUnsigned});
  CHECK(description<float>() == std::array<int, 5>{32, 0, 0, 0, hipChannelFormatKindFloat});
}

TEST_CASE("headers: a vector of one, two or four is an element with as many channels") {
  CHECK(description<Vector1<float>>() ==
        std::array<int, 5>{32, 0, 0, 0, hipChannelFormatKindFloat});
  CHECK(description<Vector2<unsigned char>>() ==
        std::array<int, 5>{8, 8, 0, 0, hipChannelFormatKindUnsigned});
  CHECK(description<Vector4<short>>() ==
        std::array<int, 5>{16, 16, 16, 16, hipChannelFormatKindSigned});
  CHECK(description<UnionVector>() == std::array<int, 5>{16, 16, 0, 0, hipChannelFormatKindSigned});
}

#ifdef HIP_TEST_VECTOR_TYPES
TEST_CASE("headers: HIP's own vectors are elements") {
  CHECK(description<uchar1>() == std::array<int, 5>{8, 0, 0, 0, hipChannelFormatKindUnsigned});
  CHECK(description<short2>() == std::array<int, 5>{16, 16, 0, 0, hipChannelFormatKindSigned});
  CHECK(description<uint4>() == std::array<int, 5>{32, 32, 32, 32, hipChannelFormatKindUnsigned});
  CHECK(description<float4>() == std::array<int, 5>{32, 32, 32, 32, hipChannelFormatKindFloat});
  CHECK(description<float3>() == none);
}
#endif

TEMPLATE_TEST_CASE("headers: what no texture reads is no element", "", Vector3<float>, double, long,
                   unsigned long long, Vector2<double>, Vector4<long>, int *) {
  CHECK(description<TestType>() == none);
}

TEST_CASE("headers: half precision is a float of 16 bits") {
  const hipChannelFormatDesc one = hipCreateChannelDescHalf1(), two = hipCreateChannelDescHalf2(),
                             four = hipCreateChannelDescHalf4();
  CHECK((one.x == 16 && one.y == 0 && one.f == hipChannelFormatKindFloat));
  CHECK((two.y == 16 && two.z == 0 && two.f == hipChannelFormatKindFloat));
  CHECK((four.w == 16 && four.f == hipChannelFormatKindFloat));
  CHECK(hipCreateChannelDescHalf().x == 16);
}

TEST_CASE("headers: a texture reference starts with its type's element and unbound") {
  const texture<unsigned short, hipTextureType2D> reference(1, hipFilterModeLinear,
                                                            hipAddressModeWrap);
  CHECK(reference.normalized == 1);
  CHECK(reference.filterMode == hipFilterModeLinear);
  CHECK(reference.addressMode[2] == hipAddressModeWrap);
  CHECK(reference.readMode == hipReadModeElementType);
  CHECK(reference.channelDesc.x == 16);
  CHECK(reference.channelDesc.f == hipChannelFormatKindUnsigned);
  CHECK(reference.textureObject == nullptr);
}
