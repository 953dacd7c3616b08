// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/closest_point.h"
#include "toile/mesh/triangle_mesh.h"

#include <span>
#include <vector>

namespace toile {

/// What counts as a place to be pulled to.
struct SurfacePullOptions {
    double max_distance = 0;  ///< m
    double min_cosine = 0;    ///< of the angle between the vertex's normal and the triangle's
    bool to_border = true;    ///< also to points of the surface's open border
};

/// Nearest points of a fixed surface that look the same way as the vertices that ask.
class SurfacePull {
  public:
    /// Keeps views; the mesh must outlive it.
    SurfacePull(std::span<const Vec3> positions, std::span<const Triangle> triangles);

    /// Of every point; triangle -1 where none counts. A point on the surface that does not count
    /// (its border) gives none, rather than one farther away. `inout_nearest` brings the last
    /// answer, which makes the search shorter and changes nothing. Points with a normal of zero, or
    /// not finite, get none.
    void find(std::span<const Vec3> points, std::span<const Vec3> normals,
              const SurfacePullOptions& options, std::span<SurfacePoint> inout_nearest) const;

    [[nodiscard]] Vec3 position(const SurfacePoint& point) const;
    /// Unit normal of the smooth surface there, between those of the triangle's vertices: on an
    /// edge the same whichever of its triangles was found. The triangle's own where they cancel.
    [[nodiscard]] Vec3 normal(const SurfacePoint& point) const;

  private:
    [[nodiscard]] bool on_border(const SurfacePoint& point) const;
    [[nodiscard]] SurfacePoint nearest(const Vec3& point, const Vec3& normal,
                                       const SurfacePullOptions& options, int last) const;

    std::span<const Vec3> positions_;
    std::span<const Triangle> triangles_;
    std::vector<Vec3> normals_;
    std::vector<Vec3> vertex_normals_;
    std::vector<unsigned char> border_sides_;  ///< bit c: the side opposite corner c is open
    std::vector<char> border_vertices_;
    ClosestPointQuery query_;
};

}  // namespace toile
