// An image through several passes of a 5 x 5 blur, in bands that travel through four streams.
//
// Each band of rows is copied to the device, blurred pass after pass, and copied back by one
// stream, so that copies of some bands overlap with kernels of others. A band's blur also reads two
// rows of each neighbouring band, which belong to other streams: events order exactly these pairs,
// and nothing waits for the whole device before the end.
//
//   hipcc -O2 pipeline.hip -lpng -o pipeline && ./pipeline landscape.png blurred.png
#include "check.h"
#include "image.h"

#include <algorithm>
#include <chrono>
#include <cstring>

constexpr int radius = 2, diameter = 2 * radius + 1;
constexpr int stream_count = 4, band_count = 10, pass_count = 6;

// Filled by the host. All threads of a warp read the same element at a time: what constant memory
// is made for.
__constant__ int weights[diameter][diameter];
constexpr int weight_sum = 256;

__host__ __device__ inline int clamped(int value, int last) {
  return value < 0 ? 0 : value > last ? last : value;
}

// What both the kernel and the host's check compute for one byte; outside of the image its border
// continues.
template <typename Weights>
__host__ __device__ unsigned char blurred_byte(const unsigned char *image, int width, int height,
                                               int x, int y, int channel, const Weights &w) {
  int sum = weight_sum / 2;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const int from_x = clamped(x + dx, width - 1);
      const int from_y = clamped(y + dy, height - 1);
      sum += w[dy + radius][dx + radius] * image[(from_y * width + from_x) * 3 + channel];
    }
  return static_cast<unsigned char>(sum / weight_sum);
}

__global__ void blur(const unsigned char *from, unsigned char *to, int width, int height,
                     int first_row, int last_row) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = first_row + blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= last_row)
    return;
  for (int channel = 0; channel < 3; ++channel)
    to[(y * width + x) * 3 + channel] = blurred_byte(from, width, height, x, y, channel, weights);
}

static Image blur_on_host(Image image, const int (&w)[diameter][diameter]) {
  Image next = image;
  for (int pass = 0; pass < pass_count; ++pass) {
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        for (int channel = 0; channel < 3; ++channel)
          next.pixels[(y * image.width + x) * 3 + channel] =
              blurred_byte(image.pixels.data(), image.width, image.height, x, y, channel, w);
    std::swap(image, next);
  }
  return image;
}

static Image blur_on_device(const Image &input) {
  const size_t size = input.pixels.size();
  unsigned char *pinned, *buffers[2];
  // Copies from and to pinned memory can run while the host goes on.
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&pinned), size, hipHostMallocDefault));
  for (auto &buffer : buffers)
    HIP_CHECK(hipMalloc(&buffer, size));
  std::memcpy(pinned, input.pixels.data(), size);

  hipStream_t streams[stream_count];
  for (auto &stream : streams)
    HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  // done[pass][band]: the band has arrived (pass 0) or was blurred `pass` times.
  hipEvent_t done[pass_count + 1][band_count];
  for (auto &events : done)
    for (auto &event : events)
      HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));

  const int band_rows = (input.height + band_count - 1) / band_count;
  const auto first_row = [&](int band) { return std::min(band * band_rows, input.height); };
  const auto offset = [&](int band) {
    return static_cast<size_t>(first_row(band)) * input.row_bytes();
  };

  for (int band = 0; band < band_count; ++band) {
    auto stream = streams[band % stream_count];
    HIP_CHECK(hipMemcpyAsync(buffers[0] + offset(band), pinned + offset(band),
                             offset(band + 1) - offset(band), hipMemcpyHostToDevice, stream));
    HIP_CHECK(hipEventRecord(done[0][band], stream));
  }
  for (int pass = 0; pass < pass_count; ++pass)
    for (int band = 0; band < band_count; ++band) {
      auto stream = streams[band % stream_count];
      // The neighbours' rows of the previous pass are read here; and the rows written here were
      // read by the neighbours in that same pass. So the two events guard both buffers.
      if (band > 0)
        HIP_CHECK(hipStreamWaitEvent(stream, done[pass][band - 1], 0));
      if (band + 1 < band_count)
        HIP_CHECK(hipStreamWaitEvent(stream, done[pass][band + 1], 0));
      const int rows = first_row(band + 1) - first_row(band);
      const dim3 block(32, 8), grid((input.width + 31) / 32, (rows + 7) / 8);
      if (rows > 0)
        blur<<<grid, block, 0, stream>>>(buffers[pass % 2], buffers[(pass + 1) % 2], input.width,
                                         input.height, first_row(band), first_row(band + 1));
      HIP_CHECK(hipGetLastError());
      HIP_CHECK(hipEventRecord(done[pass + 1][band], stream));
    }
  for (int band = 0; band < band_count; ++band)
    HIP_CHECK(hipMemcpyAsync(pinned + offset(band), buffers[pass_count % 2] + offset(band),
                             offset(band + 1) - offset(band), hipMemcpyDeviceToHost,
                             streams[band % stream_count]));
  for (auto stream : streams)
    HIP_CHECK(hipStreamSynchronize(stream));

  Image output = input;
  std::memcpy(output.pixels.data(), pinned, size);

  for (auto &events : done)
    for (auto event : events)
      HIP_CHECK(hipEventDestroy(event));
  for (auto stream : streams)
    HIP_CHECK(hipStreamDestroy(stream));
  for (auto buffer : buffers)
    HIP_CHECK(hipFree(buffer));
  HIP_CHECK(hipHostFree(pinned));
  return output;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s INPUT.png OUTPUT.png\n", argv[0]);
    return 2;
  }
  const Image input = read_png(argv[1]);

  // Pascal's triangle: close to a Gaussian, in whole numbers, so that host and device agree to the
  // last bit.
  constexpr int row[diameter] = {1, 4, 6, 4, 1};
  int host_weights[diameter][diameter];
  for (int y = 0; y < diameter; ++y)
    for (int x = 0; x < diameter; ++x)
      host_weights[y][x] = row[y] * row[x];
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(weights), host_weights, sizeof(host_weights)));

  const auto start = std::chrono::steady_clock::now();
  const Image output = blur_on_device(input);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;

  write_png(argv[2], output);
  std::printf("%d x %d pixels, %d passes in %.1f ms: %s\n", input.width, input.height, pass_count,
              took.count(), argv[2]);
  return report(output.pixels == blur_on_host(input, host_weights).pixels);
}
