// SPDX-License-Identifier: Apache-2.0
#include "toile/io/point_cache.h"

#include "toile/io/mdd.h"
#include "toile/io/mesh_format.h"
#include "toile/io/pc2.h"

#include <array>

namespace toile {
namespace {

constexpr std::array kFormats = {
    PointCacheFormat{.name = "PC2",
                     .extension = ".pc2",
                     .tells_times = false,
                     .open = [](const std::filesystem::path& path) -> std::unique_ptr<FrameSource> {
                         return std::make_unique<Pc2Source>(path);
                     },
                     .create = [](const std::filesystem::path& path, int n_points,
                                  const PointCacheOptions& options) -> std::unique_ptr<FrameSink> {
                         return std::make_unique<Pc2Sink>(
                             path, Pc2Header{.n_points = n_points},
                             OutputOptions{.overwrite = options.overwrite});
                     }},
    PointCacheFormat{.name = "MDD",
                     .extension = ".mdd",
                     .tells_times = true,
                     .open = [](const std::filesystem::path& path) -> std::unique_ptr<FrameSource> {
                         return std::make_unique<MddSource>(path);
                     },
                     .create = [](const std::filesystem::path& path, int n_points,
                                  const PointCacheOptions& options) -> std::unique_ptr<FrameSink> {
                         return std::make_unique<MddSink>(
                             path, n_points,
                             MddWriteOptions{.frame_rate = options.frame_rate,
                                             .overwrite = options.overwrite});
                     }},
};

}  // namespace

std::span<const PointCacheFormat> point_cache_formats() {
    return kFormats;
}

const PointCacheFormat* find_point_cache_format(const std::filesystem::path& path) {
    const std::string extension = lower_extension(path);
    for (const PointCacheFormat& format : kFormats) {
        if (format.extension == extension) return &format;
    }
    return nullptr;
}

}  // namespace toile
