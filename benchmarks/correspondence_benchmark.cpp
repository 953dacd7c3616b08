// SPDX-License-Identifier: Apache-2.0
// Correspondence on the field's data, which is looked for in TOILE_DATA, else ../shared/data.
#include "toile/correspondence/correspondence.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace toile {
namespace {

struct Inputs {
    TriangleMesh source, target;
    std::vector<Marker> markers;
};

/// The folder of a pair of meshes; nothing, and the benchmark skipped, where it is not there.
std::optional<std::filesystem::path> data_folder(benchmark::State& state, const char* name) {
    const char* given = std::getenv("TOILE_DATA");
    std::filesystem::path folder(given ? given : "../shared/data");
    folder = folder / "transfer" / name;
    if (std::filesystem::exists(folder)) return folder;
    state.SkipWithError("the data of the field is not there");
    return std::nullopt;
}

std::optional<Inputs> horse_and_camel(benchmark::State& state) {
    const auto folder = data_folder(state, "horse-camel");
    if (!folder) return std::nullopt;
    Inputs in{
        read_mesh(*folder / "horse-reference.obj"), read_mesh(*folder / "camel-reference.obj"), {}};
    const std::string bytes = read_bytes(*folder / "markers-golevka-107.cons");
    in.markers = read_markers({bytes, "markers"}, in.source, in.target);
    return in;
}

std::optional<Inputs> face_and_head(benchmark::State& state) {
    const auto folder = data_folder(state, "face-head");
    if (!folder) return std::nullopt;
    Inputs in{
        read_mesh(*folder / "face-reference.obj"), read_mesh(*folder / "head-reference.obj"), {}};
    const std::string from = read_bytes(*folder / "face_marker.txt");
    const std::string to = read_bytes(*folder / "head_marker.txt");
    in.markers = read_marker_lists({from, "face"}, {to, "head"}, in.source, in.target);
    return in;
}

void correspond_all(benchmark::State& state, const std::optional<Inputs>& in, FitKind kind) {
    if (!in) return;
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            correspond(in->source, in->target, in->markers, correspondence_options(kind)));
    }
}

void CorrespondHorseCamelPlate(benchmark::State& state) {
    correspond_all(state, horse_and_camel(state), FitKind::Plate);
}
void CorrespondHorseCamelFull(benchmark::State& state) {
    correspond_all(state, horse_and_camel(state), FitKind::Full);
}
void CorrespondHorseCamelClassic(benchmark::State& state) {
    correspond_all(state, horse_and_camel(state), FitKind::Classic);
}
void CorrespondFaceHeadPlate(benchmark::State& state) {
    correspond_all(state, face_and_head(state), FitKind::Plate);
}
BENCHMARK(CorrespondHorseCamelPlate)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(CorrespondHorseCamelFull)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(CorrespondHorseCamelClassic)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(CorrespondFaceHeadPlate)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace toile
