// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/hidden_folder.h"
#include "toile/io/mesh_format.h"
#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// Whether `a` stands before `b` where runs of digits compare as numbers: 2 before 10. Numbers that
/// are equal but for leading zeros are ordered by the rest, then shorter first.
bool natural_less(std::string_view a, std::string_view b);

/// Names of the files (not folders) in a folder, in natural order. Throws IoError.
std::vector<std::string> file_names(const std::filesystem::path& folder);

/// The name of numbered files: `frames/mesh_*.obj` or `frame_%04d.obj`.
struct NumberedPattern {
    std::filesystem::path folder;
    std::string before, after;  ///< of the name, round the number
    int width = 0;              ///< digits, filled with zeros; 0: as many as it takes
    bool any_text = false;      ///< `*`: anything may stand for the number

    [[nodiscard]] std::filesystem::path file(int number) const;
    [[nodiscard]] bool matches(const std::string& name) const;
    [[nodiscard]] std::string text() const;
};

/// The pattern that `spec` spells: the last part of a path with one `*` or one `%d` or `%0Nd`.
/// Nothing where it has neither; throws InvalidInput where it has more, or elsewhere.
std::optional<NumberedPattern> parse_numbered_pattern(const std::string& spec);

/// The numbered meshes of a folder: files whose format is known and whose names differ only in
/// their last number. Throws InvalidInput that lists the choices where there is not exactly one
/// such series.
NumberedPattern find_numbered_pattern(const std::filesystem::path& folder);

/// The files that match, in natural order; names of the same number, and the first number that is
/// missing, are told to the log. Throws IoError where there is none.
std::vector<std::filesystem::path> find_numbered_files(const NumberedPattern& pattern);

/// Plays numbered meshes. All must have the connectivity of the first; InvalidInput names the file
/// that has not.
class NumberedSource final : public FrameSource {
  public:
    explicit NumberedSource(std::vector<std::filesystem::path> files);

    /// The first mesh, with all that its file holds.
    [[nodiscard]] const TriangleMesh& mesh() const { return mesh_; }
    [[nodiscard]] int n_vertices() const override { return mesh_.n_vertices(); }
    [[nodiscard]] std::optional<int> n_frames() const override {
        return static_cast<int>(files_.size());
    }
    [[nodiscard]] std::optional<double> frame_rate() const override { return std::nullopt; }
    bool next(std::span<Vec3> out_positions) override;
    bool skip() override;

  private:
    std::vector<std::filesystem::path> files_;
    TriangleMesh mesh_;
    size_t next_ = 0;
};

/// Writes each frame as a mesh of its own, numbered from 0. All stay in a hidden folder beside
/// their place until `finish`, which gives them their names: without it (an exception, a kill) no
/// frame stands in the sequence, and what stood there before stays. A kill inside of `finish`
/// never leaves old frames and new ones together: HiddenFolder::bring_out tells what it leaves.
class NumberedSink final : public FrameSink {
  public:
    /// Throws IoError where a file of the pattern exists, unless `options.overwrite`.
    NumberedSink(NumberedPattern pattern, TriangleMesh mesh, MeshWriteOptions options);

    void write(std::span<const Vec3> positions) override;
    /// Throws IoError where a file has come to stand in the way, unless `options.overwrite`, or
    /// the file system fails; then no frame appears. Tells the log of files with higher numbers
    /// that were there before: they stay, and a reader of the pattern takes them for its end.
    void finish() override;

  private:
    NumberedPattern pattern_;
    TriangleMesh mesh_;
    MeshWriteOptions options_;
    HiddenFolder hidden_;
    std::vector<std::string> names_;  ///< of the frames written, in order
};

}  // namespace toile
