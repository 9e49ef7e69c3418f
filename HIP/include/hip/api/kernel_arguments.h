/// The addresses of a kernel's arguments, from the arguments themselves.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hip_impl {

#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__

// Device code launches nothing, and kernels have a calling convention of their own in it.
template <class Kernel, class Actuals, class Launch>
inline void with_kernel_arguments(Kernel, Actuals, Launch) {}

#else

template <std::size_t n, class Formals,
          typename std::enable_if<n == std::tuple_size<Formals>::value>::type * = nullptr>
inline void collect_addresses(Formals &, void **) {}

template <std::size_t n, class Formals,
          typename std::enable_if<n != std::tuple_size<Formals>::value>::type * = nullptr>
inline void collect_addresses(Formals &arguments, void **addresses) {
  using Argument = typename std::tuple_element<n, Formals>::type;
  static_assert(!std::is_reference<Argument>::value, "a kernel cannot take a reference");
#ifdef HIP_STRICT
  static_assert(std::is_trivially_copyable<Argument>::value,
                "a kernel can only take what can be copied byte by byte");
#endif
  addresses[n] = const_cast<void *>(static_cast<const volatile void *>(&std::get<n>(arguments)));
  collect_addresses<n + 1>(arguments, addresses);
}

/// Converts `actuals` to what the kernel takes, and calls `launch(function, addresses)`.
template <class... Formals, class... Actuals, class Launch>
inline void with_kernel_arguments(void (*kernel)(Formals...), std::tuple<Actuals...> actuals,
                                  Launch launch) {
  static_assert(sizeof...(Formals) == sizeof...(Actuals),
                "a kernel is launched with as many arguments as it has parameters");
  std::tuple<Formals...> arguments{std::move(actuals)};
  void *addresses[sizeof...(Formals) + 1] = {};
  collect_addresses<0>(arguments, addresses);
  launch(reinterpret_cast<const void *>(kernel), addresses);
}

#endif

} // namespace hip_impl
