// SPDX-License-Identifier: Apache-2.0
// A world of one cloth taken back to a snapshot. The argument is the number of cells along a side:
// 31 gives 1,024 vertices.
#include "toile/sim/world.h"

#include <benchmark/benchmark.h>

#include <vector>

namespace {

using namespace toile;

Scene sheet(int cells) {
    const std::vector<double> divisions(2, cells);
    Scene scene;
    ClothSetup cloth;
    cloth.name = "cloth";
    cloth.shape = ShapeSpec{"rectangle", {{"divisions", divisions}}};
    cloth.fabric = named_fabric("cotton");
    scene.cloths = {cloth};
    return scene;
}

void world_restore(benchmark::State& run) {
    World world(sheet(static_cast<int>(run.range(0))));
    world.pin(0, std::vector<int>{0, 1, 2, 3});
    const WorldState snapshot = world.state();
    for (auto _ : run) world.set_state(snapshot);
}
BENCHMARK(world_restore)->Arg(31)->Arg(141)->Unit(benchmark::kMicrosecond);

}  // namespace
