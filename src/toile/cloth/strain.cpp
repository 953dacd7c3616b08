// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/strain.h"

#include "toile/core/parallel.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kGrain = 512;

std::array<Vec3, 3> corners_of(const ShellTriangle& shell, std::span<const Vec3> positions) {
    return {positions[shell.vertices[0]], positions[shell.vertices[1]],
            positions[shell.vertices[2]]};
}

/// The larger one; of two equal ones the first. What is not a number is larger than anything.
MaxStrain larger(const MaxStrain& a, const MaxStrain& b) {
    return b.value > a.value || (std::isnan(b.value) && !std::isnan(a.value)) ? b : a;
}

template <class StrainOf>
MaxStrain largest(const Cloth& cloth, const StrainOf& strain_of) {
    const auto map = [&](int begin, int end) {
        MaxStrain worst;
        for (int t = begin; t < end; ++t) worst = larger(worst, {strain_of(cloth.shells()[t]), t});
        return worst;
    };
    return parallel_reduce(cloth.n_triangles(), kGrain, MaxStrain{}, map, larger);
}

}  // namespace

TriangleStrain triangle_strain(const MembraneShape& shape, const std::array<Vec3, 3>& corners) {
    if (!(shape.area > 0)) return {};
    const Stretch w = stretch(shape, corners);
    const double uu = w.warp.squaredNorm(), vv = w.weft.squaredNorm(), uv = w.warp.dot(w.weft);
    const double mean = (uu + vv) / 2, radius = std::hypot((uu - vv) / 2, uv);
    const double product = std::sqrt(uu * vv);
    return {.warp = std::sqrt(uu) - 1,
            .weft = std::sqrt(vv) - 1,
            .shear = product > 0 ? std::asin(std::clamp(uv / product, -1.0, 1.0)) : 0.0,
            .largest = std::sqrt(mean + radius) - 1,
            .smallest = std::sqrt(std::max(0.0, mean - radius)) - 1};
}

std::vector<TriangleStrain> strains(const Cloth& cloth, std::span<const Vec3> positions) {
    std::vector<TriangleStrain> result;
    for (const ShellTriangle& shell : cloth.shells()) {
        result.push_back(triangle_strain(shell.membrane, corners_of(shell, positions)));
    }
    return result;
}

MaxStrain max_strain(const Cloth& cloth, std::span<const Vec3> positions) {
    return largest(cloth, [&](const ShellTriangle& shell) {
        const TriangleStrain s = triangle_strain(shell.membrane, corners_of(shell, positions));
        return std::max(
            {std::abs(s.warp), std::abs(s.weft), std::abs(s.largest), std::abs(s.smallest)});
    });
}

MaxStrain max_strain_change(const Cloth& cloth, std::span<const Vec3> before,
                            std::span<const Vec3> after) {
    return largest(cloth, [&](const ShellTriangle& shell) {
        if (!(shell.membrane.area > 0)) return 0.0;
        const Stretch a = stretch(shell.membrane, corners_of(shell, before));
        const Stretch b = stretch(shell.membrane, corners_of(shell, after));
        const double warp = std::abs(b.warp.norm() - a.warp.norm());
        const double weft = std::abs(b.weft.norm() - a.weft.norm());
        return std::isnan(warp) ? warp : std::max(warp, weft);
    });
}

}  // namespace toile
