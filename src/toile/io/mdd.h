// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/atomic_file.h"
#include "toile/io/random_file.h"
#include "toile/io/scratch_file.h"
#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// MDD, the point cache that LightWave, Blender and others play, all big-endian: the numbers of
/// frames and of points (int32), the time of every frame in seconds (float32), then x y z as
/// float32 of every point of every frame.
struct MddHeader {
    int n_frames = 0;
    int n_points = 0;
};

inline constexpr size_t kMddHeaderBytes = 8;

/// Reads the two counts at the start of `bytes`; does not look at what follows. Throws InvalidInput
/// that begins with `file_name`.
MddHeader parse_mdd_header(std::string_view bytes, const std::string& file_name);

/// Streams an MDD file. One that is shorter than its counts ask for is refused, before memory is
/// taken for them; bytes behind its last frame are told to the log.
class MddSource final : public FrameSource {
  public:
    explicit MddSource(const std::filesystem::path& path);

    [[nodiscard]] int n_vertices() const override { return header_.n_points; }
    [[nodiscard]] std::optional<int> n_frames() const override { return header_.n_frames; }
    /// From the times of the frames, where these are evenly spaced; nothing where they are not, as
    /// for one frame.
    [[nodiscard]] std::optional<double> frame_rate() const override { return frame_rate_; }
    /// Seconds, as the file has them.
    [[nodiscard]] std::span<const float> times() const { return times_; }
    bool next(std::span<Vec3> out_positions) override;

  private:
    void read_times();
    void find_frame_rate();

    RandomFile file_;
    MddHeader header_;
    std::vector<float> times_;
    std::optional<double> frame_rate_;
    std::vector<char> bytes_;
    int next_ = 0;
};

struct MddWriteOptions {
    double frame_rate = 1;  ///< frames per second, above 0: frame k is at k / frame_rate
    bool overwrite = false;
};

/// Writes an MDD file that stands under its name only after `finish`. The times stand before the
/// frames in the file, so frames wait in a ScratchFile until their number is known.
class MddSink final : public FrameSink {
  public:
    MddSink(const std::filesystem::path& path, int n_points, MddWriteOptions options = {});

    void write(std::span<const Vec3> positions) override;
    void finish() override;

  private:
    AtomicFile file_;
    ScratchFile frames_;
    std::string name_;
    MddHeader header_;
    double frame_rate_;
    std::string bytes_;
};

}  // namespace toile
