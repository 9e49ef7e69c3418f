// The driver's own kernels. Work-groups of fills and copies have one size, whatever there is to do: PoCL compiles a kernel anew for
// each, which takes a tenth of a second. So there are more work-items than work.

// Fills memory with a pattern of 128 bytes, of which the first one belongs to addresses that are multiples of that. Each work-item
// fills what lies between two of them; `skew` is how far the memory begins behind one.
kernel void fill(global uchar *memory, ulong skew, ulong bytes, ulong16 pattern) {
  const long begin = (long)(get_global_id(0) * sizeof pattern) - (long)skew, end = begin + (long)sizeof pattern;
  if (begin >= 0 && end <= (long)bytes) {
    *(global ulong16 *)(memory + begin) = pattern;
    return;
  }
  for (long i = max(begin, 0l); i < min(end, (long)bytes); ++i)
    memory[i] = (uchar)(pattern[(i - begin) / 8] >> (i - begin) % 8 * 8);
}

// Copies a box, a row for each work-item: commands of OpenCL's would cost more than what they copy.
kernel void copy_box(global uchar *restrict to, ulong to_pitch, ulong to_slice_pitch,
                     global const uchar *restrict from, ulong from_pitch, ulong from_slice_pitch,
                     ulong width, ulong height) {
  if (get_global_id(0) >= height)
    return;
  to += get_global_id(0) * to_pitch + get_global_id(1) * to_slice_pitch;
  from += get_global_id(0) * from_pitch + get_global_id(1) * from_slice_pitch;
  for (ulong i = 0; i < width; ++i)
    to[i] = from[i];
}

// Writes the second number where the first one, an address, points.
kernel void follow(global ulong *from) { *(global ulong *)from[0] = from[1]; }
