// SPDX-License-Identifier: Apache-2.0
#include "toile/io/glb.h"

#include "toile/core/error.h"
#include "toile/io/binary.h"
#include "toile/io/float_points.h"
#include "toile/io/glb_document.h"
#include "toile/mesh/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace toile {
namespace {

// Numbers of the glTF 2.0 specification.
constexpr std::uint32_t kMagic = 0x46546C67;
constexpr std::uint32_t kVersion = 2;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;
constexpr long long kMostBytes = std::numeric_limits<std::uint32_t>::max();
constexpr long long kWeightBytes = sizeof(float);
constexpr size_t kCopyBytes = 1 << 20;

void append_uvs(const std::vector<Vec2>& uvs, std::string& out) {
    for (const Vec2& uv : uvs) {
        append_value(to_float32(uv.x(), "GLB"), out);
        append_value(to_float32(1 - uv.y(), "GLB"), out);  // glTF counts v from the top
    }
}

void append_triangles(std::span<const Triangle> triangles, std::string& out) {
    for (const Triangle& corners : triangles) {
        for (const int v : corners) append_value(static_cast<std::uint32_t>(v), out);
    }
}

/// The bytes of `floats`, and where they range.
std::string float_bytes(std::span<const float> floats, Vec3& out_min, Vec3& out_max) {
    std::string bytes;
    bytes.reserve(4 * floats.size());
    out_min = Vec3::Constant(std::numeric_limits<double>::infinity());
    out_max = -out_min;
    for (size_t k = 0; k < floats.size(); ++k) {
        append_value(floats[k], bytes);
        const auto value = static_cast<double>(floats[k]);
        const auto axis = static_cast<Eigen::Index>(k % 3);
        out_min[axis] = std::min(out_min[axis], value);
        out_max[axis] = std::max(out_max[axis], value);
    }
    return bytes;
}

std::vector<float> to_floats(std::span<const Vec3> points) {
    std::vector<float> floats;
    floats.reserve(3 * points.size());
    for (const Vec3& p : points) {
        for (const double x : p) floats.push_back(to_float32(x, "GLB"));
    }
    return floats;
}

/// In place: what is to be added to `base`.
void subtract(std::span<const float> base, std::span<float> inout) {
    for (size_t k = 0; k < inout.size(); ++k) inout[k] -= base[k];
}

}  // namespace

GlbWriter::GlbWriter(std::filesystem::path path, std::vector<BodyTrack> bodies, GlbOptions options)
    : path_(std::move(path)), options_(options), scratch_(path_.parent_path()) {
    check_output(path_, {.overwrite = options_.overwrite});
    if (!(options_.frame_rate > 0) || !std::isfinite(options_.frame_rate)) {
        throw InvalidInput(fmt::format("{}: expected a frame rate above 0, found {}.",
                                       path_.string(), options_.frame_rate));
    }
    if (bodies.empty()) {
        throw InvalidInput(fmt::format("{}: there is no body to write.", path_.string()));
    }
    for (BodyTrack& track : bodies) {
        if (track.mesh.positions.empty()) {
            throw InvalidInput(fmt::format("{}: '{}' has no vertices, and glTF cannot keep that.",
                                           path_.string(), track.name));
        }
        require_valid_indices(track.mesh.triangles, track.mesh.n_vertices());
        std::optional<std::vector<Vec2>> uvs = detail::vertex_uvs(track.mesh);
        bodies_.push_back({.track = std::move(track),
                           .uvs = std::move(uvs),
                           .base = {},
                           .base_normals = {},
                           .pieces = {}});
    }
}

/// Vertex data of the next frame.
long long GlbWriter::frame_bytes() const {
    long long n_bytes = 0;
    for (const detail::GlbBody& body : bodies_) {
        if (n_frames_ > 0 && !body.track.moves) continue;
        const bool normals = options_.normals && !body.track.mesh.triangles.empty();
        n_bytes += static_cast<long long>(kFloatPointBytes * body.track.mesh.positions.size()) *
                   (normals ? 2 : 1);
    }
    return n_bytes;
}

bool GlbWriter::anything_moves() const {
    return std::ranges::any_of(bodies_, [](const detail::GlbBody& b) { return b.track.moves; });
}

/// One of every frame for every target, which every frame but the first has.
long long GlbWriter::weights_of(int n_frames) const {
    return anything_moves() ? static_cast<long long>(n_frames) * (n_frames - 1) : 0;
}

/// Looked at before a frame is written, so that nobody waits for what cannot be.
void GlbWriter::refuse_too_large() const {
    const long long weight_bytes = kWeightBytes * weights_of(n_frames_ + 1);
    if (scratch_.size() + frame_bytes() + weight_bytes > kMostBytes) fail_too_large(n_frames_);
}

void GlbWriter::fail_too_large(int last_frame) const {
    throw InvalidInput(fmt::format(
        "{}: a GLB holds at most 4 GiB, and the frames 0 to {} take more; write fewer frames, or "
        "a point cache (.pc2).",
        path_.string(), last_frame));
}

