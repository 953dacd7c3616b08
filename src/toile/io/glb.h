// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/atomic_file.h"
#include "toile/io/body_track.h"
#include "toile/io/glb_document.h"
#include "toile/io/scratch_file.h"
#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace toile {

struct GlbOptions {
    bool overwrite = false;
    double frame_rate = 25;  ///< frames per second, above 0
    bool normals = true;     ///< of every frame too: twice the size, and smooth shading in viewers
};

/// Writes moving bodies as binary glTF 2.0 [glTF]: frame 0 is the mesh, every further frame a morph
/// target, and an animation of weights plays them, linear between frames. Positions are float32 in
/// metres, as they are: glTF says that y is up, so a body whose up is another axis is to be turned
/// first. Vertex order is kept. UVs are written where every vertex has one. Frames wait in a file
/// without a name until `finish`: of each, memory keeps no more than its range and its line in the
/// document, and nothing stands under the final name before. The weights take 4 bytes for every
/// pair of frames, in the file alone.
class GlbWriter {
  public:
    /// Throws IoError where the file cannot be made, InvalidInput for a rate that is none, bodies
    /// without vertices, or no body at all.
    GlbWriter(std::filesystem::path path, std::vector<BodyTrack> bodies, GlbOptions options = {});

    /// Positions of every body, in their order. Throws InvalidInput where counts differ, a
    /// coordinate does not fit into float32, or the file would grow beyond the 4 GiB that a GLB can
    /// tell; IoError where the disk is full. Then nothing of the frame stays.
    void write(std::span<const std::span<const Vec3>> positions);
    /// Throws InvalidInput where there was no frame.
    void finish();

    [[nodiscard]] int n_frames() const { return n_frames_; }

  private:
    void write_body(detail::GlbBody& body, std::span<const Vec3> positions);
    void append_normals(detail::GlbBody& body, std::span<const Vec3> positions, bool first);
    void take_back_frame(long long scratch_size);
    [[nodiscard]] long long frame_bytes() const;
    [[nodiscard]] bool anything_moves() const;
    [[nodiscard]] long long weights_of(int n_frames) const;
    void refuse_too_large() const;
    [[noreturn]] void fail_too_large(int last_frame) const;
    [[nodiscard]] std::string fixed_data() const;
    void write_weights(AtomicFile& file) const;

    std::filesystem::path path_;
    GlbOptions options_;
    ScratchFile scratch_;
    std::vector<detail::GlbBody> bodies_;
    int n_frames_ = 0;
};

/// A sequence of one body as a GLB.
class GlbSink final : public FrameSink {
  public:
    GlbSink(const std::filesystem::path& path, const TriangleMesh& mesh, GlbOptions options = {});

    void write(std::span<const Vec3> positions) override;
    void finish() override { writer_.finish(); }

  private:
    GlbWriter writer_;
};

}  // namespace toile
