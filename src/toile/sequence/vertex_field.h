// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// A number for every vertex of one frame, for colours.
struct VertexField {
    std::vector<double> values;  ///< NaN where there is nothing to tell
    std::string unit;            ///< empty for a ratio
    /// Of the values that are numbers; both 0 where there are none.
    double minimum = 0;
    double maximum = 0;
};

/// With minimum and maximum of `values`.
VertexField make_vertex_field(std::vector<double> values, std::string unit);

/// m/s: how far every vertex goes from one frame to the next, times the frame rate. Throws
/// InvalidInput where counts differ or the rate is not above 0; so do those below.
VertexField speed_field(std::span<const Vec3> before, std::span<const Vec3> after,
                        double frame_rate);

/// m: distance of every vertex from where it is in the first frame.
VertexField displacement_field(std::span<const Vec3> first, std::span<const Vec3> here);

/// Strain against a shape at rest, set up once for a mesh.
class StrainField {
  public:
    /// Throws InvalidInput for an index out of range.
    StrainField(std::span<const Vec3> rest, std::span<const Triangle> triangles);

    /// For every vertex the mean, by area at rest, of its triangles' largest principal stretch less
    /// 1: 0.1 is a tenth longer, and a uniform squeeze is below 0. Triangles that have no area at
    /// rest do not count; NaN for a vertex of no other.
    [[nodiscard]] VertexField of(std::span<const Vec3> positions) const;

    /// The same from a value for each triangle, as cloth/strain.h has them.
    [[nodiscard]] VertexField of_triangles(std::span<const double> strains) const;

  private:
    std::vector<Triangle> triangles_;
    std::vector<Mat2> inverses_;  ///< of the edges at rest in the triangle's plane; 1/m
    std::vector<double> areas_;   ///< m²; 0 where the triangle does not count
    size_t n_vertices_ = 0;
};

}  // namespace toile
