// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/mesh/alignment.h"

#include <span>

namespace toile {

/// 100 times a distance over the diagonal of what it is measured on: 0 for 0, infinite for an
/// infinite distance or a diagonal of 0, never NaN for numbers that are not.
double percent_of(double distance, double diagonal);

/// Distances between vertices of equal index; metres.
struct VertexDifference {
    double max = 0;
    double mean = 0;
    double rms = 0;
    int worst_vertex = -1;  ///< where `max` is found first; -1 where there is no vertex
    double diagonal = 0;    ///< of the reference's bounding box
    AlignmentResult alignment;

    /// percent_of the diagonal.
    [[nodiscard]] double percent(double distance) const;
};

/// How far `positions`, moved to `reference` by the best motion of the given kind, stay from it.
/// Throws InvalidInput where the numbers of vertices differ, naming both. A vertex that is not
/// finite in the same way in both does not differ; else its distance, and all statistics, are
/// infinite, and only Alignment::None can be asked for.
VertexDifference vertex_difference(std::span<const Vec3> reference, std::span<const Vec3> positions,
                                   Alignment kind = Alignment::None);

}  // namespace toile
