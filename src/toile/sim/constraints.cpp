// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/constraints.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

int nearest_vertex(const Vec3& place, std::span<const Vec3> positions) {
    const auto farther = [&](const Vec3& a, const Vec3& b) {
        return (a - place).squaredNorm() < (b - place).squaredNorm();
    };
    return static_cast<int>(std::min_element(positions.begin(), positions.end(), farther) -
                            positions.begin());
}

void add_vertices_in_box(const Box& box, const std::string& cloth, std::span<const Vec3> positions,
                         std::vector<int>& out) {
    const size_t before = out.size();
    for (size_t v = 0; v < positions.size(); ++v) {
        const auto& x = positions[v].array();
        if ((x >= box.min.array()).all() && (x <= box.max.array()).all()) {
            out.push_back(static_cast<int>(v));
        }
    }
    if (out.size() == before) {
        throw InvalidInput(fmt::format(
            "A pin of cloth '{}' has a box from ({}, {}, {}) to ({}, {}, "
            "{}) m, in which the cloth has no vertex at the start.",
            cloth, box.min[0], box.min[1], box.min[2], box.max[0], box.max[1], box.max[2]));
    }
}

std::vector<int> pinned_vertices(const PinSetup& setup, const std::string& cloth,
                                 std::span<const Vec3> positions) {
    std::vector<int> vertices;
    for (const int v : setup.vertices) {
        if (v < 0 || v >= static_cast<int>(positions.size())) {
            throw InvalidInput(
                fmt::format("A pin of cloth '{}' names vertex {}; the cloth has "
                            "vertices 0 to {}.",
                            cloth, v, positions.size() - 1));
        }
        vertices.push_back(v);
    }
    for (const Vec3& place : setup.positions) vertices.push_back(nearest_vertex(place, positions));
    if (setup.box) add_vertices_in_box(*setup.box, cloth, positions, vertices);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return vertices;
}

Vec3 mean(std::span<const Vec3> points) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : points) sum += p;
    return sum / static_cast<double>(std::max<size_t>(1, points.size()));
}

}  // namespace

PinGroup::PinGroup(const PinSetup& setup, const std::string& cloth, std::span<const Vec3> start)
    : vertices_(pinned_vertices(setup, cloth, start)),
      velocity_(setup.velocity),
      path_(setup.keyframes) {
    for (const int v : vertices_) start_.push_back(start[v]);
    pivot_ = setup.pivot.value_or(mean(start_));
    const RigidDisplacement first = path_.at(0);
    if (first.rotation != Mat3::Identity() || !first.translation.isZero(0)) {
        throw InvalidInput(
            fmt::format("The keyframes of a pin of cloth '{}' have left its start at "
                        "time 0 already; begin them with `time = 0`.",
                        cloth));
    }
}

bool PinGroup::stands_still() const {
    return path_.stands_still() && velocity_.isZero(0);
}

Vec3 PinGroup::position(size_t i, const RigidDisplacement& displacement, double time) const {
    return displacement.apply(start_[i], pivot_) + time * velocity_;
}

void PinGroup::place(double time, std::span<Vec3> out_positions) const {
    if (stands_still()) {
        for (size_t i = 0; i < vertices_.size(); ++i) out_positions[vertices_[i]] = start_[i];
        return;
    }
    const RigidDisplacement displacement = path_.at(time);
    for (size_t i = 0; i < vertices_.size(); ++i) {
        out_positions[vertices_[i]] = position(i, displacement, time);
    }
}

std::vector<PinGroup> make_pins(const ClothSetup& setup, std::span<const Vec3> start) {
    std::vector<PinGroup> groups;
    std::vector<int> group_of(start.size(), -1);
    for (const PinSetup& pin : setup.pins) {
        groups.emplace_back(pin, setup.name, start);
        const int group = static_cast<int>(groups.size()) - 1;
        for (const int v : groups.back().vertices()) {
            if (group_of[v] >= 0) {
                throw InvalidInput(
                    fmt::format("Vertex {} of cloth '{}' is held by two pins, the {}. "
                                "and the {}. of the scene's list.",
                                v, setup.name, group_of[v] + 1, group + 1));
            }
            group_of[v] = group;
        }
    }
    return groups;
}

}  // namespace toile
