// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/rest_shape.h"

#include "toile/core/error.h"
#include "toile/mesh/topology.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <cmath>

namespace toile {
namespace {

/// A triangle whose area is below this share of its longest edge squared has none.
constexpr double kNoArea = 1e-9;
/// A pattern and its mesh whose areas differ by more than this factor do not belong together.
constexpr double kOddAreaRatio = 3;
/// A projection shorter than this share of a direction says nothing.
constexpr double kNearlyAcross = 0.1;

void check(const RestShapeOptions& options) {
    if (!(options.uv_scale > 0) || !std::isfinite(options.uv_scale)) {
        throw InvalidInput(fmt::format(
            "The UV scale must be a positive number of metres; found {}.", options.uv_scale));
    }
    if (!(options.warp_direction.norm() > 0) || !options.warp_direction.allFinite()) {
        throw InvalidInput("The warp direction must be a finite vector that is not zero.");
    }
}

double cross(const Vec2& a, const Vec2& b) {
    return a[0] * b[1] - a[1] * b[0];
}

double signed_area(const std::array<Vec2, 3>& q) {
    return cross(q[1] - q[0], q[2] - q[0]) / 2;
}

bool has_area(const std::array<Vec2, 3>& q) {
    const double longest = std::max(
        {(q[1] - q[0]).squaredNorm(), (q[2] - q[1]).squaredNorm(), (q[0] - q[2]).squaredNorm()});
    return std::abs(signed_area(q)) > kNoArea * longest;
}

Vec3 warp_in_plane(const Vec3& normal, const Vec3& wanted) {
    for (const Vec3& axis : {Vec3(wanted.normalized()), Vec3(Vec3::UnitZ()), Vec3(Vec3::UnitY())}) {
        const Vec3 projected = axis - axis.dot(normal) * normal;
        if (projected.norm() > kNearlyAcross) return projected.normalized();
    }
    return normal.unitOrthogonal();
}

std::array<Vec2, 3> flattened(const std::array<Vec3, 3>& p, const Vec3& warp_direction) {
    const Vec3 normal = (p[1] - p[0]).cross(p[2] - p[0]).stableNormalized();
    const Vec3 warp = warp_in_plane(normal, warp_direction);
    const Vec3 weft = normal.cross(warp);
    std::array<Vec2, 3> q;
    for (size_t i = 0; i < 3; ++i) q[i] = {warp.dot(p[i] - p[0]), weft.dot(p[i] - p[0])};
    return q;
}

std::array<Vec2, 3> uv_corners(const TriangleMesh& mesh, int t, double scale) {
    std::array<Vec2, 3> q;
    for (size_t i = 0; i < 3; ++i) q[i] = scale * mesh.uvs[mesh.uv_triangles[t][i]];
    return q;
}

/// +1 or -1 per UV vertex: the orientation that holds most of its island's area.
std::vector<int> island_orientations(const TriangleMesh& mesh) {
    const int n = static_cast<int>(mesh.uvs.size());
    const std::vector<int> island = vertex_components(mesh.uv_triangles, n);
    std::vector<double> area(mesh.uvs.size(), 0.0);
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        area[island[mesh.uv_triangles[t][0]]] += signed_area(uv_corners(mesh, t, 1));
    }
    std::vector<int> orientation;
    for (int v = 0; v < n; ++v) orientation.push_back(area[island[v]] < 0 ? -1 : 1);
    return orientation;
}

/// `3 triangles (0, 7, 9)`, at most ten by number.
std::string named(const std::vector<int>& triangles) {
    constexpr size_t kMost = 10;
    std::string list;
    for (size_t i = 0; i < std::min(kMost, triangles.size()); ++i) {
        list += fmt::format("{}{}", i == 0 ? "" : ", ", triangles[i]);
    }
    return fmt::format("{} triangle{} ({}{})", triangles.size(), triangles.size() == 1 ? "" : "s",
                       list, triangles.size() > kMost ? ", ..." : "");
}

void warn(const std::vector<int>& triangles, const std::string& sentence, RestShape& inout_shape) {
    if (!triangles.empty()) inout_shape.warnings.push_back(named(triangles) + " " + sentence);
}

/// A pattern of quite another size than the mesh is rather a picture's coordinates, or its unit is
/// not the metre.
void warn_of_size(double pattern_area, double mesh_area, RestShape& inout_shape) {
    if (pattern_area < kOddAreaRatio * mesh_area && mesh_area < kOddAreaRatio * pattern_area)
        return;
    inout_shape.warnings.push_back(
        fmt::format("The UV pattern has an area of {:.4g} m², the mesh {:.4g} m²: is the UV scale "
                    "right, and are "
                    "the UVs a pattern? Otherwise take the rest shape from the positions.",
                    pattern_area, mesh_area));
}

double total_area(const RestShape& shape) {
    double sum = 0;
    for (const auto& corners : shape.corners) sum += flat_area(corners);
    return sum;
}

/// Puts the pattern's triangles over the 3-D ones, where they can be used.
void take_pattern(const TriangleMesh& mesh, double scale, RestShape& inout_shape) {
    const std::vector<int> orientation = island_orientations(mesh);
    std::vector<int> empty, inverted;
    const double mesh_area = total_area(inout_shape);
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        const std::array<Vec2, 3> q = uv_corners(mesh, t, scale);
        const bool with_island = signed_area(q) * orientation[mesh.uv_triangles[t][0]] > 0;
        if (!has_area(q)) {
            empty.push_back(t);
        } else if (!with_island) {
            inverted.push_back(t);
        } else {
            inout_shape.corners[t] = q;
        }
    }
    warn_of_size(total_area(inout_shape), mesh_area, inout_shape);
    warn(empty, "without area in the UVs: the 3-D shape is taken as rest shape.", inout_shape);
    warn(inverted, "inverted in the UVs: the 3-D shape is taken as rest shape.", inout_shape);
}

}  // namespace

double flat_area(const std::array<Vec2, 3>& corners) {
    return std::abs(signed_area(corners));
}

RestShape rest_shape(const TriangleMesh& mesh, const RestShapeOptions& options) {
    check(options);
    RestShape shape;
    std::vector<int> empty;
    const bool from_uvs = options.from_uvs && mesh.has_uvs();
    for (const Triangle& corners : mesh.triangles) {
        shape.corners.push_back(flattened(
            {mesh.positions[corners[0]], mesh.positions[corners[1]], mesh.positions[corners[2]]},
            options.warp_direction));
    }
    if (from_uvs) take_pattern(mesh, options.uv_scale, shape);
    shape.flat_hinges = from_uvs;
    for (int t = 0; t < mesh.n_triangles(); ++t) {
        if (has_area(shape.corners[t])) continue;
        empty.push_back(t);
        shape.corners[t] = {Vec2::Zero(), Vec2::Zero(), Vec2::Zero()};
    }
    warn(empty, "without area at rest: no mass, and no force of their own.", shape);
    return shape;
}

}  // namespace toile
