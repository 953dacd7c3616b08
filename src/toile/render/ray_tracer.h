// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/camera.h"
#include "toile/render/image.h"
#include "toile/render/scene_view.h"

namespace toile {

/// Size and care of a picture.
struct PictureOptions {
    ImageSize size = {};
    int samples = 16;  ///< rays through each pixel; 8 for films, 64 for print
};

/// Largest number of samples per pixel.
constexpr int kMaxSamples = 4096;

/// Largest number of pixels of a rendered picture (which takes 72 bytes for each while it is made).
constexpr long kMaxPicturePixels = 1L << 25;

/// The picture that `camera` takes of `view` in studio light: soft shadow, light of the
/// surroundings with one bounce, both sides of each surface in their own colour. The same bits on
/// any number of threads. Throws InvalidInput for a view, camera, size or number of samples that is
/// not valid.
Image render_picture(const SceneView& view, const Camera& camera, const PictureOptions& options);

}  // namespace toile
