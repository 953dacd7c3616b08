// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth.h"
#include "toile/mesh/triangle_mesh.h"
#include "toile/scene/scene.h"
#include "toile/sim/run_files.h"

namespace toile {

/// The cloth, as it lies at rest, of a run's scene, for the frames of `mesh`, which is what the run
/// holds as NAME.obj. A scene that was edited after the run can name another mesh: throws
/// InvalidInput, with both files, where the two have not the same triangles, and as make_cloth_body
/// does.
Cloth make_run_cloth(const ClothSetup& setup, const RunFiles& files, const TriangleMesh& mesh);

}  // namespace toile
