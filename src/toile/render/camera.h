// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/render/image.h"

#include <numbers>
#include <optional>
#include <span>
#include <string_view>

namespace toile {

/// A pinhole camera.
struct Camera {
    Vec3 from{0, 0, 1};                          ///< where it stands, metres
    Vec3 to{0, 0, 0};                            ///< what it looks at
    Vec3 up{0, 1, 0};                            ///< points to the top of the picture; any length
    double vertical_fov = std::numbers::pi / 6;  ///< radians, in (0, pi)
};

/// Unit axes of a camera; right-handed with -forward as third axis.
struct CameraAxes {
    Vec3 right;
    Vec3 up;
    Vec3 forward;
};

/// Axes of `camera`. Where it looks along `up`, any direction across is taken for the picture's
/// top. Throws InvalidInput where a number is not finite, the camera stands on what it looks at,
/// `up` is zero, or the field of view is out of range.
CameraAxes camera_axes(const Camera& camera);

/// Where `point` falls, in pixels from the top left corner; nothing for a point not in front.
std::optional<Vec2> project(const Camera& camera, const ImageSize& size, const Vec3& point);

enum class View { Front, Side, Top, ThreeQuarter, ThreeQuarterLeft };

/// View named `front`, `side`, `top`, `three-quarter` or `three-quarter-left`; InvalidInput for
/// another name.
View parse_view(std::string_view name);

/// Unit direction from the scene to a camera that shows `view`. The front is +z where y (or x) is
/// up or down, and -y where z is.
Vec3 direction_to_camera(View view, const Vec3& up);

/// From where and how wide a camera looks at what it frames.
struct Framing {
    Vec3 to_camera{0, 0, 1};  ///< from the scene to the camera; any length
    Vec3 up{0, 1, 0};
    double vertical_fov = std::numbers::pi / 6;
    ImageSize size = {};
    double filled = 0.84;  ///< share of the picture's half width and height that may be used
};

/// Finds the nearest camera of a direction that shows all points it was told of inside the filled
/// part of the picture, touching it on two opposite sides (exact: four support planes), but no
/// nearer than a tenth of their depth. Keeps no points, so whole films can be framed.
class CameraFraming {
  public:
    /// Throws InvalidInput where the framing makes no camera.
    explicit CameraFraming(const Framing& framing);

    /// Throws InvalidInput where a point is not finite.
    void add(std::span<const Vec3> points);
    /// Without points, framed as one at the origin; coinciding ones are shown from 0.1 m.
    [[nodiscard]] Camera camera() const;

  private:
    /// Support of the points against the two sides of a wedge |x| <= slope z.
    struct Wedge {
        double slope;
        double right, left;

        void add(double x, double z);
        [[nodiscard]] double center() const { return 0.5 * (right - left); }
        [[nodiscard]] double depth() const { return -0.5 * (right + left) / slope; }
    };
    void add(const Vec3& point);

    Framing framing_;
    CameraAxes axes_;
    Wedge horizontal_, vertical_;
    double nearest_, farthest_;
};

/// The camera that frames `points`: CameraFraming in one call.
Camera frame_points(std::span<const Vec3> points, const Framing& framing);

}  // namespace toile
