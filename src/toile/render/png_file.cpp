// SPDX-License-Identifier: Apache-2.0
#include "toile/render/png_file.h"

#include "toile/core/error.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace toile {
namespace {

void append(void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data),
                                               static_cast<size_t>(size));
}

std::string encode(const Image& image) {
    std::string bytes;
    const int stride = 3 * image.size.width;
    if (!stbi_write_png_to_func(append, &bytes, image.size.width, image.size.height, 3,
                                image.pixels.data(), stride)) {
        throw ComputationFailed("The picture could not be compressed: out of memory.");
    }
    return bytes;
}

}  // namespace

void write_png(const std::filesystem::path& path, const Image& image) {
    require_valid(image.size);
    const std::string bytes = encode(image);
    const std::filesystem::path unfinished = path.string() + fmt::format(".{}.part", ::getpid());
    errno = 0;
    std::ofstream file(unfinished, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    const int reason = errno;
    std::error_code error;
    if (file) std::filesystem::rename(unfinished, path, error);
    if (!file || error) {
        std::error_code ignored;
        std::filesystem::remove(unfinished, ignored);
        throw IoError(fmt::format("The picture {} could not be written: {}.", path.string(),
                                  error ? error.message() : std::strerror(reason)));
    }
}

}  // namespace toile
