// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/scene.h"

#include <filesystem>
#include <string>
#include <vector>

namespace toile {

struct SceneExport {
    std::filesystem::path scene;
    std::vector<std::filesystem::path> meshes;
};

/// Writes a scene as TOML with the meshes of its bodies beside it, NAME.obj, not yet in their
/// places: a run of the file gives the same bits as one of `scene`. Shapes stay shapes, and frames
/// of animated bodies where they are. Meshes are written first, the scene last. Throws IoError
/// where a file is there already, unless told to overwrite, before any is written; and as
/// body_mesh does.
SceneExport export_scene(const Scene& scene, const std::filesystem::path& path, bool overwrite);

}  // namespace toile
