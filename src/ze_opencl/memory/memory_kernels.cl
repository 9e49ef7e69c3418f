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

// Copies boxes, a row for each work-item: commands of OpenCL's would cost more than what they copy.
kernel void copy_box(global uchar *restrict to, ulong to_pitch, ulong to_slice_pitch,
                     global const uchar *restrict from, ulong from_pitch, ulong from_slice_pitch, ulong width) {
  to += get_global_id(0) * to_pitch + get_global_id(1) * to_slice_pitch;
  from += get_global_id(0) * from_pitch + get_global_id(1) * from_slice_pitch;
  for (ulong i = 0; i < width; ++i)
    to[i] = from[i];
}

// Writes the second number where the first one, an address, points.
kernel void follow(global ulong *from) { *(global ulong *)from[0] = from[1]; }
