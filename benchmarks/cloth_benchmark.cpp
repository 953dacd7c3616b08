// SPDX-License-Identifier: Apache-2.0
// One implicit step of a square metre of cotton hanging by two corners, part by part, on one
// thread. The argument is the number of cells along a side: 70 gives 5,041 vertices, 141 gives
// 20,164.
#include "toile/cloth/edge_slopes.h"
#include "toile/cloth/implicit_step.h"
#include "toile/core/parallel.h"
#include "toile/mesh/shapes/rectangle.h"

#include <benchmark/benchmark.h>

#include <vector>

namespace {

using namespace toile;

Cloth sheet(int cells) {
    return Cloth(make_rectangle({.width_divisions = cells, .length_divisions = cells}),
                 named_fabric("cotton"));
}

void cloth_construction(benchmark::State& run) {
    const ThreadLimit one(1);
    for (auto _ : run) {
        const Cloth cloth = sheet(static_cast<int>(run.range(0)));
        benchmark::DoNotOptimize(ImplicitStep(cloth));
    }
}
BENCHMARK(cloth_construction)->Arg(70)->Arg(141)->Unit(benchmark::kMillisecond);

void cloth_edge_slopes(benchmark::State& run) {
    const ThreadLimit one(1);
    const Cloth cloth = sheet(static_cast<int>(run.range(0)));
    const ClothState state = cloth.initial_state();
    EdgeSlopes slopes(cloth);
    for (auto _ : run) benchmark::DoNotOptimize(slopes.solve(state.positions));
}
BENCHMARK(cloth_edge_slopes)->Arg(70)->Arg(141)->Unit(benchmark::kMillisecond);

void cloth_assembly(benchmark::State& run) {
    const ThreadLimit one(1);
    const Cloth cloth = sheet(static_cast<int>(run.range(0)));
    const ClothState state = cloth.initial_state();
    ClothSystem system(cloth);
    for (auto _ : run) system.assemble(state, {}, 0.01);
}
BENCHMARK(cloth_assembly)->Arg(70)->Arg(141)->Unit(benchmark::kMillisecond);

void cloth_product(benchmark::State& run) {
    const ThreadLimit one(1);
    const Cloth cloth = sheet(static_cast<int>(run.range(0)));
    const ClothState state = cloth.initial_state();
    ClothSystem system(cloth);
    system.assemble(state, {}, 0.01);
    std::vector<Vec3> y(state.positions.size());
    for (auto _ : run) system.matrix().multiply(state.positions, y);
}
BENCHMARK(cloth_product)->Arg(70)->Arg(141)->Unit(benchmark::kMillisecond);

/// Steps of 5 ms to the tolerance 10^-range(1); `iterations` is their mean.
void cloth_step(benchmark::State& run) {
    const ThreadLimit one(1);
    const int cells = static_cast<int>(run.range(0));
    const Cloth cloth = sheet(cells);
    const VelocityConstraint pins[] = {{.vertex = 0}, {.vertex = cells}};
    const double tolerance = run.range(1) == 2 ? 1e-2 : 1e-3;
    ImplicitStep step(cloth);
    ClothState state = cloth.initial_state();
    double iterations = 0;
    for (auto _ : run) {
        const StepReport report = step.advance(
            {.constraints = pins},
            {.step = 0.005, .relative_tolerance = tolerance, .max_strain_change = 0}, state);
        iterations += report.iterations;
    }
    run.counters["iterations"] = benchmark::Counter(iterations, benchmark::Counter::kAvgIterations);
}
BENCHMARK(cloth_step)
    ->Args({70, 2})
    ->Args({70, 3})
    ->Args({141, 2})
    ->Args({141, 3})
    ->Iterations(60)
    ->Unit(benchmark::kMillisecond);

}  // namespace
