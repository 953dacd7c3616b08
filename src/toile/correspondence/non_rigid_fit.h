// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/closest_point.h"
#include "toile/core/cancellation.h"
#include "toile/core/progress.h"
#include "toile/correspondence/markers.h"
#include "toile/mesh/alignment.h"
#include "toile/mesh/triangle_mesh.h"

#include <span>
#include <string_view>
#include <vector>

namespace toile {

/// Which energy shapes the source between its markers.
enum class FitKind {
    Plate,    ///< n unknowns; pulls along normals
    Full,     ///< the paper's n + m unknowns; pulls along normals
    Classic,  ///< the paper's: n + m unknowns, weak identity, pulls to points, wherever they are
};

/// Kind named `plate`, `full` or `classic`; InvalidInput for another name.
FitKind parse_fit_kind(std::string_view name);

/// All that shapes a fit, as a kind sets it. Weights are dimensionless: lengths are measured in
/// mean edges of the source.
struct FitOptions {
    FitKind kind = FitKind::Plate;
    double smoothness = 1;
    double identity = 1;
    /// Weights of the pull to the surface, a solve each.
    std::vector<double> pulls = {0, 5e-4, 0.02, 0.4, 2};
    double tangential =
        0.01;  ///< part of a pull that also acts along the surface; 1: point to point
    double max_pull_distance = 0.05;             ///< of the target's diagonal
    double max_pull_angle = 1.0471975511965976;  ///< radians, between normals
    bool pull_to_border = false;
    bool align = true;  ///< bring the source to the target by the markers' similarity first
};

/// The settings of a kind.
FitOptions fit_options(FitKind kind);

/// The name that parse_fit_kind knows.
std::string_view fit_kind_name(FitKind kind);

/// How well a marker agrees with the others.
struct MarkerResidual {
    Vec3 predicted = Vec3::Zero();  ///< where the other markers alone put its source vertex; m
    double distance = 0;            ///< from there to its target vertex; m
    bool implausible = false;       ///< far more than the other markers'
};

/// A source laid over a target.
struct FitResult {
    std::vector<Vec3> positions;       ///< of the source's vertices, in the target's place and unit
    Transform alignment;               ///< from the source's place to the target's
    std::vector<SurfacePoint> pulled;  ///< last closest points; triangle -1 where none counted
    std::vector<MarkerResidual> markers;
    int iterations = 0;  ///< of conjugate gradients, all solves together
    FitKind kind = FitKind::Plate;
};

/// What a long job is run with; both may be left out.
struct JobControl {
    ProgressCallback progress = {};
    const Cancellation* cancellation = nullptr;
};

/// Deforms the source until it lies on the target: markers exactly, the rest smoothly and, solve by
/// solve, nearer to the closest points of the target [Sumner04, sec. 5]. Any units, places and
/// orientations. Vertices of no triangle only move with the alignment; parts without a marker move
/// with it and are then pulled. `markers` must be holdable (require_holdable). Throws InvalidInput
/// where there is no marker or triangle or a coordinate is not finite, ComputationFailed where the
/// system cannot be solved, Interrupted where cancelled.
FitResult fit_to_surface(const TriangleMesh& source, const TriangleMesh& target,
                         std::span<const Marker> markers, const FitOptions& options,
                         const JobControl& control = {});

}  // namespace toile
