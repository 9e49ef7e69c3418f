/// roctx: marks and ranges by which a program says to profilers what it is doing. For C and C++; link
/// with -lroctx64. Where no tool listens, a call costs next to nothing. A message has to live as long as
/// the call only; a null one is an empty one.
#ifndef CHIP_INCLUDE_ROCTRACER_ROCTX_H
#define CHIP_INCLUDE_ROCTRACER_ROCTX_H

#include <stdint.h>

#define ROCTX_VERSION_MAJOR 4
#define ROCTX_VERSION_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

/// The version of the library that is loaded. It has what this header declares if its major version is
/// ROCTX_VERSION_MAJOR and its minor version is at least ROCTX_VERSION_MINOR.
uint32_t roctx_version_major(void);
uint32_t roctx_version_minor(void);

/// Marks this moment.
void roctxMarkA(const char *message);
#define roctxMark(message) roctxMarkA(message)

/// Begins a range of the calling thread, inside of those that the thread has not ended yet. Returns how
/// many these are: 0 for the outermost.
int roctxRangePushA(const char *message);
#define roctxRangePush(message) roctxRangePushA(message)

/// Ends the innermost range of the calling thread. Returns what roctxRangePushA() returned for it, or -1 if
/// the thread has none.
int roctxRangePop(void);

/// Names a range of the process.
typedef uint64_t roctx_range_id_t;

/// Begins a range that any thread may end, whatever other ranges there are. Returns a number, never 0, that
/// no other range of the process has.
roctx_range_id_t roctxRangeStartA(const char *message);
#define roctxRangeStart(message) roctxRangeStartA(message)

/// Ends the range that roctxRangeStartA() returned `id` for. A number that it has not returned is ignored.
void roctxRangeStop(roctx_range_id_t id);

#ifdef __cplusplus
}
#endif

#endif
