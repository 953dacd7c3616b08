// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/non_rigid_fit.h"
#include "toile/correspondence/triangle_pairs.h"

#include <vector>

namespace toile {

/// A place where the laid-over source stands off the target.
struct BadPlace {
    int vertex = -1;      ///< of the source
    double distance = 0;  ///< percent of the target's diagonal
};

/// Target triangles next to each other that have no pair.
struct UnmatchedPatch {
    int first_triangle = -1;  ///< the lowest
    int n_triangles = 0;
    double area_share = 0;  ///< of the target's area, percent
};

/// What a fit is worth. Distances are percent of the target's bounding-box diagonal.
struct FitQuality {
    double mean = 0;  ///< of the laid-over source's vertices from the target
    double p95 = 0;
    double max = 0;
    double pulled_share = 0;  ///< percent of the source's vertices that had a valid closest point
    int n_folds = 0;          ///< edges whose two normals came to differ by more than kFoldAngle
    int n_pairs = 0;
    int n_unmatched = 0;                    ///< target triangles
    double covered_area = 0;                ///< of the target, percent, that has pairs
    int n_source_unused = 0;                ///< source triangles of no pair
    std::vector<BadPlace> worst_places;     ///< worst first, at most ten, apart from each other
    std::vector<UnmatchedPatch> unmatched;  ///< largest first, at most ten
};

/// 100 degrees; edges that differ as much at rest do not count as folds.
inline constexpr double kFoldAngle = 1.7453292519943295;

FitQuality measure_fit(const TriangleMesh& source, const TriangleMesh& target, const FitResult& fit,
                       const TrianglePairs& pairs);

}  // namespace toile
