#pragma OPENCL EXTENSION cl_khr_subgroups : enable

// A tile with a border, which its outer rows and columns load too.
kernel void border(global const int *in, global int *out, int pitch) {
  local int tile[34][34];
  const int x = get_local_id(0), y = get_local_id(1), columns = get_local_size(0), rows = get_local_size(1);
  const int at = (get_group_id(1) * rows + y + 1) * pitch + get_group_id(0) * columns + x + 1;
  tile[y + 1][x + 1] = in[at];
  if (x == 0)
    tile[y + 1][0] = in[at - 1];
  if (x == columns - 1)
    tile[y + 1][columns + 1] = in[at + 1];
  if (y == 0)
    tile[0][x + 1] = in[at - pitch];
  if (y == rows - 1)
    tile[rows + 1][x + 1] = in[at + pitch];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = tile[y + 1][x + 1] + 2 * tile[y][x + 1] + 3 * tile[y + 2][x + 1] + 5 * tile[y + 1][x] +
            7 * tile[y + 1][x + 2];
}

// The same for tiles of 8 by 8 by 4, as compilers choose among rows and planes that they know.
kernel void border_of_8(global const int *in, global int *out, int pitch) {
  local int tile[6][10][10];
  const int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2), plane = pitch * pitch;
  const int at = (get_group_id(2) * 4 + z + 1) * plane + (get_group_id(1) * 8 + y + 1) * pitch +
                 get_group_id(0) * 8 + x + 1;
  tile[z + 1][y + 1][x + 1] = in[at];
  if (x == 0)
    tile[z + 1][y + 1][0] = in[at - 1];
  if (x == 7)
    tile[z + 1][y + 1][9] = in[at + 1];
  if (y == 0)
    tile[z + 1][0][x + 1] = in[at - pitch];
  if (y == 7)
    tile[z + 1][9][x + 1] = in[at + pitch];
  if (z == 0)
    tile[0][y + 1][x + 1] = in[at - plane];
  if (z == 3)
    tile[5][y + 1][x + 1] = in[at + plane];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = tile[z + 1][y + 1][x] + 2 * tile[z + 1][y + 1][x + 2] + 3 * tile[z + 1][y][x + 1] +
            5 * tile[z + 1][y + 2][x + 1] + 7 * tile[z][y + 1][x + 1] + 11 * tile[z + 2][y + 1][x + 1];
}

// Some lanes of each row do something together, beside those that do not.
kernel void parts_of_rows(global int *out) {
  const int x = get_local_id(0), y = get_local_id(1);
  global int *mine = out + get_group_id(0) * get_local_size(0) * get_local_size(1) + y * get_local_size(0) + x;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (((x + y) & 4) == 0) {
    *mine += 1 + y;
    const uint lanes = sub_group_ballot(1).x;
    *mine += lanes != 0 ? 10 * y + x : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *mine += 1000 * y;
}

// The largest of each 2 by 2: work-items of one vector may be in two rows.
kernel void largest_of_four(global const int *in, global int *out, int width, int count) {
  const int i = get_global_id(0);
  if (i >= count)
    return;
  global const int *from = in + i / width * 4 * width + i % width * 2;
  out[i] = max(max(from[0], from[1]), max(from[2 * width], from[2 * width + 1]));
}

// A tile with rows of 18, filled by work-groups that count their work-items as if they were 16 by 16. Elsewhere it stays as it was.
kernel void filled_tile(global const int *in, global int *out, int pitch, int count) {
  local int tile[400];
  const int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  const int lane = (z * get_local_size(1) + y) * get_local_size(0) + x;
  const int lanes = get_local_size(0) * get_local_size(1) * get_local_size(2);
  for (int i = lane; i < 400; i += lanes)
    tile[i] = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = y * 16 + x; i < count; i += 256)
    tile[i / 18 * 18 + i % 18] = in[i / 18 * pitch + i % 18];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = lane; i < 400; i += lanes)
    out[get_group_id(0) * 400 + i] = tile[i];
}

// The same of what each work-item has written before, and reads again behind: nobody else's is known to be there.
kernel void tile_of_own(global int *out, int count) {
  local int own[64], tile[400];
  const int lane = get_local_id(0);
  own[lane] = 3 * lane + get_group_id(0);
  for (int i = lane; i < count; i += 64)
    tile[i] = own[i % 64] + 1000 * (i / 10);
  out[get_group_id(0) * 64 + lane] = tile[lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_group_id(0) * 64 + lane] += tile[(lane + 1) % 64];
}

// Sums of what is around each element of an image, as far as that is inside.
kernel void sums_around(global const int *in, global const int *weights, global int *out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int sum = 0;
  for (int dy = 0; dy < 5; ++dy)
    for (int dx = 0; dx < 5; ++dx) {
      const int column = x + dx - 2, row = y + dy - 2;
      if (column >= 0 && column < width && row >= 0 && row < height)
        sum += in[row * width + column] * weights[dy * 5 + dx];
    }
  out[y * width + x] = sum;
}

// Rows become columns, of which the last ones may be missing.
kernel void transposed(global const int *in, global int *out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height)
    out[x * height + y] = in[y * width + x];
}

// The same of the work-items' numbers, and without asking.
kernel void transposed_numbers(global int *out, int height) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[(z * get_global_size(0) + x) * height + y] = 100 * z + 10 * y + x;
}

// Inside of an image by all borders at once, and outside of it.
kernel void inner_sums(global const int *in, global int *out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
    out[y * width + x] = in[y * width + x - 1] + in[y * width + x + 1] + in[(y - 1) * width + x] + in[(y + 1) * width + x];
}
kernel void outer_values(global const int *in, global int *out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < 0 || y >= height || x >= width)
    return;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    out[y * width + x] = -in[y * width + x];
}
