// SPDX-License-Identifier: Apache-2.0
// One more pose with the factor kept, and the first pose of a very fine mesh: on the field's meshes
// (TOILE_DATA, else ../shared/data), or skipped.
#include "toile/core/large_pages.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/subdivision.h"
#include "toile/transfer/deformation_transfer.h"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace toile {
namespace {

/// As the program sets its heap, before anything is measured.
[[maybe_unused]] const bool kHeapIsKept = (keep_heap_on_large_pages(), true);

std::optional<TriangleMesh> field_mesh(benchmark::State& state, const std::string& name) {
    const char* given = std::getenv("TOILE_DATA");
    const auto path = std::filesystem::path(given ? given : "../shared/data") / "transfer" / name;
    if (std::filesystem::exists(path)) return read_mesh(path);
    state.SkipWithError(("no " + path.string()).c_str());
    return std::nullopt;
}

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// A twist round the vertical that grows with height.
std::vector<Vec3> twisted(const TriangleMesh& mesh) {
    const BoundingBox box = bounding_box(mesh.positions);
    std::vector<Vec3> pose;
    for (const Vec3& p : mesh.positions) {
        const double angle = (p.y() - box.min.y()) / box.diagonal();
        const double c = std::cos(angle), s = std::sin(angle);
        pose.emplace_back(c * p.x() + s * p.z(), p.y(), c * p.z() - s * p.x());
    }
    return pose;
}

void TransferCamelPose(benchmark::State& state) {
    const auto camel = field_mesh(state, "horse-camel/camel-reference.obj");
    if (!camel) return;
    const std::vector<Vec3> pose = twisted(*camel);
    const DeformationTransfer transfer(*camel, *camel, identity_pairs(camel->n_triangles()));
    DeformationTransfer::Workspace workspace;
    std::vector<Vec3> result(pose.size());
    for (auto _ : state) transfer.apply(pose, result, workspace);
}
BENCHMARK(TransferCamelPose)->Unit(benchmark::kMillisecond)->UseRealTime();

void TransferCamelFactor(benchmark::State& state) {
    const auto camel = field_mesh(state, "horse-camel/camel-reference.obj");
    if (!camel) return;
    const TrianglePairs pairs = identity_pairs(camel->n_triangles());
    for (auto _ : state) {
        const DeformationTransfer transfer(*camel, *camel, pairs);
        benchmark::DoNotOptimize(transfer.facts().scale);
    }
}
BENCHMARK(TransferCamelFactor)->Unit(benchmark::kMillisecond)->UseRealTime();

/// 1.35 million triangles: factor and first pose, then each further pose.
void TransferFineElephant(benchmark::State& state) {
    const auto elephant = field_mesh(state, "elephant/elephant-reference.obj");
    if (!elephant) return;
    const TriangleMesh fine = subdivide(subdivide(*elephant));
    const std::vector<Vec3> pose = twisted(fine);
    const TrianglePairs pairs = identity_pairs(fine.n_triangles());
    std::vector<Vec3> result(pose.size());
    for (auto _ : state) {
        DeformationTransfer::Workspace workspace;
        const DeformationTransfer transfer(fine, fine, pairs);
        transfer.apply(pose, result, workspace);
    }
    double worst = 0;
    for (size_t v = 0; v < pose.size(); ++v) worst = std::max(worst, (result[v] - pose[v]).norm());
    state.counters["peak_MB"] = peak_megabytes();
    state.counters["error"] = worst / bounding_box(fine.positions).diagonal();
}
BENCHMARK(TransferFineElephant)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);

}  // namespace
}  // namespace toile
