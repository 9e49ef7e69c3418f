// Each work-item handles one coordinate. Integer kernels come signed and unsigned, as the functions
// of OpenCL C do.
#define AT get_global_id(0)

#define WRITE(name, image, coordinate)                                                             \
  kernel void write_##name##_f(write_only image im, global int4 *at, global float4 *in) {          \
    write_imagef(im, at[AT].coordinate, in[AT]);                                                   \
  }                                                                                                \
  kernel void write_##name##_i(write_only image im, global int4 *at, global int4 *in) {            \
    write_imagei(im, at[AT].coordinate, in[AT]);                                                   \
  }                                                                                                \
  kernel void write_##name##_u(write_only image im, global int4 *at, global uint4 *in) {           \
    write_imageui(im, at[AT].coordinate, in[AT]);                                                  \
  }
#define READ(name, image, coordinate)                                                              \
  kernel void read_##name##_f(read_only image im, global int4 *at, global float4 *out) {           \
    out[AT] = read_imagef(im, at[AT].coordinate);                                                  \
  }                                                                                                \
  kernel void read_##name##_i(read_only image im, global int4 *at, global int4 *out) {             \
    out[AT] = read_imagei(im, at[AT].coordinate);                                                  \
  }                                                                                                \
  kernel void read_##name##_u(read_only image im, global int4 *at, global uint4 *out) {            \
    out[AT] = read_imageui(im, at[AT].coordinate);                                                 \
  }
#define SAMPLE(name, image, coordinate)                                                            \
  kernel void sample_##name##_f(read_only image im, sampler_t s, global float4 *at,                \
                                global float4 *out) {                                              \
    out[AT] = read_imagef(im, s, at[AT].coordinate);                                               \
  }                                                                                                \
  kernel void sample_##name##_i(read_only image im, sampler_t s, global float4 *at,                \
                                global int4 *out) {                                                \
    out[AT] = read_imagei(im, s, at[AT].coordinate);                                               \
  }                                                                                                \
  kernel void fetch_##name##_f(read_only image im, sampler_t s, global int4 *at,                   \
                               global float4 *out) {                                               \
    out[AT] = read_imagef(im, s, at[AT].coordinate);                                               \
  }
#define ALL(name, image, coordinate)                                                               \
  WRITE(name, image, coordinate)                                                                   \
  READ(name, image, coordinate)                                                                    \
  SAMPLE(name, image, coordinate)

ALL(1d, image1d_t, x)
ALL(1d_array, image1d_array_t, xy)
ALL(2d, image2d_t, xy)
ALL(2d_array, image2d_array_t, xyzw)
ALL(3d, image3d_t, xyzw)
WRITE(buffer, image1d_buffer_t, x)
READ(buffer, image1d_buffer_t, x)

// Samplers written in the kernel, at program scope and in a function.
constant sampler_t mirrored =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;

kernel void literal_samplers(read_only image2d_t im, global float4 *at, global float4 *out) {
  const sampler_t bordered = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
  out[2 * AT] = read_imagef(im, mirrored, at[AT].xy);
  out[2 * AT + 1] = read_imagef(im, bordered, at[AT].xy);
}

kernel void sizes(read_only image1d_t a, read_only image1d_array_t b, read_only image2d_t c,
                  read_only image2d_array_t d, read_only image3d_t e,
                  write_only image1d_buffer_t f, global int *out) {
  out[0] = get_image_width(a);
  out[1] = get_image_width(b);
  out[2] = (int)get_image_array_size(b);
  out[3] = get_image_width(c);
  out[4] = get_image_height(c);
  out[5] = get_image_width(d);
  out[6] = get_image_height(d);
  out[7] = (int)get_image_array_size(d);
  int4 all = get_image_dim(e);
  out[8] = all.x;
  out[9] = all.y;
  out[10] = all.z;
  out[11] = get_image_depth(e);
  out[12] = get_image_width(f);
}

int __attribute__((overloadable)) __spirv_ImageQueryFormat(read_only image2d_t);
int __attribute__((overloadable)) __spirv_ImageQueryOrder(read_only image2d_t);

kernel void formats(read_only image2d_t im, global int *out) {
  out[0] = __spirv_ImageQueryFormat(im);
  out[1] = __spirv_ImageQueryOrder(im);
}

// What a work-item wrote it can read, and others can after a barrier.
kernel void read_and_write(read_write image2d_t im, global float *out) {
  int x = get_local_id(0), size = get_local_size(0);
  float value = read_imagef(im, (int2)(x, 0)).x;
  write_imagef(im, (int2)(x, 0), (float4)(value + 100));
  out[x] = read_imagef(im, (int2)(x, 0)).x;
  work_group_barrier(CLK_IMAGE_MEM_FENCE);
  out[size + x] = read_imagef(im, (int2)(size - 1 - x, 0)).x;
}

// Images through function parameters, chosen at run time by which is called with which.
float4 __attribute__((noinline)) corner(read_only image2d_t im, sampler_t s, float2 at) {
  return read_imagef(im, s, at);
}
kernel void through_functions(read_only image2d_t a, read_only image2d_t b, sampler_t s,
                              global float4 *out) {
  out[0] = corner(a, s, (float2)(0, 0));
  out[1] = corner(b, s, (float2)(0, 0));
}
