// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sim/world.h"

#include <cstdint>
#include <filesystem>

namespace toile {

/// The world's scene with every body's mesh at `folder`/NAME.obj, already in its place: what a run
/// folder keeps, so that it needs no other file; but for the frames of an animated body, which stay
/// where they are.
Scene self_contained_scene(const World& world, const std::filesystem::path& folder);

/// Names what a world does, wherever its files lie and however many frames are asked for: a hash of
/// its self-contained scene and its meshes.
std::uint64_t scene_hash(const World& world);

}  // namespace toile
