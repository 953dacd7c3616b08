// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/edit/edit_setup.h"

#include <span>
#include <vector>

namespace toile::detail {

/// How the region stands in a frame compared with the edited frame.
struct PoseMaps {
    std::vector<Mat3> gradients;         ///< F of each triangle; identity where nothing is edited
    std::vector<Mat3> rotations;         ///< R(F), perhaps smoothed
    std::vector<Mat3> vertex_rotations;  ///< of moved vertices; identity for the others
    CarryReport report;
};

/// Fills `out_maps` (memory is reused). `positions` are those of the region in the frame.
void map_pose(const EditSetup& setup, std::span<const Vec3> positions, PoseMaps& out_maps);

/// Moves loose parts so that they stand to their neighbours as in the edited frame, turned with
/// them. `edit` is what is carried, `inout_offsets` (of the region) what the solve gave.
void glue_loose_parts(const EditSetup& setup, const RealisedEdit& edit, const PoseMaps& maps,
                      std::span<Vec3> inout_offsets);

}  // namespace toile::detail
