// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/hidden_folder.h"
#include "toile/io/vtp.h"
#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace toile {

struct PvdOptions {
    bool overwrite = false;
    double frame_rate = 1;  ///< frames per second, above 0: frame k is at k / frame_rate
};

/// Writes surfaces that change with time for ParaView: `NAME.pvd`, which lists the files, and
/// beside it the folder `NAME` with `BODY_0000.vtp` for every body and frame. Files are made in a
/// hidden folder, which takes its name in `finish`, before NAME.pvd appears: what a NAME.pvd lists
/// is whole. Without `finish` nothing is left behind. `overwrite` replaces a folder that holds .vtp
/// files and nothing else.
class PvdWriter {
  public:
    /// Throws IoError where the file or the folder exists and may not be replaced, InvalidInput
    /// where the rate is no rate.
    explicit PvdWriter(std::filesystem::path path, PvdOptions options = {});

    /// Bodies of a frame are numbered in the order of their writing.
    void write(int frame, const std::string& body, const VtpSurface& surface);
    void finish();

  private:
    void make_room() const;

    std::filesystem::path path_;
    std::filesystem::path folder_;        ///< of the files, in the end
    std::optional<HiddenFolder> hidden_;  ///< until then
    PvdOptions options_;
    std::string entries_;
    int frame_ = -1;
    int part_ = 0;
};

/// A sequence of one body as a PVD, without arrays.
class PvdSink final : public FrameSink {
  public:
    PvdSink(const std::filesystem::path& path, std::vector<Triangle> triangles,
            PvdOptions options = {});

    void write(std::span<const Vec3> positions) override;
    void finish() override { writer_.finish(); }

  private:
    PvdWriter writer_;
    std::string body_;
    std::vector<Triangle> triangles_;
    int next_ = 0;
};

}  // namespace toile
