// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/item.h"
#include "studio/server/job_runner.h"
#include "studio/server/request.h"

#include <filesystem>

namespace toile::studio {

/// Which pictures to take of an item, from where.
struct PictureExport {
    enum class Kind { Pictures, Film };
    Kind kind = Kind::Pictures;
    Vec3 position = {0, 0, 1};  ///< of the camera, m
    Vec3 target = {0, 0, 0};    ///< m
    Vec3 up = {0, 1, 0};
    double field_of_view = 30;  ///< degrees, vertical
    int width = 1280;           ///< pixels
    int height = 720;
    int from = 0;  ///< frames
    int to = 0;    ///< the last one, too
};

/// Of `camera`, `width`, `height`, `from`, `to`. Throws UsageError or InvalidInput for what no
/// picture can be made of.
PictureExport read_picture_export(const Request& request, const ItemContent& content,
                                  PictureExport::Kind kind);

/// An archive of numbered PNGs, or an MP4. Throws MissingFeature where this build, or machine,
/// cannot make them; Interrupted where the job was cancelled: then nothing is left.
void write_pictures(const ItemContent& content, const PictureExport& pictures,
                    const std::filesystem::path& path, const JobContext& context);

}  // namespace toile::studio
