/// What threads tell the host while a kernel runs: output of printf, assertions that failed, and
/// that they gave up. The runtime includes this too: it owns the memory and prints what is in it.
#pragma once

#include <hip/spirv_detail/services/format.h>

namespace chip_device {

/// Room for records, one after the other, each a multiple of 8 bytes.
struct MessageBuffer {
  unsigned long capacity; // bytes
  __host__ __device__ char *records() { return reinterpret_cast<char *>(this + 1); }
};

/// One for each device. Kernels find it through the variable `__chip_messages`, which the device
/// compiler adds to modules that need it and the runtime fills in.
struct Messages {
  /// Why threads ended. The device compiler knows that this comes first.
  enum __Failure : unsigned { aborted = 1, assertion_failed = 2 };
  unsigned failures;
  unsigned unused;
  /// Bytes that threads have asked for, in the lower 48 bits; above, how often the host has
  /// exchanged the buffers. One addition reserves room.
  unsigned long cursor;
  static constexpr int bytes_bits = 48;
  /// Threads write to the one that the lowest bit of the exchanges names; the other is all zero.
  MessageBuffer *buffers[2];
  /// A thread that gives up writes here last. Where the device can end a kernel for that, it is the
  /// address that does so; else a cell that nobody reads. The device compiler knows its place.
  unsigned *trap;
};

/// A record is this, and pieces: a format of printf and its arguments.
struct MessageRecord {
  enum __Kind : unsigned {
    nothing,   // not written yet
    formatted, // for standard output
    assertion, // for standard error
    no_room,   // all that was reserved from here on is lost
  };
  unsigned kind; // written last
  unsigned bytes;
};

/// A piece is this, and its value, filled up to a multiple of 8 bytes.
struct MessagePiece {
  enum __Kind : unsigned {
    integer,  // 8 bytes, extended from its own size
    single,   // a float
    real,     // a double
    address,  // 8 bytes
    text,     // characters, without a zero at the end
    wide_text // the same of wchar_t
  };
  unsigned kind;
  unsigned bytes;
};

/// An argument of printf, whatever its type was.
struct MessageArgument {
  MessagePiece::__Kind kind; // no text: what prints a string decides the format
  unsigned long bits;
};

} // namespace chip_device
