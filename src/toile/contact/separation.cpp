// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/separation.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr double kFloatRounding = 0x1p-24;  // largest relative error of rounding to float32
constexpr double kRoundingRoom = 8;         // sqrt(3) x 2 sides = 3.47, and room for growth
constexpr double kResponseRoom = 1.05;      // the response keeps this much more than asked for
constexpr double kKeptGap = 0.9;            // of the gap a pair starts with
constexpr double kCertifiedGap = 0.8;       // of the same, where it is below `rounding`
constexpr double kLeastRounding = 0.5;      // of `rounding`: 4 x 2^-24, still more than 3.47

/// The given share of a gap; what is above `least` is shared alone, so that it never goes below.
double share_of(double gap, double share, double least) {
    return gap > least ? least + share * (gap - least) : share * gap;
}

double largest_coordinate(const StencilPoints& x) {
    const auto largest = [](const Vec3& a, const Vec3& b) {
        return std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff());
    };
    return std::max(largest(x[0], x[1]), largest(x[2], x[3]));
}

}  // namespace

double Separation::of_hit(double pair_thickness, double start_gap) const {
    const double floor = kResponseRoom * rounding;
    const double wanted = std::max(thickness_share * pair_thickness, 2 * floor);
    if (start_gap <= floor) return share_of(start_gap, kKeptGap, kLeastRounding * rounding);
    return std::min(wanted, std::max(kKeptGap * start_gap, floor));
}

double Separation::of_certificate(double start_gap) const {
    if (start_gap > kResponseRoom * rounding) return rounding;
    return share_of(start_gap, kCertifiedGap, kLeastRounding * rounding);
}

double rounding_gap(double largest) {
    return kRoundingRoom * kFloatRounding * largest;
}

double rounding_gap(const StencilPoints& start, const StencilPoints& end) {
    return rounding_gap(std::max(largest_coordinate(start), largest_coordinate(end)));
}

void require_finite(std::span<const Vec3> positions) {
    for (size_t v = 0; v < positions.size(); ++v) {
        const Vec3& x = positions[v];
        if (x.allFinite()) continue;
        throw InvalidInput(
            fmt::format("Vertex {} of the contact surface is at ({}, {}, {}); "
                        "positions must be finite.",
                        v, x[0], x[1], x[2]));
    }
}

}  // namespace toile
