// How a tool that observes programs, such as a profiler, attaches to libCHIP: the whole interface, in C, without other headers
// of libCHIP.
//
// CHIP_TOOL=/full/path/tool.so names it. libCHIP loads it as it is itself loaded, before the program's first call of HIP, and
// calls its chip_tool_attach(), once in a process. Structures only ever grow at their end: a tool looks at `size` before it reads
// what is newer than the version that it was compiled for.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CHIP_TOOL_VERSION 1

enum chip_tool_work_kind {
  CHIP_TOOL_WORK_KERNEL = 0,
  CHIP_TOOL_WORK_COPY = 1,
  CHIP_TOOL_WORK_FILL = 2,
  CHIP_TOOL_WORK_HOST_FUNCTION = 3,
  CHIP_TOOL_WORK_GRAPH = 4, /* a recorded part of a graph, run as one command */
  CHIP_TOOL_WORK_OTHER = 5  /* a later version may have further kinds */
};

/* A piece of work that a device has completed. Times are nanoseconds of CLOCK_MONOTONIC. */
struct chip_tool_work {
  size_t size;     /* of this structure */
  uint32_t kind;   /* enum chip_tool_work_kind */
  uint32_t device; /* HIP's number of the device */
  uint64_t
      stream; /* a number of the stream's queue, which no other queue of the process has meanwhile */
  uint64_t correlation; /* what *correlation_of_thread() of the submitting thread was */
  uint64_t submit_ns;   /* when the host submitted it, */
  uint64_t start_ns;    /* when the device began, */
  uint64_t end_ns;      /* and when it was done */
  uint64_t bytes;       /* of a copy or a fill, else 0 */
  const char *
      name; /* of a kernel, as its code has it (C++: mangled); else null. As long as the callback runs */
};

/* Called from any thread, from several at a time, without a lock of libCHIP's that a call of HIP would need. The order is not that
   of completion. */
typedef void (*chip_tool_work_function)(void *user, const struct chip_tool_work *work);

/* Lives as long as the process. */
struct chip_tool_interface {
  size_t size;      /* of this structure */
  uint32_t version; /* CHIP_TOOL_VERSION of libCHIP */
  uint32_t reserved;

  /* The gates: what a call of the exported function function_names[i] jumps to is functions[i]. A tool keeps the old value and
     stores a function of its own with the same parameters, which calls the old one. libCHIP's own calls do not go through gates.
     The names are those of exported symbols: hipMalloc, hipGetDevicePropertiesR0600, __hipRegisterFatBinary ...
     They are changed inside of chip_tool_attach(), or later by atomic stores. */
  size_t function_count;
  const char *const *function_names;
  void **functions;

  /* From now on calls `function` for what devices complete; one function at a time, null ends it. To be called inside of
     chip_tool_attach() for records of everything. Returns 0, or another value where libCHIP has no records of work. */
  int (*observe_work)(chip_tool_work_function function, void *user);
  /* Waits for what was submitted before, and has reported it when it returns. Also as the process ends. */
  void (*flush_work)(void);
  /* A number of the calling thread that a tool may set before it calls on: the work that is submitted then carries it. */
  uint64_t *(*correlation_of_thread)(void);
};

/* What a tool exports. Returns 0; another value says that it does not want to be attached, and libCHIP forgets it. It must not
   call HIP yet. */
int chip_tool_attach(const struct chip_tool_interface *interface);

enum chip_tool_marker_kind {
  CHIP_TOOL_MARKER_POINT = 0, /* roctxMark */
  CHIP_TOOL_MARKER_PUSH = 1,  /* roctxRangePush: a range of the calling thread, which nests */
  CHIP_TOOL_MARKER_POP = 2,   /* roctxRangePop; `message` is null */
  CHIP_TOOL_MARKER_START = 3, /* roctxRangeStart: a range that any thread may stop, named by `id` */
  CHIP_TOOL_MARKER_STOP = 4   /* roctxRangeStop; `message` is null */
};

/* What a tool exports if it wants to know what a program says of itself through libroctx64. It may be called before
   chip_tool_attach() is, and from any thread. */
void chip_tool_marker(uint32_t kind, const char *message, uint64_t id);

#ifdef __cplusplus
}
#endif
