// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/bridson_response.h"
#include "toile/core/error.h"
#include "toile/sim/coupled_step.h"
#include "toile/sim/near_pairs.h"
#include "toile/sim/trouble.h"
#include "toile/sim/world.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace toile {
namespace {

std::unique_ptr<ContactResponse> make_response(const SolverSettings& solver) {
    return std::make_unique<BridsonResponse>(
        BridsonOptions{.repulsion = {.stiffness = solver.repulsion_stiffness},
                       .separation = solver.collision_gap,
                       .max_rounds = solver.max_rounds,
                       .sweeps = solver.sweeps});
}

CoupledStepOptions coupled_options(const SolverSettings& solver) {
    return {.relative_tolerance = solver.tolerance,
            .max_iterations = solver.max_iterations,
            .max_strain_change = solver.max_strain_change,
            .separation = solver.collision_gap};
}

std::vector<double> friction_table(const Scene& scene) {
    std::vector<MaterialFriction> own;
    for (const ClothSetup& cloth : scene.cloths) {
        own.push_back({cloth.material, cloth.fabric.friction});
    }
    for (const ObstacleSetup& obstacle : scene.obstacles) {
        own.push_back({obstacle.material, obstacle.friction});
    }
    std::vector<double> table;
    for (const MaterialFriction& a : own) {
        for (const MaterialFriction& b : own) {
            table.push_back(pair_friction(scene.friction, a, b));
        }
    }
    return table;
}

/// 0 for vertices without mass.
std::vector<double> inverse_masses(const ClothBody& body) {
    std::vector<double> inverse;
    for (const double mass : body.cloth.masses()) inverse.push_back(mass > 0 ? 1 / mass : 0);
    return inverse;
}

template <class Body, class Setup>
std::vector<Body> make_bodies(const std::vector<Setup>& setups, Body (*make)(const Setup&)) {
    std::vector<Body> bodies;
    bodies.reserve(setups.size());
    for (const Setup& setup : setups) bodies.push_back(make(setup));
    return bodies;
}

}  // namespace

// Read: bodies, and where they start -----------------------------------------------------------

World::World(const Scene& scene)
    : scene_(scene),
      environment_(environment_of(scene)),
      schedule_(scene.settings, scene.solver),
      cloths_(make_bodies(scene.cloths, make_cloth_body)),
      obstacles_(make_bodies(scene.obstacles, make_obstacle_body)),
      pins_(cloths_, schedule_),
      soft_pins_(cloths_) {
    build_surface();
    make_scheme();
    for (const ClothBody& body : cloths_) {
        candidates_.push_back(body.cloth.initial_state());
        const auto& x = body.mesh.positions;
        const auto& v = body.velocities;
        state_.positions.insert(state_.positions.end(), x.begin(), x.end());
        state_.velocities.insert(state_.velocities.end(), v.begin(), v.end());
    }
    const auto n = static_cast<size_t>(surface_.n_vertices());
    state_.positions.resize(n);
    state_.velocities.resize(n, Vec3::Zero());
    state_.last_changes.assign(n, Vec3::Zero());
    begin_step();
    place_prescribed(0, state_.positions);
    end_ = state_.positions;
    start_ = state_;
    refuse_bad_start();
}

World::~World() = default;

void World::make_scheme() {
    if (scene_.solver.name == "implicit") {
        coupled_ = std::make_unique<CoupledStep>(cloths_, surface_, coupled_options(scene_.solver));
        held_flags_.assign(surface_.n_vertices(), 0);
        return;
    }
    response_ = make_response(scene_.solver);
    for (const ClothBody& body : cloths_) {
        dynamics_.push_back(std::make_unique<ImplicitStep>(body.cloth));
    }
}

void World::build_surface() {
    std::vector<std::vector<double>> masses;
    std::vector<ContactBodyInput> inputs;
    for (const ClothBody& body : cloths_) masses.push_back(inverse_masses(body));
    for (size_t c = 0; c < cloths_.size(); ++c) {
        inputs.push_back({.name = cloths_[c].name,
                          .n_vertices = cloths_[c].mesh.n_vertices(),
                          .triangles = cloths_[c].mesh.triangles,
                          .thickness = cloths_[c].cloth.fabric().thickness,
                          .inverse_masses = masses[c]});
    }
    for (size_t o = 0; o < obstacles_.size(); ++o) {
        inputs.push_back({.name = obstacles_[o].name,
                          .n_vertices = obstacles_[o].mesh.n_vertices(),
                          .triangles = obstacles_[o].mesh.triangles,
                          .thickness = scene_.obstacles[o].thickness,
                          .prescribed = true,
                          .inverse_masses = {}});
    }
    surface_ = make_contact_surface(inputs, friction_table(scene_));
    free_inverse_masses_ = surface_.inverse_masses;
}

void World::refuse_unwritable_start() const {
    for (const CheckedBody& body : checked_bodies(rounded_)) {
        for (size_t v = 0; v < body.positions.size(); ++v) {
            if (body.positions[v].allFinite()) continue;
            throw InvalidInput(
                fmt::format("Vertex {} of '{}' starts beyond {:.2g} m, the largest coordinate that "
                            "float32 files can keep.",
                            v, body.name, std::numeric_limits<float>::max()));
        }
    }
}

void World::refuse_bad_start() {
    round_to_float(state_.positions, rounded_);
    refuse_unwritable_start();
    for (const std::vector<Vec3>* positions : {&state_.positions, &rounded_}) {
        const auto bodies = checked_bodies(*positions);
        const std::vector<Crossing> crossings = find_crossings(bodies);
        if (crossings.empty()) continue;
        throw InvalidInput(
            fmt::format("The scene starts with {} crossing pair{} of triangles{}: {}.",
                        crossings.size(), crossings.size() == 1 ? "" : "s",
                        positions == &rounded_ ? " once rounded to float32" : "",
                        crossings_summary(bodies, crossings)));
    }
    refuse_small_gaps();
}

void World::refuse_small_gaps() {
    std::vector<ContactStencil> stencils;
    double kept = 0;
    for (const NearPair& pair : near_pairs(surface_, state_.positions, KeptGap::Rounding)) {
        stencils.push_back(pair.stencil);
        kept = std::max(kept, pair.kept);
    }
    if (stencils.empty()) return;
    throw InvalidInput(
        fmt::format("The scene starts with {} pair{} nearer than {:.3g} m, which "
                    "float32 files cannot keep apart: {}.",
                    stencils.size(), stencils.size() == 1 ? "" : "s", kept,
                    fmt::join(stencil_phrases(surface_, stencils), "; ")));
}

}  // namespace toile