void GlbWriter::append_normals(detail::GlbBody& body, std::span<const Vec3> positions, bool first) {
    std::vector<Vec3> normals = vertex_normals(positions, body.track.mesh.triangles);
    for (Vec3& n : normals) {
        if (n.isZero(0)) n = Vec3::UnitY();  // glTF wants unit vectors of all
    }
    std::vector<float> floats = to_floats(normals);
    if (first) {
        body.base_normals = floats;
    } else {
        subtract(body.base_normals, floats);
    }
    Vec3 min, max;
    scratch_.append(float_bytes(floats, min, max));
}

void GlbWriter::write_body(detail::GlbBody& body, std::span<const Vec3> positions) {
    const size_t n = body.track.mesh.positions.size();
    if (positions.size() != n) {
        throw InvalidInput(fmt::format("{}: frame {} of '{}' has {} vertices; its mesh has {}.",
                                       path_.string(), n_frames_, body.track.name, positions.size(),
                                       n));
    }
    const bool first = n_frames_ == 0;
    if (!first && !body.track.moves) return;
    const bool normals = options_.normals && !body.track.mesh.triangles.empty();
    std::vector<float> floats = to_floats(positions);
    if (first) {
        body.base = floats;
    } else {
        subtract(body.base, floats);
    }
    detail::GlbPiece piece{.offset = scratch_.size()};
    scratch_.append(float_bytes(floats, piece.min, piece.max));
    if (normals) append_normals(body, positions, first);
    body.pieces.push_back(piece);
}

void GlbWriter::write(std::span<const std::span<const Vec3>> positions) {
    if (positions.size() != bodies_.size()) {
        throw InvalidInput(fmt::format("{}: frame {} has {} bodies; expected {}.", path_.string(),
                                       n_frames_, positions.size(), bodies_.size()));
    }
    refuse_too_large();
    const long long scratch_size = scratch_.size();
    try {
        for (size_t b = 0; b < bodies_.size(); ++b) write_body(bodies_[b], positions[b]);
    } catch (...) {
        take_back_frame(scratch_size);
        throw;
    }
    ++n_frames_;
}

/// A body that has it would have one target more than the others.
void GlbWriter::take_back_frame(long long scratch_size) {
    scratch_.cut(scratch_size);
    for (detail::GlbBody& body : bodies_) {
        const bool has_it = !body.pieces.empty() && body.pieces.back().offset >= scratch_size;
        if (has_it) body.pieces.pop_back();
    }
}

/// What follows the vertex data and is before the weights: UVs and triangles of every body, and
/// times.
std::string GlbWriter::fixed_data() const {
    std::string bytes;
    for (const detail::GlbBody& body : bodies_) {
        if (body.uvs) append_uvs(*body.uvs, bytes);
        append_triangles(body.track.mesh.triangles, bytes);
    }
    for (int k = 0; k < n_frames_ && weights_of(n_frames_) > 0; ++k) {
        append_value(static_cast<float>(k / options_.frame_rate), bytes);
    }
    return bytes;
}

/// For each frame 1 for its own target, none for frame 0, and 0 for all others.
void GlbWriter::write_weights(AtomicFile& file) const {
    std::string bytes;
    for (int k = 0; k < n_frames_; ++k) {
        bytes.clear();
        for (int target = 1; target < n_frames_; ++target) {
            append_value(target == k ? 1.0F : 0.0F, bytes);
        }
        file.write(bytes);
    }
}

void GlbWriter::finish() {
    if (n_frames_ == 0) {
        throw InvalidInput(fmt::format("There is no frame for '{}'.", path_.string()));
    }
    const std::string fixed = fixed_data();
    const long long n_weights = weights_of(n_frames_);
    const long long other_bytes = static_cast<long long>(fixed.size()) + kWeightBytes * n_weights;
    std::string text = detail::glb_document(bodies_, {.n_frames = n_frames_,
                                                      .frame_rate = options_.frame_rate,
                                                      .vertex_bytes = scratch_.size(),
                                                      .other_bytes = other_bytes});
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const long long n_binary = scratch_.size() + other_bytes;
    const long long total = 12 + 8 + static_cast<long long>(text.size()) + 8 + n_binary;
    if (total > kMostBytes) fail_too_large(n_frames_ - 1);
    std::string head;
    for (const std::uint32_t word : {kMagic, kVersion, static_cast<std::uint32_t>(total),
                                     static_cast<std::uint32_t>(text.size()), kJsonChunk}) {
        append_value(word, head);
    }
    head += text;
    append_value(static_cast<std::uint32_t>(n_binary), head);
    append_value(kBinaryChunk, head);
    AtomicFile file(path_, {.overwrite = options_.overwrite});
    file.write(head);
    std::string bytes;
    for (long long at = 0; at < scratch_.size(); at += static_cast<long long>(bytes.size())) {
        bytes.resize(static_cast<size_t>(std::min<long long>(kCopyBytes, scratch_.size() - at)));
        scratch_.read_at(at, bytes);
        file.write(bytes);
    }
    file.write(fixed);
    if (n_weights > 0) write_weights(file);
    file.commit();
}

GlbSink::GlbSink(const std::filesystem::path& path, const TriangleMesh& mesh, GlbOptions options)
    : writer_(path, {BodyTrack{.name = path.stem().string(), .mesh = mesh}}, options) {}

void GlbSink::write(std::span<const Vec3> positions) {
    const std::span<const Vec3> all[] = {positions};
    writer_.write(all);
}

}  // namespace toile
