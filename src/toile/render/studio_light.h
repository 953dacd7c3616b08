// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/camera.h"
#include "toile/render/color.h"
#include "toile/render/sampling.h"

namespace toile {

/// The light of a photographer's studio: a warm, soft key light over the camera's left shoulder,
/// and round about a cool sky that turns into the warm return of a light floor. In units in which a
/// white matt surface of irradiance 1 shows radiance 1.
struct StudioLight {
    SampleFrame key;       ///< axis: towards the middle of the key light
    float key_cosine = 1;  ///< cosine of the key light's angular radius
    Color key_color;
    Eigen::Vector3f up;
    Color level;     ///< of the surroundings at the horizon
    Color gradient;  ///< from the horizon to the zenith

    /// Radiance of the surroundings from unit `direction`.
    [[nodiscard]] Color surroundings(const Eigen::Vector3f& direction) const {
        return level + gradient * direction.dot(up);
    }
    /// Irradiance by all surroundings on an open surface of unit `normal`: exact for
    /// `surroundings`.
    [[nodiscard]] Color open_irradiance(const Eigen::Vector3f& normal) const {
        return level + gradient * (2.F / 3 * normal.dot(up));
    }
};

/// The studio light for a camera; it keeps its height over the horizon given by `up`.
StudioLight studio_light(const Camera& camera, const Vec3& up);

}  // namespace toile
