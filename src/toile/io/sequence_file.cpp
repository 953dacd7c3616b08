// SPDX-License-Identifier: Apache-2.0
#include "toile/io/sequence_file.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"
#include "toile/io/glb.h"
#include "toile/io/html_page.h"
#include "toile/io/mesh_file.h"
#include "toile/io/numbered.h"
#include "toile/io/point_cache.h"
#include "toile/io/pvd.h"

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

OpenedSequence open_point_cache(const fs::path& path, const SequenceOpenOptions& options) {
    auto source = find_point_cache_format(path)->open(path);
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

// The point cache of a body `run/NAME`, in the first format that has one.
std::optional<fs::path> point_cache_of(const fs::path& body) {
    for (const PointCacheFormat& format : point_cache_formats()) {
        fs::path path = body.string() + std::string(format.extension);
        if (is_file(path)) return path;
    }
    return std::nullopt;
}

// The paths of the point caches in a folder, without their extensions; each once.
std::vector<fs::path> bodies_of(const fs::path& folder) {
    std::vector<fs::path> bodies;
    for (const fs::path name : file_names(folder)) {
        if (!find_point_cache_format(name)) continue;
        const fs::path body = folder / name.stem();
        if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) bodies.push_back(body);
    }
    return bodies;
}

OpenedSequence open_folder(const fs::path& folder, const SequenceOpenOptions& options) {
    const std::vector<fs::path> bodies = bodies_of(folder);
    if (bodies.size() == 1) return open_point_cache(*point_cache_of(bodies[0]), options);
    if (bodies.empty()) {
        refuse_mesh(folder.string(), options);
        return open_numbered(find_numbered_pattern(folder));
    }
    std::string choices;
    for (const fs::path& body : bodies) {
        choices += fmt::format("{}'{}'", choices.empty() ? "" : ", ", body.string());
    }
    throw InvalidInput(
        fmt::format("'{}' has several bodies; say which: {}.", folder.string(), choices));
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

double frame_rate_to_tell(const std::string& spec, double frame_rate) {
    if (frame_rate > 0) return frame_rate;
    log_warning(fmt::format(
        "{}: no frame rate is known; its frames are one second apart (see --from-rate).", spec));
    return 1;
}

std::unique_ptr<FrameSink> create_point_cache(const PointCacheFormat& format,
                                              const std::string& spec, int n_vertices,
                                              const MeshWriteOptions& options) {
    if (options.encoding == MeshEncoding::Ascii) {
        throw InvalidInput(fmt::format("{}: {} has no text form.", spec, format.name));
    }
    const double rate =
        format.tells_times ? frame_rate_to_tell(spec, options.frame_rate) : options.frame_rate;
    return format.create(spec, n_vertices, {.overwrite = options.overwrite, .frame_rate = rate});
}

// A file of frames for another program; nothing where `spec` names none.
std::unique_ptr<FrameSink> create_film(const std::string& spec, const TriangleMesh& mesh,
                                       const MeshWriteOptions& options) {
    const std::string extension = lower_extension(spec);
    if (extension != ".pvd" && extension != ".glb" && extension != ".html") return nullptr;
    const double rate = frame_rate_to_tell(spec, options.frame_rate);
    if (extension == ".glb") {
        return std::make_unique<GlbSink>(
            spec, mesh, GlbOptions{.overwrite = options.overwrite, .frame_rate = rate});
    }
    if (extension == ".html") {
        return std::make_unique<HtmlPageSink>(
            spec, mesh, HtmlPageOptions{.overwrite = options.overwrite, .frame_rate = rate});
    }
    return std::make_unique<PvdSink>(
        spec, mesh.triangles, PvdOptions{.overwrite = options.overwrite, .frame_rate = rate});
}

}  // namespace

bool names_one_mesh(const std::string& spec) {
    return find_mesh_format(spec) && !parse_numbered_pattern(spec) && !is_folder(spec);
}

std::optional<fs::path> mesh_beside(const fs::path& point_cache) {
    for (const MeshFormat& format : mesh_formats()) {
        fs::path mesh = point_cache;
        mesh.replace_extension(format.extension);
        if (is_file(mesh)) return mesh;
    }
    return std::nullopt;
}

OpenedSequence open_sequence(const std::string& spec, const SequenceOpenOptions& options) {
    if (find_point_cache_format(spec)) return open_point_cache(spec, options);
    if (is_folder(spec)) return open_folder(spec, options);
    if (const auto path = point_cache_of(spec)) return open_point_cache(*path, options);
    refuse_mesh(spec, options);
    if (const auto pattern = parse_numbered_pattern(spec)) return open_numbered(*pattern);
    if (find_mesh_format(spec)) return open_one_mesh(spec);
    require_existing(spec);
    throw InvalidInput(
        fmt::format("'{}' is no sequence; expected a .pc2 or .mdd file, a pattern such as "
                    "'frame_*.obj', a folder of "
                    "numbered meshes, a mesh, or a run's body.",
                    spec));
}

std::unique_ptr<FrameSink> create_sequence(const std::string& spec, int n_vertices,
                                           const TriangleMesh* mesh,
                                           const MeshWriteOptions& options) {
    if (const PointCacheFormat* const format = find_point_cache_format(spec)) {
        return create_point_cache(*format, spec, n_vertices, options);
    }
    if (!mesh) {
        throw InvalidInput(fmt::format(
            "'{}' needs a mesh, and the frames come without one; say which (--mesh).", spec));
    }
    if (auto film = create_film(spec, *mesh, options)) return film;
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
        "'{}' is no place for frames; expected a .pc2, .mdd, .pvd, .glb or .html file, a "
        "pattern such as 'frame_%04d.obj', a folder (ending in '/'), or a mesh file.",
        spec));
}

}  // namespace toile
