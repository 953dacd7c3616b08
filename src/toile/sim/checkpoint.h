// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sim/world_state.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace toile {

/// A world's state and the scene that it belongs to.
struct Checkpoint {
    std::uint64_t scene_hash = 0;
    WorldState state;

    bool operator==(const Checkpoint&) const = default;
};

/// The bytes of a checkpoint, little-endian: `TOILESTA`, version, scene hash, step control;
/// positions, velocities, last changes and both kinds of holds, each with its count before it;
/// FNV-1a of all before.
std::string checkpoint_bytes(const Checkpoint& checkpoint);

/// The checkpoint of such bytes. Throws InvalidInput, beginning with `name`, where they are none,
/// are of another version, are cut, or do not match their checksum.
Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name);

/// Writes it whole or not at all, over one that is there.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace toile
