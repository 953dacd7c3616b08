// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/edit_check.h"

#include "toile/core/error.h"
#include "toile/deformation/rotation.h"
#include "toile/edit/triangle_frame.h"
#include "toile/mesh/alignment.h"
#include "toile/mesh/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace toile {
namespace {

constexpr double kThin = 1e-4;  // height over longest edge
constexpr double kLargeTurn = 150 * std::numbers::pi / 180;
constexpr double kPlacementResidual = 1e-6;  // of the diagonal
constexpr size_t kListed = 5;

bool is_thin(const std::array<Vec3, 3>& p) {
    const double longest = std::max(
        {(p[1] - p[0]).squaredNorm(), (p[2] - p[1]).squaredNorm(), (p[0] - p[2]).squaredNorm()});
    return triangle_area_vector(p[0], p[1], p[2]).norm() < kThin * longest;
}

double turn_of(const Mat3& before, const Mat3& after) {
    const Mat3 rotation = nearest_rotation(after * before.inverse());
    return std::acos(std::clamp((rotation.trace() - 1) / 2, -1.0, 1.0));
}

void diagnose_triangle(const CarriedEdit& edit, int t, const Triangle& corners,
                       EditDiagnosis& out) {
    std::array<Vec3, 3> before, after;
    for (int c = 0; c < 3; ++c) {
        before[c] = edit.original()[corners[c]];
        after[c] = edit.edited()[corners[c]];
    }
    if (before == after) return;
    if (is_thin(before)) {
        out.thin.push_back(t);
        return;
    }
    const Vec3 n_before = triangle_area_vector(before[0], before[1], before[2]);
    const Vec3 n_after = triangle_area_vector(after[0], after[1], after[2]);
    if (n_before.dot(n_after) < 0) out.flipped.push_back(t);
    const double turn =
        turn_of(detail::frame_of({0, 1, 2}, before), detail::frame_of({0, 1, 2}, after));
    if (turn > kLargeTurn) out.turned.push_back(t);
    if (turn > out.largest_turn) {
        out.largest_turn = turn;
        out.largest_turn_triangle = t;
    }
}

bool is_placement(const CarriedEdit& edit) {
    if (edit.moved().size() != edit.original().size() || edit.moved().empty()) return false;
    const double diagonal = bounding_box(edit.original()).diagonal();
    const AlignmentResult fit = align(edit.original(), edit.edited(), Alignment::Rigid);
    return fit.rms <= kPlacementResidual * diagonal;
}

}  // namespace

EditDiagnosis diagnose_edit(const CarriedEdit& edit) {
    const EditRegion& region = edit.region();
    EditDiagnosis result;
    result.n_vertices = static_cast<int>(edit.original().size());
    result.n_moved = static_cast<int>(edit.moved().size());
    result.n_free = region.n_free;
    result.n_triangles = static_cast<int>(region.triangles.size());
    result.n_loose_parts = edit.n_loose_parts();
    result.radius = edit.radius();
    for (const int v : edit.moved()) {
        const double offset = (edit.edited()[v] - edit.original()[v]).norm();
        if (offset <= result.largest_offset) continue;
        result.largest_offset = offset;
        result.largest_vertex = v;
    }
    for (size_t k = 0; k < region.triangles.size(); ++k) {
        Triangle corners = region.local_triangles[k];
        for (int& corner : corners) corner = region.vertices[corner];
        diagnose_triangle(edit, region.triangles[k], corners, result);
    }
    result.is_placement = is_placement(edit);
    return result;
}

std::string first_few(std::span<const int> elements) {
    const auto listed = elements.first(std::min(kListed, elements.size()));
    std::string text = fmt::format("{}", fmt::join(listed, ", "));
    if (elements.size() > kListed) text += fmt::format(" and {} more", elements.size() - kListed);
    return text;
}

std::vector<std::string> edit_warnings(const EditDiagnosis& d, bool partial) {
    std::vector<std::string> warnings;
    if (d.n_moved == 0) {
        warnings.push_back(fmt::format("The edit of frame {} moves no vertex.", d.frame));
    }
    if (d.window_weight < 1) {
        warnings.push_back(
            fmt::format("Frame {} itself comes out with {:.3g} of its edit: it stands where the "
                        "window eases or ends.",
                        d.frame, d.window_weight));
    }
    if (!d.thin.empty()) {
        warnings.push_back(
            fmt::format("{} triangles that the edit of frame {} moves are thin or without area "
                        "before it, so that their turn is a guess: {}.",
                        d.thin.size(), d.frame, first_few(d.thin)));
    }
    if (!d.flipped.empty()) {
        warnings.push_back(
            fmt::format("The edit of frame {} turns {} triangles over, and so it will be "
                        "carried: {}.",
                        d.frame, d.flipped.size(), first_few(d.flipped)));
    }
    if (partial && !d.turned.empty()) {
        warnings.push_back(fmt::format(
            "The edit of frame {} turns {} triangles by more than 150 degrees ({:.0f} at triangle "
            "{}); a strength but 0 and 1 may turn them the wrong way round. Give an edited frame "
            "between.",
            d.frame, d.turned.size(), d.largest_turn * 180 / std::numbers::pi,
            d.largest_turn_triangle));
    }
    return warnings;
}

void require_same_connectivity(std::span<const Triangle> triangles, int n_vertices,
                               std::span<const Triangle> edited_triangles, int n_edited_vertices,
                               const std::string& name) {
    if (n_vertices != n_edited_vertices || triangles.size() != edited_triangles.size()) {
        throw InvalidInput(fmt::format(
            "{} has {} vertices and {} triangles; the sequence has {} and {}. An edit must keep "
            "them all.",
            name, n_edited_vertices, edited_triangles.size(), n_vertices, triangles.size()));
    }
    const auto [found, expected] =
        std::mismatch(edited_triangles.begin(), edited_triangles.end(), triangles.begin());
    if (found == edited_triangles.end()) return;
    throw InvalidInput(fmt::format(
        "{}: triangle {} is ({}, {}, {}); in the sequence it is ({}, {}, {}). An edit must keep "
        "triangles and vertex order.",
        name, found - edited_triangles.begin(), (*found)[0], (*found)[1], (*found)[2],
        (*expected)[0], (*expected)[1], (*expected)[2]));
}

}  // namespace toile
