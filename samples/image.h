// Reading and writing 8-bit RGB images as PNG files, with libpng's simplified interface.
#pragma once

#include <png.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

struct Image {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> pixels; // three bytes a pixel, rows from the top

  int row_bytes() const { return width * 3; }
};

// Ends the program with libpng's message when the file cannot be read.
inline Image read_png(const char *path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  Image image;
  if (png_image_begin_read_from_file(&png, path)) {
    png.format = PNG_FORMAT_RGB;
    image.width = static_cast<int>(png.width);
    image.height = static_cast<int>(png.height);
    image.pixels.resize(PNG_IMAGE_SIZE(png));
    if (png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr))
      return image;
  }
  std::fprintf(stderr, "%s: %s\nFAILED\n", path, png.message);
  png_image_free(&png);
  std::exit(1);
}

// Ends the program with libpng's message when the file cannot be written.
inline void write_png(const char *path, const Image &image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&png, path, 0, image.pixels.data(), 0, nullptr))
    return;
  std::fprintf(stderr, "%s: %s\nFAILED\n", path, png.message);
  std::exit(1);
}
