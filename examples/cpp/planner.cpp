// SPDX-License-Identifier: Apache-2.0
// A planner's inner loop: from one snapshot of a world it tries many pulls, some frames each, and
// keeps the best; restoring is exact, so the best one can be played again to the same bits.
// usage: example_planner [ROLLOUTS [STEPS]]
#include "toile/core/parallel.h"
#include "toile/core/timer.h"
#include "toile/sim/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

namespace {

using toile::Vec3;

constexpr int kSide = 10;  // vertices along a side of the towel
constexpr int kRolloutsPerWorld = 25;

/// The towel's upper edge, which the robot's bar holds; the lower one is free.
std::vector<int> held_edge() {
    std::vector<int> edge(kSide);
    std::iota(edge.begin(), edge.end(), 0);
    return edge;
}

/// A towel that hangs from a bar, and a shelf before it.
toile::Scene towel_and_shelf() {
    const std::vector<double> cells = {kSide - 1, kSide - 1};
    toile::Scene scene;
    scene.settings.frame_rate = 25;
    scene.solver.steps_per_frame = 1;
    toile::ClothSetup towel;
    towel.name = "towel";
    towel.shape =
        toile::ShapeSpec{"rectangle", {{"width", 0.4}, {"length", 0.4}, {"divisions", cells}}};
    towel.rotation = {{1, 0, 0}, 90};
    towel.fabric = toile::named_fabric("cotton");
    towel.fabric.thickness = 0.004;
    towel.material = towel.fabric.name;
    towel.pins.resize(1);
    towel.pins[0].vertices = held_edge();
    scene.cloths = {towel};
    toile::ObstacleSetup shelf;
    shelf.name = "shelf";
    shelf.shape = toile::ShapeSpec{"box", {{"size", std::vector<double>{0.6, 0.02, 0.3}}}};
    shelf.translation = {0, -0.16, 0.45};
    shelf.material = "rigid";
    scene.obstacles = {shelf};
    return scene;
}

/// Where the bar goes in each half of a rollout, m/s.
struct Pull {
    Vec3 first;
    Vec3 second;
};

/// The same on every machine: of the generator's bits, not of a library's distribution.
Pull make_pull(int rollout) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rollout));
    const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
    const auto vector = [&](double size) {
        const double y = number();
        return Vec3(0, size * y, size * number());
    };
    return {Vec3(0, 0, -0.2) + vector(0.6), Vec3(0, 0.1, 0.6) + vector(0.6)};
}

/// Mean square distance of the free edge from a line over the middle of the shelf, m2.
double cost(const toile::World& world) {
    const auto x = world.positions(0);
    double sum = 0;
    for (int i = 0; i < kSide; ++i) {
        const Vec3& free = x[kSide * (kSide - 1) + i];
        sum += (free - Vec3(x[i].x(), -0.145, 0.45)).squaredNorm();
    }
    return sum / kSide;
}

/// Infinite where a frame fails.
double roll_out(toile::World& world, const toile::WorldState& snapshot, const Pull& pull,
                int n_steps) {
    world.set_state(snapshot);
    const std::vector<int> bar = held_edge();
    for (int step = 0; step < n_steps; ++step) {
        if (step == 0) world.pin(0, bar, pull.first);
        if (step == n_steps / 2) world.pin(0, bar, pull.second);
        if (world.step().failure) return INFINITY;
    }
    return cost(world);
}

toile::WorldState settled(const toile::Scene& scene) {
    toile::World world(scene);
    for (int frame = 0; frame < 6; ++frame) {
        if (world.step().failure) std::exit(1);
    }
    return world.state();
}

}  // namespace

int main(int argc, char** argv) {
    const int n_rollouts = argc > 1 ? std::atoi(argv[1]) : 1000;
    const int n_steps = argc > 2 ? std::atoi(argv[2]) : 20;
    if (n_rollouts < 1 || n_steps < 2) return 2;
    const toile::Scene scene = towel_and_shelf();
    const toile::WorldState snapshot = settled(scene);

    // Worlds share nothing, so each thread has its own. What a rollout gives depends on its number
    // alone, not on the world that it runs in or what that has done before.
    const toile::Timer timer;
    std::vector<double> costs(static_cast<size_t>(n_rollouts));
    toile::parallel_for(n_rollouts, kRolloutsPerWorld, [&](int begin, int end) {
        toile::World world(scene);
        for (int r = begin; r < end; ++r) {
            costs[static_cast<size_t>(r)] = roll_out(world, snapshot, make_pull(r), n_steps);
        }
    });
    const double seconds = timer.seconds();

    const auto best = std::min_element(costs.begin(), costs.end());
    const int rollout = static_cast<int>(best - costs.begin());
    toile::World world(scene);
    const double again = roll_out(world, snapshot, make_pull(rollout), n_steps);
    fmt::print("{} rollouts of {} steps in {:.2f} s: {:.2f} ms each\n", n_rollouts, n_steps,
               seconds, 1000 * seconds / n_rollouts);
    fmt::print("best: rollout {}, cost {:.17g} m2; played again {:.17g} m2\n", rollout, *best,
               again);
    return again == *best && std::isfinite(again) ? 0 : 1;
}
