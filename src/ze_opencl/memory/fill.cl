// The driver's own kernels.

// Fills of memory that OpenCL did not allocate. One work-item an element, or every `stride`-th element.

#define FILL(type)                                                                                 \
  kernel void fill_##type(global type *memory, type pattern, ulong stride, ulong first) {          \
    memory[get_global_id(0) * stride + first] = pattern;                                           \
  }

FILL(uchar)
FILL(ushort)
FILL(uint)
FILL(ulong)

// Writes the second number where the first one, an address, points.
kernel void follow(global ulong *from) { *(global ulong *)from[0] = from[1]; }
