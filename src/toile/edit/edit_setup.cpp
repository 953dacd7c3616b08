// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/edit_setup.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/mesh/geometry.h"

#include <fmt/format.h>

#include <utility>

namespace toile::detail {
namespace {

constexpr int kGrain = 256;
constexpr double kGlueReach = 0.05;              // of the diagonal [editing.md]
constexpr double kWorstStretchCondition = 1000;  // that rule Stretch divides by

std::vector<Mat3> inverse_frames_of(const EditRegion& region, std::span<const TriangleHats> hats,
                                    std::span<const Vec3> positions) {
    std::vector<Mat3> inverses(hats.size(), Mat3::Zero());
    for (size_t k = 0; k < hats.size(); ++k) {
        if (hats[k].degenerate) continue;
        inverses[k] = frame_of(region.local_triangles[k], positions).inverse();
    }
    return inverses;
}

void require_well_shaped(const EditSetup& setup) {
    for (size_t k = 0; k < setup.hats.size(); ++k) {
        const double found = condition(frame_of(setup.region.local_triangles[k], setup.positions));
        if (!setup.changes[k] || found <= kWorstStretchCondition) continue;
        throw InvalidInput(
            fmt::format("Triangle {} is so thin before the edit that the rule 'stretch' would "
                        "magnify rounding (condition {:.3g}, at most {:g}); use the rule "
                        "'offsets'.",
                        setup.region.triangles[k], found, kWorstStretchCondition));
    }
}

bool needs_rest(EditRule rule) {
    return rule == EditRule::Printed || rule == EditRule::Conjugated;
}

double pull_length(const CarryOptions& options) {
    return options.rule == EditRule::Offsets ? options.pull_length : kWeakPullLength;
}

void take_rest(EditSetup& setup) {
    const std::vector<Vec3> rest = gather(setup.region, setup.options.rest);
    const std::vector<TriangleHats> hats = triangle_hats(rest, setup.region.local_triangles);
    for (size_t k = 0; k < hats.size(); ++k) {
        if (hats[k].degenerate || setup.hats[k].degenerate) {
            throw InvalidInput(fmt::format(
                "Triangle {} has no area {}; rules with a rest pose divide by it. Use the rule "
                "'offsets'.",
                setup.region.triangles[k],
                hats[k].degenerate ? "in the rest pose" : "before the edit"));
        }
        setup.rest_edges.push_back(edges_of(setup.region.local_triangles[k], rest));
    }
    setup.inverse_rest = inverse_frames_of(setup.region, hats, rest);
}

}  // namespace

Mat3 gradient_of(const TriangleHats& hats, const Triangle& corners, std::span<const Vec3> values) {
    Edges differences;
    differences << values[corners[1]] - values[corners[0]], values[corners[2]] - values[corners[0]];
    return gradient_of(hats, differences);
}

std::vector<Mat3> gradients_of(const EditSetup& setup, std::span<const Vec3> offsets) {
    std::vector<Mat3> gradients(setup.hats.size(), Mat3::Zero());
    parallel_for(static_cast<int>(gradients.size()), kGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            if (!setup.changes[k]) continue;
            gradients[k] = gradient_of(setup.hats[k], setup.region.local_triangles[k], offsets);
        }
    });
    return gradients;
}

EditSetup::EditSetup(std::vector<Triangle> triangles, std::vector<Vec3> before,
                     CarryOptions carry_options, std::span<const int> moved_now)
    : options(std::move(carry_options)),
      all_triangles(std::move(triangles)),
      original(std::move(before)),
      region(make_edit_region(all_triangles, static_cast<int>(original.size()), moved_now,
                              options.feather_rings)),
      positions(gather(region, original)),
      hats(triangle_hats(positions, region.local_triangles)),
      inverse_frames(inverse_frames_of(region, hats, positions)),
      system(region, hats, pull_length(options)) {
    if (needs_rest(options.rule)) take_rest(*this);
}

void EditSetup::set_edited(std::span<const Vec3> after, std::span<const int> moved_now) {
    edited = original;
    for (const int v : moved_now) edited[v] = after[v];
    moved.assign(moved_now.begin(), moved_now.end());

    full = {.strength = 1, .offsets = {}, .gradients = {}};
    is_moved.assign(region.vertices.size(), 0);
    for (size_t i = 0; i < region.vertices.size(); ++i) {
        const int v = region.vertices[i];
        full.offsets.emplace_back(edited[v] - original[v]);
        is_moved[i] = full.offsets[i] != Vec3::Zero();
    }
    changes.clear();
    for (const auto& [a, b, c] : region.local_triangles) {
        changes.push_back(is_moved[a] || is_moved[b] || is_moved[c]);
    }
    full.gradients = gradients_of(*this, full.offsets);
    loose.clear();
    if (options.glue) {
        const double reach = kGlueReach * bounding_box(original).diagonal();
        loose = find_loose_parts(region, positions, is_moved, reach);
    }
    if (options.rule == EditRule::Stretch) require_well_shaped(*this);
    ++version;
}

}  // namespace toile::detail
