// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/environment_text.h"
#include "toile/scene/scene.h"

#include <filesystem>
#include <span>
#include <vector>

namespace toile {

/// The vertices that a block of a `vel_` file leads, from its time to that of the next.
struct VelocityBlock {
    /// One vertex of a block.
    struct Lead {
        int vertex = 0;
        Vec3 velocity = {0, 0, 0};  ///< m/s
        int line = 0;
    };
    double time = 0;  ///< s
    std::vector<Lead> leads;
};

/// Reads a `vel_` file. Throws InvalidInput with file and line where times do not rise, a count
/// does not fit, or a vertex is led twice in a block.
std::vector<VelocityBlock> parse_velocity_blocks(const EnvironmentText& text);

/// The pins that blocks stand for: a vertex is held for as long as blocks in a row lead it.
/// Vertices that are always led alike share a pin.
std::vector<PinSetup> pins_of_blocks(std::span<const VelocityBlock> blocks,
                                     const EnvironmentText& text);

/// Whether a folder is a scene folder of the simulator of [Manen10]: it has a `bodies/body_list`.
bool is_environment_folder(const std::filesystem::path& folder);

/// How long a scene without an end goes on after the last change of a velocity, s.
inline constexpr double kEnvironmentTail = 2;

/// The scene of such a folder [Manen10, §2.3.1]: z is up, gravity is along -z, and a cloth's fabric
/// is cotton but for density and thickness, since the folder knows no stiffness. It says
/// nothing of an end: frames go on for kEnvironmentTail after the last velocity block of all
/// bodies. Meshes are not opened. Throws IoError and InvalidInput, naming file and line, where a
/// file is missing or wrong.
Scene load_environment(const std::filesystem::path& folder);

}  // namespace toile
