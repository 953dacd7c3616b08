// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/triangle_pairs.h"
#include "toile/mesh/triangle_mesh.h"

#include <span>
#include <vector>

namespace toile {

enum class PairWeights {
    One,           ///< every pair counts alike, as in the thesis
    AreaOverPairs  ///< the target triangle's area over the number of its pairs
};

/// The slow twin of DeformationTransfer: the system as [Lazos12, eqs. 2.12-2.19] writes it, with a
/// fourth vertex of every triangle as a further unknown, three rows a pair and an identity for each
/// unmatched triangle; solved by its normal equations for one pose. With PairWeights::AreaOverPairs
/// it has the minimiser of DeformationTransfer, since fourth vertices take up what the wanted
/// gradients do across their triangles. The first vertex of each component stays at rest. For
/// tests: every target triangle must have area.
std::vector<Vec3> thesis_transfer(const TriangleMesh& source_rest,
                                  std::span<const Vec3> source_pose, const TriangleMesh& target,
                                  const TrianglePairs& pairs, PairWeights weights);

}  // namespace toile
