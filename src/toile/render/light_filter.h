// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/color.h"
#include "toile/render/image.h"

#include <vector>

namespace toile {

/// What the rays through one pixel found. The light on the surface is kept apart from the surface's
/// colour until its noise has been taken away. All are means over the pixel's samples.
struct PixelLight {
    Color direct = Color::Zero();                        ///< radiance that is not to be filtered
    Color albedo = Color::Zero();                        ///< radiance per irradiance
    Color key = Color::Zero();                           ///< irradiance by the key light
    Color surroundings = Color::Zero();                  ///< irradiance by all else
    Eigen::Vector3f normal = Eigen::Vector3f::Zero();    ///< zero where nothing is to be filtered
    Eigen::Vector3f position = Eigen::Vector3f::Zero();  ///< in the scene's unit
    float width = 0;  ///< of the pixel at that position, in the scene's unit
};

/// Radiance of pixel (x, y) of a picture of `size`. The irradiances are averaged over those
/// neighbours that lie on the same smooth piece of surface: of 7 x 7 pixels the surroundings, which
/// change slowly, of 3 x 3 the key light, whose shadows have borders.
Color filtered_radiance(const std::vector<PixelLight>& pixels, const ImageSize& size, int x, int y);

}  // namespace toile
