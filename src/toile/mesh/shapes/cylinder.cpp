// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/cylinder.h"

#include "toile/mesh/shapes/revolution.h"
#include "toile/mesh/shapes/shape_checks.h"
#include "toile/mesh/transform.h"

namespace toile {
namespace {

void check(const CylinderOptions& options) {
    detail::require_length(options.radius, "cylinder's radius");
    detail::require_length(options.height, "cylinder's height");
    detail::require_count(options.segments, 3, "cylinder's segments");
    detail::require_count(options.height_divisions, 1, "cylinder's divisions along its height");
    detail::require_count(options.cap_rings, 1, "cylinder's cap rings");
}

}  // namespace

TriangleMesh make_cylinder(const CylinderOptions& options) {
    check(options);
    const double half = 0.5 * options.height;
    std::vector<Vec2> profile;
    for (int i = 0; i <= options.cap_rings; ++i) {
        profile.emplace_back(options.radius * i / options.cap_rings, -half);
    }
    for (int i = 1; i < options.height_divisions; ++i) {
        profile.emplace_back(options.radius, options.height * i / options.height_divisions - half);
    }
    for (int i = options.cap_rings; i >= 0; --i) {
        profile.emplace_back(options.radius * i / options.cap_rings, half);
    }
    TriangleMesh mesh = make_revolution(profile, options.segments);
    transform_points({.translation = options.center}, mesh.positions);
    return mesh;
}

}  // namespace toile
