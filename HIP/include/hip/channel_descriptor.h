/// Descriptions of array elements, from numbers or from a type.
#ifndef HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H
#define HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H

#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>
#include <hip/driver_types.h>
#include <hip/hip_vector_types.h>

HIP_API_BEGIN

/// Returns the description of an element whose four channels have this many bits each, where 0
/// stands for a channel that is absent. `f` says whether the channels are signed, unsigned or
/// floating point. The description is checked when it is used.
/// Errors: none; the function returns a description.
/// Stream: @none. Capture: @allowed.
struct hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                 enum hipChannelFormatKind f);

HIP_API_END

#ifdef __cplusplus

namespace hip_impl {

/// How a channel of this type is read; types that are not listed cannot be read.
template <class T> struct __ChannelKind {
  static constexpr hipChannelFormatKind value = hipChannelFormatKindNone;
};
template <hipChannelFormatKind kind> struct __ChannelKindIs {
  static constexpr hipChannelFormatKind value = kind;
};
template <> struct __ChannelKind<char> : __ChannelKindIs<hipChannelFormatKindSigned> {};
template <> struct __ChannelKind<signed char> : __ChannelKindIs<hipChannelFormatKindSigned> {};
template <> struct __ChannelKind<short> : __ChannelKindIs<hipChannelFormatKindSigned> {};
template <> struct __ChannelKind<int> : __ChannelKindIs<hipChannelFormatKindSigned> {};
template <> struct __ChannelKind<unsigned char> : __ChannelKindIs<hipChannelFormatKindUnsigned> {};
template <> struct __ChannelKind<unsigned short> : __ChannelKindIs<hipChannelFormatKindUnsigned> {};
template <> struct __ChannelKind<unsigned int> : __ChannelKindIs<hipChannelFormatKindUnsigned> {};
template <> struct __ChannelKind<float> : __ChannelKindIs<hipChannelFormatKindFloat> {};

template <class __Channel> inline hipChannelFormatDesc channel_desc(int channels) {
  if (__ChannelKind<__Channel>::value == hipChannelFormatKindNone || channels == 3)
    return hipCreateChannelDesc(0, 0, 0, 0, hipChannelFormatKindNone);
  const int bits = static_cast<int>(sizeof(__Channel) * 8);
  return hipCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                              channels > 3 ? bits : 0, __ChannelKind<__Channel>::value);
}

/// The channels of T: of the overloads that T's members allow, the one that wants the highest
/// number.
template <int n> struct __AtLeast : __AtLeast<n - 1> {};
template <> struct __AtLeast<1> {};

template <class T> hipChannelFormatDesc channel_desc_of(__AtLeast<1>) { return channel_desc<T>(1); }
template <class T> auto channel_desc_of(__AtLeast<2>) -> decltype(T::x, hipChannelFormatDesc()) {
  return channel_desc<decltype(T::x)>(1);
}
template <class T> auto channel_desc_of(__AtLeast<3>) -> decltype(T::y, hipChannelFormatDesc()) {
  return channel_desc<decltype(T::x)>(2);
}
template <class T> auto channel_desc_of(__AtLeast<4>) -> decltype(T::z, hipChannelFormatDesc()) {
  return channel_desc<decltype(T::x)>(3);
}
template <class T> auto channel_desc_of(__AtLeast<5>) -> decltype(T::w, hipChannelFormatDesc()) {
  return channel_desc<decltype(T::x)>(4);
}

} // namespace hip_impl

/// The element of an array of T: a number of 8, 16 or 32 bits, or a vector of one, two or four. Any
/// other type gives the kind "none".
template <typename T> static inline hipChannelFormatDesc hipCreateChannelDesc() {
  return hip_impl::channel_desc_of<T>(hip_impl::__AtLeast<5>());
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf() {
  return hipCreateChannelDesc(16, 0, 0, 0, hipChannelFormatKindFloat);
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf1() {
  return hipCreateChannelDesc(16, 0, 0, 0, hipChannelFormatKindFloat);
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf2() {
  return hipCreateChannelDesc(16, 16, 0, 0, hipChannelFormatKindFloat);
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf4() {
  return hipCreateChannelDesc(16, 16, 16, 16, hipChannelFormatKindFloat);
}

#endif

#endif
