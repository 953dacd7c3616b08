// SPDX-License-Identifier: Apache-2.0
#include "toile/io/sequence_file.h"

#include "toile/core/error.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/numbered.h"
#include "toile/io/pc2.h"

#include <fmt/format.h>
#include <system_error>

#include <algorithm>
#include <utility>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolderPattern = "frame_%04d.obj";

bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

void make_folder(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (!failure) return;
    throw IoError(
        fmt::format("Cannot make the folder '{}': {}.", folder.string(), failure.message()));
}

bool is_pc2(const fs::path& path) {
    return path.extension() == ".pc2" || path.extension() == ".PC2";
}

OpenedSequence open_pc2(const fs::path& path, const SequenceOpenOptions& options) {
    auto source = std::make_unique<Pc2Source>(path);
    OpenedSequence result;
    if (const auto mesh_path = options.mesh ? options.mesh : mesh_beside(path)) {
        result.mesh = read_mesh(*mesh_path);
        if (result.mesh->n_vertices() != source->n_vertices()) {
            throw InvalidInput(fmt::format("{} has {} points; its mesh, {}, has {} vertices.",
                                           path.string(), source->n_vertices(), mesh_path->string(),
                                           result.mesh->n_vertices()));
        }
    }
    result.frames = std::move(source);
    return result;
}

void refuse_mesh(const std::string& spec, const SequenceOpenOptions& options) {
    if (!options.mesh) return;
    throw InvalidInput(fmt::format("'{}' has its own mesh; expected none besides, found '{}'.",
                                   spec, options.mesh->string()));
}

OpenedSequence open_numbered(const NumberedPattern& pattern) {
    auto source = std::make_unique<NumberedSource>(find_numbered_files(pattern));
    OpenedSequence result;
    result.mesh = source->mesh();
    result.frames = std::move(source);
    return result;
}

OpenedSequence open_folder(const fs::path& folder, const SequenceOpenOptions& options) {
    std::vector<fs::path> bodies;
    for (const std::string& name : file_names(folder)) {
        if (is_pc2(name)) bodies.push_back(folder / name);
    }
    if (bodies.size() == 1) return open_pc2(bodies[0], options);
    if (bodies.empty()) {
        refuse_mesh(folder.string(), options);
        return open_numbered(find_numbered_pattern(folder));
    }
    std::string choices;
    for (fs::path body : bodies) {
        choices +=
            fmt::format("{}'{}'", choices.empty() ? "" : ", ", body.replace_extension().string());
    }
    throw InvalidInput(
        fmt::format("'{}' has several bodies; say which: {}.", folder.string(), choices));
}

fs::path with_extension(const std::string& spec, std::string_view extension) {
    return spec + std::string(extension);
}

// A sequence of one frame can be kept as a mesh.
class OneMeshSink final : public FrameSink {
  public:
    OneMeshSink(fs::path path, TriangleMesh mesh, MeshWriteOptions options)
        : path_(std::move(path)), mesh_(std::move(mesh)), options_(std::move(options)) {}

    void write(std::span<const Vec3> positions) override {
        if (n_written_++ > 0) {
            throw InvalidInput(
                fmt::format("'{}' holds one frame, and there are more; expected a pattern such as "
                            "'frame_%04d.obj', a folder or a .pc2 file.",
                            path_.string()));
        }
        mesh_.positions.assign(positions.begin(), positions.end());
    }

    void finish() override {
        if (n_written_ == 0) {
            throw InvalidInput(fmt::format("There is no frame for '{}'.", path_.string()));
        }
        write_mesh(path_, mesh_, options_);
    }

  private:
    fs::path path_;
    TriangleMesh mesh_;
    MeshWriteOptions options_;
    int n_written_ = 0;
};

class OneMeshSource final : public FrameSource {
  public:
    explicit OneMeshSource(std::vector<Vec3> positions) : positions_(std::move(positions)) {}

    [[nodiscard]] int n_vertices() const override { return static_cast<int>(positions_.size()); }
    [[nodiscard]] std::optional<int> n_frames() const override { return 1; }
    [[nodiscard]] std::optional<double> frame_rate() const override { return std::nullopt; }
    bool next(std::span<Vec3> out_positions) override {
        if (std::exchange(done_, true)) return false;
        std::copy(positions_.begin(), positions_.end(), out_positions.begin());
        return true;
    }

  private:
    std::vector<Vec3> positions_;
    bool done_ = false;
};

OpenedSequence open_one_mesh(const fs::path& path) {
    OpenedSequence result;
    result.mesh = read_mesh(path);
    result.frames = std::make_unique<OneMeshSource>(result.mesh->positions);
    return result;
}

}  // namespace

bool names_one_mesh(const std::string& spec) {
    return find_mesh_format(spec) && !parse_numbered_pattern(spec) && !is_folder(spec);
}

std::optional<fs::path> mesh_beside(const fs::path& pc2) {
    for (const MeshFormat& format : mesh_formats()) {
        fs::path mesh = pc2;
        mesh.replace_extension(format.extension);
        if (is_file(mesh)) return mesh;
    }
    return std::nullopt;
}

OpenedSequence open_sequence(const std::string& spec, const SequenceOpenOptions& options) {
    if (is_pc2(spec)) return open_pc2(spec, options);
    if (is_folder(spec)) return open_folder(spec, options);
    if (const fs::path body = with_extension(spec, ".pc2"); is_file(body)) {
        return open_pc2(body, options);
    }
    refuse_mesh(spec, options);
    if (const auto pattern = parse_numbered_pattern(spec)) return open_numbered(*pattern);
    if (find_mesh_format(spec)) return open_one_mesh(spec);
    require_existing(spec);
    throw InvalidInput(fmt::format(
        "'{}' is no sequence; expected a .pc2 file, a pattern such as 'frame_*.obj', a folder of "
        "numbered meshes, a mesh, or a run's body.",
        spec));
}

std::unique_ptr<FrameSink> create_sequence(const std::string& spec, int n_vertices,
                                           const TriangleMesh* mesh,
                                           const MeshWriteOptions& options) {
    if (is_pc2(spec)) {
        if (options.encoding == MeshEncoding::Ascii) {
            throw InvalidInput(fmt::format("{}: PC2 has no text form.", spec));
        }
        return std::make_unique<Pc2Sink>(spec, Pc2Header{.n_points = n_vertices},
                                         OutputOptions{.overwrite = options.overwrite});
    }
    if (!mesh) {
        throw InvalidInput(fmt::format(
            "'{}' needs a mesh, and the frames come without one; say which (--mesh).", spec));
    }
    if (names_one_mesh(spec)) {
        check_output(spec, {.overwrite = options.overwrite});
        return std::make_unique<OneMeshSink>(spec, *mesh, options);
    }
    if (auto pattern = parse_numbered_pattern(spec)) {
        return std::make_unique<NumberedSink>(*pattern, *mesh, options);
    }
    if (spec.ends_with('/')) make_folder(spec);
    if (is_folder(spec)) {
        const auto pattern = parse_numbered_pattern((fs::path(spec) / kFolderPattern).string());
        return std::make_unique<NumberedSink>(*pattern, *mesh, options);
    }
    throw InvalidInput(fmt::format(
        "'{}' is no place for frames; expected a .pc2 file, a pattern such as 'frame_%04d.obj', a "
        "folder (ending in '/'), or a mesh file.",
        spec));
}

}  // namespace toile
