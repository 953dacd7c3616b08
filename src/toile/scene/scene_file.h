// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/scene.h"

#include <filesystem>
#include <string>

namespace toile {

/// The scene of a TOML file, or of an `environment` folder (environment_folder.h), with all
/// defaults filled in and mesh paths made absolute. Throws IoError where it cannot be read and
/// InvalidInput, naming file, line, column, key, the value found and the one expected, where it is
/// not a scene; unknown keys are errors. Mesh files are not opened.
Scene load_scene(const std::filesystem::path& path);

/// The same from text; `path` names it in messages and is what mesh paths are relative to.
Scene parse_scene(const std::string& text, const std::filesystem::path& path);

/// The scene as TOML, every key spelled out, such that parsing it in `folder` gives an equal scene;
/// mesh paths inside `folder` are written relative to it.
std::string scene_text(const Scene& scene, const std::filesystem::path& folder);

/// The scene reference in Markdown, made from the table that the reader uses: docs/scene.md.
std::string scene_reference();

}  // namespace toile
