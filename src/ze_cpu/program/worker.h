// The process that compiles. What a module makes of LLVM (a failed assertion, a loop without end,
// memory without bound) it does there: the program that builds modules gets an answer whatever
// becomes of that process, and goes on with a new one.
//
// Programs notice nothing of it: it is no child of theirs that a wait would find, it holds none of
// their files, and no signal of a terminal reaches it. It ends with its connection, or when it has
// been idle for some seconds. Each thread that compiles has one to itself.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace ze_cpu {

/// The answer to a request (work.h), or why there is none, as text for the build log. Safe from any
/// thread, and in children of fork.
std::expected<std::string, std::string> ask_worker(std::string_view request);

/// What the two processes send each other: a size, in this machine's byte order, and so many bytes.
/// An answer that begins with `worker_died` instead of a size continues with text that says why,
/// and is the last.
inline constexpr uint64_t worker_died = UINT64_MAX;

/// Where the worker finds its connection.
inline constexpr int worker_connection = 3;

/// The largest value of the environment variables that say how much a request may take.
inline constexpr uint64_t largest_limit = 1u << 30;

inline constexpr const char *worker_program = "ze_cpu_compiler";
inline constexpr const char *worker_entry = "ze_cpu_jit_serve";

} // namespace ze_cpu
