// SPDX-License-Identifier: Apache-2.0
#include "fuzz/readers.h"

#include "toile/core/error.h"
#include "toile/correspondence/triangle_pairs.h"
#include "toile/io/mesh_format.h"
#include "toile/io/point_cache.h"
#include "toile/scene/scene_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <string>

namespace toile::test {
namespace {

constexpr int kMostFrames = 1000;  // of a sequence that are looked at

void demand(bool kept, const char* promise) {
    if (!kept) throw BrokenPromise(promise);
}

void demand_in_range(std::span<const Triangle> triangles, size_t n_points) {
    for (const Triangle& triangle : triangles) {
        for (const int v : triangle) {
            demand(v >= 0 && static_cast<size_t>(v) < n_points, "an index is out of range");
        }
    }
}

void demand_valid(const TriangleMesh& mesh) {
    demand_in_range(mesh.triangles, mesh.positions.size());
    demand_in_range(mesh.uv_triangles, mesh.uvs.size());
    const size_t n = mesh.triangles.size();
    demand(!mesh.has_uvs() || mesh.uv_triangles.size() == n, "UVs of only some triangles");
    demand(mesh.polygon_of_triangle.empty() || mesh.polygon_of_triangle.size() == n,
           "polygons of only some triangles");
    for (const Vec3& p : mesh.positions) demand(p.allFinite(), "a position is not finite");
    for (const Vec2& uv : mesh.uvs) demand(uv.allFinite(), "a UV is not finite");
}

void read_mesh_bytes(const char* file_name, std::string_view bytes) {
    const MeshFormat& format = mesh_format_of(file_name);
    TriangleMesh mesh;
    try {
        mesh = format.read(bytes, file_name);
    } catch (const InvalidInput&) {
        return;
    }
    demand_valid(mesh);
    TriangleMesh again = format.read(format.write(mesh, {}), file_name);
    demand(again.positions == mesh.positions, "positions change when written and read");
    demand(again.triangles == mesh.triangles, "triangles change when written and read");
    if (!format.keeps_uvs) return;
    demand(!mesh.has_uvs() || again.uvs == mesh.uvs, "UVs change when written and read");
    demand(again.uv_triangles == mesh.uv_triangles, "UV triangles change when written and read");
}

/// Bytes under a path, in memory.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view bytes) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        demand(fd_ >= 0 &&
                   ::write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
               "the test could not make its file");
    }
    ~MemoryFile() { ::close(fd_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

  private:
    int fd_;
};

void read_sequence_bytes(const char* file_name, std::string_view bytes) {
    const MemoryFile file(bytes);
    try {
        const auto source = find_point_cache_format(file_name)->open(file.path());
        std::vector<Vec3> positions = frame_buffer(*source);
        demand(positions.size() * 12 <= bytes.size(), "a frame is larger than its file");
        for (int k = 0; k < kMostFrames && source->next(positions); ++k) {
            for (const Vec3& p : positions) demand(p.allFinite(), "a position is not finite");
        }
    } catch (const InvalidInput&) {
    }
}

void read_scene_bytes(std::string_view bytes) {
    Scene scene;
    try {
        scene = parse_scene(std::string(bytes), "/scenes/fuzz.toml");
    } catch (const InvalidInput&) {
        return;
    }
    const std::string text = scene_text(scene, "/scenes");
    demand(scene_text(parse_scene(text, "/scenes/again.toml"), "/scenes") == text,
           "a scene changes when written and read");
}

TriangleMesh strip(int n_triangles) {
    TriangleMesh mesh;
    for (int v = 0; v < n_triangles + 2; ++v) mesh.positions.emplace_back(v / 2, v % 2, 0);
    for (int t = 0; t < n_triangles; ++t) mesh.triangles.push_back({t, t + 1, t + 2});
    return mesh;
}

void read_pairs_bytes(std::string_view bytes) {
    static const TriangleMesh source = strip(4), target = strip(3);
    TrianglePairs pairs;
    try {
        pairs = read_triangle_pairs(bytes, "fuzz.pairs", source, target);
    } catch (const InvalidInput&) {
        return;
    }
    demand(pairs.n_target_triangles() == target.n_triangles(), "not every target has its list");
    for (const int s : pairs.source_list) {
        demand(s >= 0 && s < source.n_triangles(), "a source is out of range");
    }
    const std::string text = write_triangle_pairs(pairs, source, target);
    const TrianglePairs again = read_triangle_pairs(text, "again.pairs", source, target);
    demand(again.first_source == pairs.first_source && again.source_list == pairs.source_list,
           "pairs change when written and read");
}

constexpr std::array kReaders = {
    FuzzedReader{"obj", [](std::string_view bytes) { read_mesh_bytes("fuzz.obj", bytes); }},
    FuzzedReader{"ply", [](std::string_view bytes) { read_mesh_bytes("fuzz.ply", bytes); }},
    FuzzedReader{"stl", [](std::string_view bytes) { read_mesh_bytes("fuzz.stl", bytes); }},
    FuzzedReader{"off", [](std::string_view bytes) { read_mesh_bytes("fuzz.off", bytes); }},
    FuzzedReader{"pc2", [](std::string_view bytes) { read_sequence_bytes("fuzz.pc2", bytes); }},
    FuzzedReader{"mdd", [](std::string_view bytes) { read_sequence_bytes("fuzz.mdd", bytes); }},
    FuzzedReader{"scene", read_scene_bytes},
    FuzzedReader{"pairs", read_pairs_bytes},
};

}  // namespace

std::span<const FuzzedReader> fuzzed_readers() {
    return kReaders;
}

}  // namespace toile::test
