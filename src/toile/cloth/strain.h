// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth.h"

#include <span>
#include <vector>

namespace toile {

/// How one triangle is deformed; all zero at rest, and for a triangle without rest area.
struct TriangleStrain {
    double warp = 0;      ///< |w_u| - 1: relative elongation along warp
    double weft = 0;      ///< |w_v| - 1
    double shear = 0;     ///< rad: how far the angle between warp and weft is from a right one
    double largest = 0;   ///< principal: largest singular value of the deformation, less 1
    double smallest = 0;  ///< principal: smallest singular value, less 1
};

TriangleStrain triangle_strain(const MembraneShape& shape, const std::array<Vec3, 3>& corners);

/// Of every triangle.
std::vector<TriangleStrain> strains(const Cloth& cloth, std::span<const Vec3> positions);

/// The largest of |warp|, |weft| and the principal strains' sizes, and the triangle that has it.
struct MaxStrain {
    double value = 0;
    int triangle = -1;
};
MaxStrain max_strain(const Cloth& cloth, std::span<const Vec3> positions);

/// The largest change of a warp or weft strain between two shapes.
MaxStrain max_strain_change(const Cloth& cloth, std::span<const Vec3> before,
                            std::span<const Vec3> after);

}  // namespace toile
