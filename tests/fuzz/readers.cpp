// SPDX-License-Identifier: Apache-2.0
#include "fuzz/readers.h"

#include "fuzz/memory_file.h"
#include "fuzz/run_readers.h"
#include "fuzz/scene_readers.h"
#include "fuzz/table_readers.h"
#include "toile/core/error.h"
#include "toile/io/mesh_format.h"
#include "toile/io/point_cache.h"

#include <array>
#include <string>

namespace toile::test {
namespace {

constexpr int kMostFrames = 1000;  // of a sequence that are looked at

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

std::string read_mesh_bytes(const char* file_name, std::string_view bytes) {
    const MeshFormat& format = mesh_format_of(file_name);
    TriangleMesh mesh;
    try {
        mesh = format.read(bytes, file_name);
    } catch (const InvalidInput& e) {
        return e.what();
    }
    demand_valid(mesh);
    TriangleMesh again = format.read(format.write(mesh, {}), file_name);
    demand(again.positions == mesh.positions, "positions change when written and read");
    demand(again.triangles == mesh.triangles, "triangles change when written and read");
    if (!format.keeps_uvs) return {};
    demand(!mesh.has_uvs() || again.uvs == mesh.uvs, "UVs change when written and read");
    demand(again.uv_triangles == mesh.uv_triangles, "UV triangles change when written and read");
    return {};
}

std::string read_sequence_bytes(const char* file_name, std::string_view bytes) {
    const MemoryFile file(bytes);
    try {
        const auto source = find_point_cache_format(file_name)->open(file.path());
        std::vector<Vec3> positions = frame_buffer(*source);
        demand(positions.size() * 12 <= bytes.size(), "a frame is larger than its file");
        for (int k = 0; k < kMostFrames && source->next(positions); ++k) {
            for (const Vec3& p : positions) demand(p.allFinite(), "a position is not finite");
        }
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return {};
}

constexpr std::array kReaders = {
    FuzzedReader{"obj", [](std::string_view bytes) { return read_mesh_bytes("fuzz.obj", bytes); }},
    FuzzedReader{"ply", [](std::string_view bytes) { return read_mesh_bytes("fuzz.ply", bytes); }},
    FuzzedReader{"stl", [](std::string_view bytes) { return read_mesh_bytes("fuzz.stl", bytes); }},
    FuzzedReader{"off", [](std::string_view bytes) { return read_mesh_bytes("fuzz.off", bytes); }},
    FuzzedReader{"pc2",
                 [](std::string_view bytes) { return read_sequence_bytes("fuzz.pc2", bytes); }},
    FuzzedReader{"mdd",
                 [](std::string_view bytes) { return read_sequence_bytes("fuzz.mdd", bytes); }},
    FuzzedReader{"scene", read_scene_bytes},
    FuzzedReader{"environment", read_environment_bytes, 20},
    FuzzedReader{"pairs", read_pairs_bytes},
    FuzzedReader{"markers", read_marker_bytes},
    FuzzedReader{"marker_lists", read_marker_list_bytes},
    FuzzedReader{"vertex_list", read_vertex_list_bytes},
    FuzzedReader{"checkpoint", read_checkpoint_bytes},
    FuzzedReader{"run_record", read_run_record_bytes},
    FuzzedReader{"frame_lines", read_frame_line_bytes},
};

}  // namespace

std::span<const FuzzedReader> fuzzed_readers() {
    return kReaders;
}

const FuzzedReader& fuzzed_reader(std::string_view name) {
    for (const FuzzedReader& reader : kReaders) {
        if (reader.name == name) return reader;
    }
    throw BrokenPromise("no reader has this name");
}

}  // namespace toile::test
