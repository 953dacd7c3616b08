// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/atomic_file.h"
#include "toile/io/random_file.h"
#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// PC2, the point cache that Blender, 3ds Max and others play: 32 bytes of header, then x y z as
/// float32 of every point of every sample, all little-endian. Times are counted in frames of the
/// scene that plays it, so a PC2 file knows no frames per second.
struct Pc2Header {
    int n_points = 0;
    float start = 0;  ///< scene frame at which the first sample is shown
    float rate = 1;   ///< scene frames from each sample to the next
    int n_frames = 0;
};

inline constexpr size_t kPc2HeaderBytes = 32;

/// Reads the header at the start of `bytes`; does not look at the frames. Throws InvalidInput
/// that begins with `file_name`.
Pc2Header parse_pc2_header(std::string_view bytes, const std::string& file_name);
std::string format_pc2_header(const Pc2Header& header);

/// Points of one frame from its 12 n bytes. Throws InvalidInput naming frame and point where a
/// coordinate is not finite.
void decode_pc2_frame(std::string_view bytes, const std::string& file_name, int frame,
                      std::span<Vec3> out_positions);
/// The nearest float32 of every coordinate. Throws InvalidInput where one is beyond float32 or not
/// finite.
void encode_pc2_frame(std::span<const Vec3> positions, std::string& out_bytes);

struct Pc2ReadOptions {
    /// A file with fewer frames than its header counts is refused, or, if true, ends early with a
    /// warning.
    bool accept_truncated = false;
};

/// Streams a PC2 file. Frames of no points are refused: the file would say nothing about their
/// number. What stands behind the frames that the header counts is a frame in the
/// making and is not read.
class Pc2Source final : public FrameSource {
  public:
    explicit Pc2Source(const std::filesystem::path& path, Pc2ReadOptions options = {});

    [[nodiscard]] const Pc2Header& header() const { return header_; }
    [[nodiscard]] int n_vertices() const override { return header_.n_points; }
    [[nodiscard]] std::optional<int> n_frames() const override { return header_.n_frames; }
    [[nodiscard]] std::optional<double> frame_rate() const override { return std::nullopt; }
    bool next(std::span<Vec3> out_positions) override;
    bool skip() override;
    /// The next frame will be `frame`, in [0, n_frames].
    void seek(int frame);

  private:
    RandomFile file_;
    Pc2Header header_;
    std::vector<char> bytes_;
    int next_ = 0;
};

/// Appends frames to a PC2 file in place, for long jobs: each `write` returns when the frame and
/// then the new count are on the disk, so that a job killed at any instant leaves a file that reads
/// back with every frame it was told is safe.
class Pc2Appender final : public FrameSink {
  public:
    /// A new file without frames. Throws IoError where it exists, unless `overwrite`.
    static Pc2Appender create(const std::filesystem::path& path, const Pc2Header& header,
                              OutputOptions options = {});
    /// Goes on after the first `n_frames` frames of a file; those after are cut off. Throws
    /// InvalidInput where it has other points or fewer frames.
    static Pc2Appender resume(const std::filesystem::path& path, int n_points, int n_frames);

    [[nodiscard]] int n_frames() const { return header_.n_frames; }
    void write(std::span<const Vec3> positions) override;
    void finish() override {}
    /// Takes back the frames after the first `n_frames`, which must not be more than there are, and
    /// what a write that failed has left.
    void cut(int n_frames);

  private:
    Pc2Appender(RandomFile file, const Pc2Header& header);
    void commit_count(int n_frames);

    RandomFile file_;
    Pc2Header header_;
    std::string bytes_;
};

/// Writes a whole PC2 file that stands under its name only after `finish`, for jobs that can be
/// done again.
class Pc2Sink final : public FrameSink {
  public:
    Pc2Sink(const std::filesystem::path& path, const Pc2Header& header, OutputOptions options = {});

    void write(std::span<const Vec3> positions) override;
    void finish() override;

  private:
    AtomicFile file_;
    std::string name_;
    Pc2Header header_;
    std::string bytes_;
};

}  // namespace toile
