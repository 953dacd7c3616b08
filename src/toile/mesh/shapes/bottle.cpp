// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/bottle.h"

#include "toile/core/error.h"
#include "toile/mesh/shapes/revolution.h"
#include "toile/mesh/shapes/shape_checks.h"
#include "toile/mesh/transform.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

/// Heights in heights of the bottle between which the shoulder runs.
constexpr double kShoulderBegin = 0.6;
constexpr double kShoulderEnd = 0.75;

void check(const BottleOptions& options) {
    detail::require_length(options.height, "bottle's height");
    detail::require_length(options.radius, "bottle's radius");
    detail::require_length(options.neck_radius, "bottle's neck radius");
    detail::require_count(options.segments, 3, "bottle's segments");
    detail::require_count(options.height_divisions, 4, "bottle's divisions along its height");
    detail::require_count(options.cap_rings, 1, "bottle's cap rings");
    if (options.neck_radius > options.radius) {
        throw InvalidInput(
            fmt::format("The bottle's neck radius must not be above its radius of {} m; "
                        "found {}.",
                        options.radius, options.neck_radius));
    }
}

/// Smooth from body to neck, upright at both ends.
double radius_at(const BottleOptions& options, double height_fraction) {
    const double s =
        std::clamp((height_fraction - kShoulderBegin) / (kShoulderEnd - kShoulderBegin), 0.0, 1.0);
    const double smooth = s * s * (3 - 2 * s);
    return options.radius + smooth * (options.neck_radius - options.radius);
}

std::vector<Vec2> profile_of(const BottleOptions& options) {
    std::vector<Vec2> profile;
    for (int i = 0; i < options.cap_rings; ++i) {
        profile.emplace_back(options.radius * i / options.cap_rings, 0);
    }
    for (int i = 0; i <= options.height_divisions; ++i) {
        const double fraction = 1.0 * i / options.height_divisions;
        profile.emplace_back(radius_at(options, fraction), options.height * fraction);
    }
    for (int i = options.cap_rings - 1; i >= 0; --i) {
        profile.emplace_back(options.neck_radius * i / options.cap_rings, options.height);
    }
    return profile;
}

}  // namespace

TriangleMesh make_bottle(const BottleOptions& options) {
    check(options);
    TriangleMesh mesh = make_revolution(profile_of(options), options.segments);
    transform_points({.translation = options.foot}, mesh.positions);
    return mesh;
}

}  // namespace toile
