// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/item.h"
#include "toile/scene/scene.h"

#include <filesystem>
#include <optional>
#include <string>

namespace toile::studio {

/// What a file or folder would be opened as.
enum class FileKind { Mesh, Sequence, Scene, Run, Markers, Pairs, Other };

const char* file_kind_name(FileKind kind);

/// By name, and for a folder by what lies in it; opens no mesh.
FileKind file_kind(const std::filesystem::path& path);

/// What can be looked at in a file or folder: a scene or `environment` folder, a run folder, a
/// point cache with its mesh (`rest`, else the one beside it), a pattern or folder of numbered
/// meshes, a mesh. Number, root and path are left to the workspace. Throws IoError or InvalidInput
/// that says what it found.
Item load_item(const std::filesystem::path& path,
               const std::optional<std::filesystem::path>& rest = {});

/// A sequence whose files are known; the mesh of the files, or of the first frame, is its surface.
Item sequence_item(const SequenceFiles& files, std::string name);

/// The bodies of a scene in their places at the start, without frames; `source` is left to the
/// caller.
ItemContent::Facts scene_facts(const Scene& scene);

}  // namespace toile::studio
