// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/fit_quality.h"
#include "toile/correspondence/non_rigid_fit.h"
#include "toile/correspondence/pair_search.h"

#include <span>

namespace toile {

struct CorrespondenceOptions {
    FitOptions fit;
    PairSearchOptions pairs;
};

/// Everything as a kind of fit sets it (fit_options; the paper's three nearest within 90 degrees
/// for Classic).
CorrespondenceOptions correspondence_options(FitKind kind);

struct Correspondence {
    FitResult fit;
    TrianglePairs pairs;
    FitQuality quality;
};

/// Lays the source over the target, pairs their triangles and says how good that is. Warns of
/// implausible markers, and where much of the target is unmatched. `markers` as for fit_to_surface.
Correspondence correspond(const TriangleMesh& source, const TriangleMesh& target,
                          std::span<const Marker> markers, const CorrespondenceOptions& options,
                          const JobControl& control = {});

/// A colour (sRGB in [0, 1]) for every triangle of both meshes, so that equal colours are matched.
struct MatchColors {
    std::vector<Vec3> source;
    std::vector<Vec3> target;  ///< that of the nearest source triangle; grey where unmatched
};

/// Source triangles are coloured by where they lie in the source's box: x red, y green, z blue.
MatchColors match_colors(const TriangleMesh& source, const TrianglePairs& pairs);

}  // namespace toile
