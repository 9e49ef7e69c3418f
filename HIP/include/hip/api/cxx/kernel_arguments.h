/// The addresses of a kernel's arguments, from the arguments themselves.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hip_impl {

#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__

// Device code launches nothing, and kernels have a calling convention of their own in it.
template <class __Kernel, class __Actuals, class __Launch>
inline void with_kernel_arguments(__Kernel, __Actuals, __Launch) {}

#else

template <std::size_t n, class __Formals,
          typename std::enable_if<n == std::tuple_size<__Formals>::value>::type * = nullptr>
inline void collect_addresses(__Formals &, void **) {}

template <std::size_t n, class __Formals,
          typename std::enable_if<n != std::tuple_size<__Formals>::value>::type * = nullptr>
inline void collect_addresses(__Formals &arguments, void **addresses) {
  using __Argument = typename std::tuple_element<n, __Formals>::type;
  static_assert(!std::is_reference<__Argument>::value, "a kernel cannot take a reference");
#ifdef HIP_STRICT
  static_assert(std::is_trivially_copyable<__Argument>::value,
                "a kernel can only take what can be copied byte by byte");
#endif
  addresses[n] = const_cast<void *>(static_cast<const volatile void *>(&std::get<n>(arguments)));
  collect_addresses<n + 1>(arguments, addresses);
}

/// Converts `actuals` to what the kernel takes, and calls `launch(function, addresses)`.
template <class... __Formals, class... __Actuals, class __Launch>
inline void with_kernel_arguments(void (*kernel)(__Formals...), std::tuple<__Actuals...> actuals,
                                  __Launch launch) {
  static_assert(sizeof...(__Formals) == sizeof...(__Actuals),
                "a kernel is launched with as many arguments as it has parameters");
  std::tuple<__Formals...> arguments{std::move(actuals)};
  void *addresses[sizeof...(__Formals) + 1] = {};
  collect_addresses<0>(arguments, addresses);
  launch(reinterpret_cast<const void *>(kernel), addresses);
}

#endif

} // namespace hip_impl
