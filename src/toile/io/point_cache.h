// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace toile {

struct PointCacheOptions {
    bool overwrite = false;
    double frame_rate = 1;  ///< frames per second, for formats that tell times
};

/// One file format of moving points without connectivity.
struct PointCacheFormat {
    std::string_view name;       ///< for people: "PC2"
    std::string_view extension;  ///< lower case, with its dot
    bool tells_times;            ///< of frames, in seconds
    std::unique_ptr<FrameSource> (*open)(const std::filesystem::path& path);
    std::unique_ptr<FrameSink> (*create)(const std::filesystem::path& path, int n_points,
                                         const PointCacheOptions& options);
};

/// Every format there is; the one place that lists them.
std::span<const PointCacheFormat> point_cache_formats();

/// The format that the extension of `path` names, upper or lower case, or null.
const PointCacheFormat* find_point_cache_format(const std::filesystem::path& path);

}  // namespace toile
