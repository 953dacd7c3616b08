// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/checkpoint.h"

#include "toile/core/error.h"
#include "toile/core/hash.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace toile {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::string_view kMagic = "TOILESTA";
constexpr std::uint32_t kVersion = 1;
constexpr size_t kBytesPerVertex = 3 * sizeof(Vec3);

/// What stands before the vertices; plain old data without padding.
struct Header {
    char magic[8];
    std::uint32_t version;
    std::int32_t frame, tick, halvings, successes, patience, just_grown, reserved;
    std::uint64_t scene_hash;
    std::uint64_t n_vertices;
};
static_assert(sizeof(Header) == 56);

std::uint64_t checksum(std::string_view bytes) {
    return Hash().add(std::as_bytes(std::span<const char>(bytes))).value();
}

void append(std::string& out, const void* data, size_t n_bytes) {
    out.append(static_cast<const char*>(data), n_bytes);
}

void take(std::string_view& bytes, void* out, size_t n_bytes) {
    std::memcpy(out, bytes.data(), n_bytes);
    bytes.remove_prefix(n_bytes);
}

}  // namespace

std::string checkpoint_bytes(const Checkpoint& checkpoint) {
    const WorldState& state = checkpoint.state;
    const StepControl& c = state.control;
    Header header = {{},
                     kVersion,
                     c.frame,
                     c.tick,
                     c.halvings,
                     c.successes,
                     c.patience,
                     c.just_grown ? 1 : 0,
                     0,
                     checkpoint.scene_hash,
                     state.positions.size()};
    std::memcpy(header.magic, kMagic.data(), kMagic.size());
    std::string bytes;
    bytes.reserve(sizeof(Header) + state.positions.size() * kBytesPerVertex +
                  sizeof(std::uint64_t));
    append(bytes, &header, sizeof(Header));
    for (const auto* values : {&state.positions, &state.velocities, &state.last_changes}) {
        append(bytes, values->data(), values->size() * sizeof(Vec3));
    }
    const std::uint64_t sum = checksum(bytes);
    append(bytes, &sum, sizeof(sum));
    return bytes;
}

Checkpoint parse_checkpoint(std::string_view bytes, const std::string& name) {
    const auto fail = [&](const std::string& what) {
        throw InvalidInput(fmt::format("{}: {}", name, what));
    };
    Header header;
    if (bytes.size() < sizeof(Header) + sizeof(std::uint64_t) || !bytes.starts_with(kMagic)) {
        fail("This is not a checkpoint of Toile, or its end is missing.");
    }
    std::string_view rest = bytes;
    take(rest, &header, sizeof(Header));
    if (header.version != kVersion) {
        fail(fmt::format("Checkpoint of version {}; expected {}.", header.version, kVersion));
    }
    if (rest.size() / kBytesPerVertex != header.n_vertices ||
        rest.size() % kBytesPerVertex != sizeof(std::uint64_t)) {
        fail(fmt::format("The checkpoint announces {} vertices, but has {} bytes for them.",
                         header.n_vertices, rest.size() - sizeof(std::uint64_t)));
    }
    std::uint64_t sum = 0;
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
    if (sum != checksum(bytes.substr(0, bytes.size() - sizeof(sum)))) {
        fail("The checkpoint's checksum does not match its content; it is damaged.");
    }
    Checkpoint checkpoint;
    checkpoint.scene_hash = header.scene_hash;
    WorldState& state = checkpoint.state;
    state.control = {header.frame,     header.tick,     header.halvings,
                     header.successes, header.patience, header.just_grown != 0};
    for (auto* values : {&state.positions, &state.velocities, &state.last_changes}) {
        values->resize(header.n_vertices);
        take(rest, values->data(), values->size() * sizeof(Vec3));
    }
    return checkpoint;
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    write_file(path, checkpoint_bytes(checkpoint), {.overwrite = true});
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    return parse_checkpoint(read_bytes(path), path.string());
}

}  // namespace toile
