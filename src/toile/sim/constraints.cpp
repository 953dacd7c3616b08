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

/// `scene.toml:12: `, or nothing.
std::string place_words(const SourcePlace& source) {
    return source.words.empty() ? std::string() : source.words + ": ";
}

void add_vertices_in_box(const PinSetup& setup, const std::string& cloth,
                         std::span<const Vec3> positions, std::vector<int>& out) {
    const Box& box = *setup.box;
    const size_t before = out.size();
    for (size_t v = 0; v < positions.size(); ++v) {
        const auto& x = positions[v].array();
        if ((x >= box.min.array()).all() && (x <= box.max.array()).all()) {
            out.push_back(static_cast<int>(v));
        }
    }
    if (out.size() == before) {
        throw InvalidInput(fmt::format(
            "{}A pin of cloth '{}' has a box from ({}, {}, {}) to ({}, {}, {}) m, in which the "
            "cloth has no vertex at the start.",
            place_words(setup.source), cloth, box.min[0], box.min[1], box.min[2], box.max[0],
            box.max[1], box.max[2]));
    }
}

std::vector<int> pinned_vertices(const PinSetup& setup, const std::string& cloth,
                                 std::span<const Vec3> positions) {
    std::vector<int> vertices;
    for (const int v : setup.vertices) {
        if (v < 0 || v >= static_cast<int>(positions.size())) {
            throw InvalidInput(
                fmt::format("{}A pin of cloth '{}' names vertex {}; the cloth has vertices 0 to "
                            "{}.",
                            place_words(setup.source), cloth, v, positions.size() - 1));
        }
        vertices.push_back(v);
    }
    for (const Vec3& place : setup.positions) vertices.push_back(nearest_vertex(place, positions));
    if (setup.box) add_vertices_in_box(setup, cloth, positions, vertices);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    return vertices;
}

Vec3 mean(std::span<const Vec3> points) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : points) sum += p;
    return sum / static_cast<double>(std::max<size_t>(1, points.size()));
}

bool overlap_in_time(const PinGroup& a, const PinGroup& b) {
    const auto begins_before_end = [](const PinGroup& one, const PinGroup& other) {
        return !other.end() || one.start() < *other.end();
    };
    return begins_before_end(a, b) && begins_before_end(b, a);
}

}  // namespace

PinGroup::PinGroup(const PinSetup& setup, const std::string& cloth, std::span<const Vec3> start)
    : vertices_(pinned_vertices(setup, cloth, start)),
      start_(setup.start),
      end_(setup.end),
      pivot_(setup.pivot),
      velocities_(setup.pieces, setup.velocity),
      path_(setup.keyframes),
      source_(setup.source) {
    for (const int v : vertices_) start_positions_.push_back(start[v]);
    if (holds_from_start() && !path_.at(0).is_identity()) {
        throw InvalidInput(
            fmt::format("{}The keyframes of a pin of cloth '{}' have left its start at time 0 "
                        "already; begin them with `time = 0`.",
                        place_words(source_), cloth));
    }
}

bool PinGroup::stands_still() const {
    return path_.stands_still() && velocities_.stands_still();
}

Vec3 PinGroup::pivot(double since, std::span<const Vec3> anchors) const {
    return pivot_ ? *pivot_ : Vec3(mean(anchors) - path_.at(since).translation);
}

Vec3 PinGroup::Motion::apply(const Vec3& anchor) const {
    const Vec3 home = from.is_identity() ? anchor : from.undo(anchor, pivot);
    return (to.is_identity() ? home : to.apply(home, pivot)) + way;
}

PinGroup::Motion PinGroup::motion(double since, double time, const Vec3& pivot) const {
    return {.from = path_.at(since),
            .to = path_.at(time),
            .pivot = pivot,
            .way = velocities_.way(time) - velocities_.way(since)};
}

std::vector<PinGroup> make_pins(const ClothSetup& setup, std::span<const Vec3> start) {
    std::vector<PinGroup> groups;
    std::vector<std::vector<int>> groups_of(start.size());
    for (const PinSetup& pin : setup.pins) {
        groups.emplace_back(pin, setup.name, start);
        const int group = static_cast<int>(groups.size()) - 1;
        for (const int v : groups.back().vertices()) {
            for (const int other : groups_of[v]) {
                if (!overlap_in_time(groups[other], groups.back())) continue;
                throw InvalidInput(fmt::format(
                    "{}Vertex {} of cloth '{}' is held by two pins at one time, the {}. and the "
                    "{}. of the scene's list.",
                    place_words(pin.source), v, setup.name, other + 1, group + 1));
            }
            groups_of[v].push_back(group);
        }
    }
    return groups;
}

}  // namespace toile
