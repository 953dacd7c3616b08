// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/table.h"

#include "toile/core/error.h"
#include "toile/mesh/shapes/append.h"
#include "toile/mesh/shapes/box.h"
#include "toile/mesh/shapes/cylinder.h"
#include "toile/mesh/shapes/shape_checks.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

/// Between leg and top, in thicknesses of the top.
constexpr double kLegGap = 0.01;

double leg_height(const TableOptions& options) {
    return options.height - (1 + kLegGap) * options.top_thickness;
}

void check(const TableOptions& options) {
    detail::require_length(options.width, "table's width");
    detail::require_length(options.length, "table's length");
    detail::require_length(options.height, "table's height");
    detail::require_length(options.top_thickness, "table's top thickness");
    detail::require_length(options.leg_radius, "table's leg radius");
    detail::require_length(options.leg_inset, "table's leg inset");
    if (!(leg_height(options) > 0)) {
        throw InvalidInput(
            fmt::format("The table's height of {} m leaves no room for legs below a top "
                        "of {} m.",
                        options.height, options.top_thickness));
    }
    const double room = 0.5 * std::min(options.width, options.length) - options.leg_inset;
    if (!(room > options.leg_radius)) {
        throw InvalidInput(fmt::format(
            "The table's legs overlap: with an inset of {} m and a radius of {} m they need a top "
            "of "
            "more than {} m; found {} by {} m.",
            options.leg_inset, options.leg_radius, 2 * (options.leg_inset + options.leg_radius),
            options.width, options.length));
    }
}

TriangleMesh make_top(const TableOptions& options) {
    return make_box(
        {.size = {options.width, options.top_thickness, options.length},
         .divisions = {options.width_divisions, 1, options.length_divisions},
         .center = options.foot + Vec3(0, options.height - 0.5 * options.top_thickness, 0)});
}

TriangleMesh make_leg(const TableOptions& options, double side_x, double side_z) {
    const double x = side_x * (0.5 * options.width - options.leg_inset);
    const double z = side_z * (0.5 * options.length - options.leg_inset);
    return make_cylinder({.radius = options.leg_radius,
                          .height = leg_height(options),
                          .segments = options.leg_segments,
                          .height_divisions = 1,
                          .cap_rings = 1,
                          .center = options.foot + Vec3(x, 0.5 * leg_height(options), z)});
}

}  // namespace

TriangleMesh make_table(const TableOptions& options) {
    check(options);
    TriangleMesh mesh = make_top(options);
    for (const double side_z : {-1.0, 1.0}) {
        for (const double side_x : {-1.0, 1.0}) {
            detail::append_part(make_leg(options, side_x, side_z), mesh);
        }
    }
    return mesh;
}

}  // namespace toile
