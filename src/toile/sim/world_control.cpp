// SPDX-License-Identifier: Apache-2.0
#include "toile/core/error.h"
#include "toile/sim/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

bool is_finite(const Hold& hold) {
    return std::isfinite(hold.since) && hold.anchor.allFinite() && hold.velocity.allFinite();
}

bool is_finite(const ObstacleHold& hold) {
    return std::isfinite(hold.since) && hold.pose.rotation.allFinite() &&
           hold.pose.translation.allFinite() && hold.velocity.allFinite() &&
           hold.turn_rate.allFinite();
}

constexpr const char* kNotFinite = "A state holds a number that is not finite.";

}  // namespace

// Put back -------------------------------------------------------------------------------------

void World::check_holds(const WorldState& state) const {
    int n_cloth_vertices = 0;
    for (const ClothBody& body : cloths_) n_cloth_vertices += body.mesh.n_vertices();
    int last = -1;
    for (const Hold& hold : state.holds) {
        if (hold.vertex <= last || hold.vertex >= n_cloth_vertices) {
            throw InvalidInput(
                fmt::format("A state holds vertex {} after {}; expected rising numbers below {}.",
                            hold.vertex, last, n_cloth_vertices));
        }
        if (!is_finite(hold)) throw InvalidInput(kNotFinite);
        last = hold.vertex;
    }
    last = -1;
    for (const ObstacleHold& hold : state.obstacle_holds) {
        if (hold.obstacle <= last || hold.obstacle >= static_cast<int>(obstacles_.size())) {
            throw InvalidInput(
                fmt::format("A state moves obstacle {} after {}; expected rising numbers below {}.",
                            hold.obstacle, last, obstacles_.size()));
        }
        if (!is_finite(hold)) throw InvalidInput(kNotFinite);
        last = hold.obstacle;
    }
}

void World::set_state(const WorldState& state) {
    const size_t n = state_.positions.size();
    if (state.positions.size() != n || state.velocities.size() != n ||
        state.last_changes.size() != n) {
        throw InvalidInput(fmt::format("A state of {} vertices does not fit a world of {}.",
                                       state.positions.size(), n));
    }
    for (const auto* values : {&state.positions, &state.velocities, &state.last_changes}) {
        if (std::ranges::all_of(*values, [](const Vec3& x) { return x.allFinite(); })) continue;
        throw InvalidInput(kNotFinite);
    }
    check_holds(state);
    schedule_.check(state.control);
    state_ = state;
}

void World::rewind() {
    state_ = start_;
}

// Set by code ----------------------------------------------------------------------------------

void World::check_cloth(int cloth) const {
    if (cloth >= 0 && cloth < static_cast<int>(cloths_.size())) return;
    throw InvalidInput(fmt::format("There is no cloth {}; the world has cloths 0 to {}.", cloth,
                                   cloths_.size() - 1));
}

void World::check_vertices(int cloth, std::span<const int> vertices) const {
    check_cloth(cloth);
    const int n = surface_.bodies[cloth].n_vertices;
    for (const int v : vertices) {
        if (v >= 0 && v < n) continue;
        throw InvalidInput(fmt::format("Cloth '{}' has no vertex {}; it has vertices 0 to {}.",
                                       surface_.bodies[cloth].name, v, n - 1));
    }
}

void World::pin(int cloth, std::span<const int> vertices, const Vec3& velocity) {
    check_vertices(cloth, vertices);
    if (!velocity.allFinite()) {
        throw InvalidInput(
            fmt::format("A pin of cloth '{}' is given a velocity that is not "
                        "finite.",
                        surface_.bodies[cloth].name));
    }
    for (const int v : vertices) {
        const int vertex = surface_.bodies[cloth].first_vertex + v;
        PinBoard::note({.vertex = vertex,
                        .kind = HoldKind::Code,
                        .since = time(),
                        .anchor = state_.positions[vertex],
                        .velocity = velocity},
                       state_);
    }
}

void World::release(int cloth, std::span<const int> vertices) {
    check_vertices(cloth, vertices);
    for (const int v : vertices) {
        const int vertex = surface_.bodies[cloth].first_vertex + v;
        PinBoard::note({.vertex = vertex,
                        .kind = HoldKind::Free,
                        .since = time(),
                        .anchor = state_.positions[vertex]},
                       state_);
    }
}

void World::leave_to_scene(int cloth) {
    check_cloth(cloth);
    pins_.leave_to_scene(static_cast<size_t>(cloth), state_);
}

void World::set_velocities(int cloth, std::span<const Vec3> velocities) {
    check_cloth(cloth);
    const ContactBody& body = surface_.bodies[cloth];
    if (static_cast<int>(velocities.size()) != body.n_vertices) {
        throw InvalidInput(fmt::format("{} velocities for the {} vertices of cloth '{}'.",
                                       velocities.size(), body.n_vertices, body.name));
    }
    if (!std::ranges::all_of(velocities, [](const Vec3& v) { return v.allFinite(); })) {
        throw InvalidInput(fmt::format("A velocity for cloth '{}' is not finite.", body.name));
    }
    std::ranges::copy(velocities, state_.velocities.begin() + body.first_vertex);
}

void World::move_obstacle(int obstacle, const RigidVelocity& velocity) {
    if (obstacle < 0 || obstacle >= static_cast<int>(obstacles_.size())) {
        throw InvalidInput(fmt::format("There is no obstacle {}; the world has {} of them.",
                                       obstacle, obstacles_.size()));
    }
    const ObstacleHold hold = {.obstacle = obstacle,
                               .since = time(),
                               .pose = displacement(static_cast<size_t>(obstacle), time()),
                               .velocity = velocity.velocity,
                               .turn_rate = velocity.turn_rate};
    if (!is_finite(hold)) {
        throw InvalidInput(fmt::format("Obstacle '{}' is given a velocity that is not finite.",
                                       obstacles_[obstacle].name));
    }
    auto& holds = state_.obstacle_holds;
    const auto at = std::ranges::lower_bound(holds, obstacle, {}, &ObstacleHold::obstacle);
    if (at != holds.end() && at->obstacle == obstacle) {
        *at = hold;
    } else {
        holds.insert(at, hold);
    }
}

/// Relative to the obstacle's place: by code, else as the scene says.
RigidDisplacement World::displacement(size_t obstacle, double time) const {
    for (const ObstacleHold& hold : state_.obstacle_holds) {
        if (hold.obstacle != static_cast<int>(obstacle)) continue;
        const double passed = time - hold.since;
        RigidDisplacement moved = hold.pose;
        moved.translation += passed * hold.velocity;
        if (!hold.turn_rate.isZero(0)) {
            moved.rotation = rotation_matrix(passed * hold.turn_rate) * hold.pose.rotation;
        }
        return moved;
    }
    return obstacles_[obstacle].displacement(time);
}

}  // namespace toile
