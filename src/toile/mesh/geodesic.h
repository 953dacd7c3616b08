// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/topology.h"

#include <span>
#include <vector>

namespace toile {

/// How far vertices are from some sources over the surface; metres.
struct GeodesicDistances {
    std::vector<int> vertices;  ///< within the radius, ascending
    std::vector<double> distances;
};

/// Distances over a surface from vertices, for selecting. Set up once for a connectivity; a query
/// clears one number a vertex and else touches only what lies within its radius.
///
/// Distances spread from triangle to triangle as fast marching does [Kimmel98], but each triangle
/// is unfolded against the source that its two known corners see [Novotni02], and a vertex that is
/// reached on a shorter way later spreads again. Exact to rounding where the straight way lies in a
/// plane, also over obtuse and thin triangles; elsewhere the error shrinks with the edges. Never
/// longer than along edges. Triangles without area count by their edges, non-manifold ones all.
class SurfaceDistance {
  public:
    /// O(n). Throws InvalidInput, naming the triangle, for an index outside [0, n_vertices).
    SurfaceDistance(std::span<const Triangle> triangles, int n_vertices);

    /// All vertices at most `radius` (metres, 0 or more, infinite allowed) from the nearest of
    /// `sources`. `positions` has n_vertices points. Throws InvalidInput for a point that is not
    /// finite, a source out of range or a radius that is negative or no number.
    [[nodiscard]] GeodesicDistances within(std::span<const Vec3> positions,
                                           std::span<const int> sources, double radius) const;

    [[nodiscard]] int n_vertices() const { return n_vertices_; }

  private:
    std::vector<Triangle> triangles_;
    VertexTriangles around_;
    int n_vertices_ = 0;
};

namespace detail {
/// Distance of corner `c` from the source that `a` and `b` see at these distances, through the
/// triangle a, b, c; infinite where the straight way does not cross the edge a-b.
double distance_through(const Vec3& a, const Vec3& b, const Vec3& c, double at_a, double at_b);
}  // namespace detail

}  // namespace toile
