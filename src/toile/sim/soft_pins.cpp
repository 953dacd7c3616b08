// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/soft_pins.h"

#include "toile/cloth/strain.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace toile {
namespace {

/// Strain of a triangle beside a pin at which its pull is softened: no fabric doubles its length.
constexpr double kMostStrain = 1;
/// Part of the allowed change of strain in a step that a lagging pin uses.
constexpr double kShareOfChange = 0.8;
/// Seconds in which a lagging pin makes up for most of what it lacks.
constexpr double kCatchUpTime = 0.2;
/// Shares of its way that are tried for a lagging pin.
constexpr std::array<double, 6> kShares = {1, 0.5, 0.25, 0.125, 0.0625, 0.03125};
/// Difference, of the coordinates' size, that counts as none.
constexpr double kRounding = 1e-12;

/// Short side of a right triangle of mean area, m.
double usual_edge(const Cloth& cloth) {
    double area = 0;
    for (const ShellTriangle& shell : cloth.shells()) area += shell.membrane.area;
    return std::sqrt(2 * area / std::max(1, cloth.n_triangles()));
}

}  // namespace

bool is_at_place(const Vec3& position, const Vec3& place) {
    const double size = std::max(position.cwiseAbs().maxCoeff(), place.cwiseAbs().maxCoeff());
    return (position - place).cwiseAbs().maxCoeff() <= kRounding * size;
}

const char* pin_trouble_words(PinTrouble cause) {
    switch (cause) {
        case PinTrouble::Stretch:
            return "the cloth beside it cannot stretch so far or so fast";
        case PinTrouble::Blocked:
            return "something is in its way";
        case PinTrouble::Solver:
            break;
    }
    return "the cloth cannot follow it";
}

SoftPins::SoftPins(std::span<const ClothBody> cloths) : cloths_(cloths) {
    int n_vertices = 0;
    for (const ClothBody& body : cloths) {
        first_vertex_.push_back(n_vertices);
        edges_.push_back(usual_edge(body.cloth));
        n_vertices += body.mesh.n_vertices();
    }
    first_vertex_.push_back(n_vertices);
    first_triangle_.assign(static_cast<size_t>(n_vertices) + 1, 0);
    for (size_t c = 0; c < cloths.size(); ++c) {
        for (const Triangle& t : cloths[c].cloth.triangles()) {
            for (const int v : t) ++first_triangle_[first_vertex_[c] + v + 1];
        }
    }
    for (size_t v = 0; v < static_cast<size_t>(n_vertices); ++v) {
        first_triangle_[v + 1] += first_triangle_[v];
    }
    triangles_.resize(first_triangle_.back());
    std::vector<size_t> next(first_triangle_.begin(), first_triangle_.end() - 1);
    for (size_t c = 0; c < cloths.size(); ++c) {
        const auto triangles = cloths[c].cloth.triangles();
        for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
            for (const int v : triangles[t]) triangles_[next[first_vertex_[c] + v]++] = t;
        }
    }
}

int SoftPins::cloth_of(int vertex) const {
    const auto at = std::ranges::upper_bound(first_vertex_, vertex);
    return static_cast<int>(at - first_vertex_.begin()) - 1;
}

bool SoftPins::is_held(int vertex) const {
    return std::ranges::binary_search(held_, vertex);
}

bool SoftPins::is_let_go(int vertex) const {
    return std::ranges::any_of(let_go_, [&](const LetGo& l) { return l.vertex == vertex; });
}

void SoftPins::begin_attempt(const PinStep& step) {
    held_.assign(step.held.begin(), step.held.end());
    yielding_.clear();
    goals_.clear();
    for (const int v : held_) {
        if (is_let_go(v)) {
            yielding_.push_back(v);
            goals_.push_back(step.positions[v]);
        } else if (!is_at_place(step.positions[v], step.places_start[v])) {
            yielding_.push_back(v);
            goals_.push_back(goal(v, step));
        }
    }
}

void SoftPins::lead(std::span<Vec3> out_ends) const {
    for (size_t i = 0; i < yielding_.size(); ++i) out_ends[yielding_[i]] = goals_[i];
}

/// As far on its way as the cloth beside it allows.
Vec3 SoftPins::goal(int vertex, const PinStep& step) const {
    const Vec3& start = step.positions[vertex];
    const Vec3 lack = step.places_start[vertex] - start;
    const double lag = lack.norm();
    const double rate = (lag + edges_[cloth_of(vertex)]) / kCatchUpTime;
    const bool arrives = rate * step.step >= lag;
    const Vec3 end = step.places_end[vertex];
    const Vec3 way = arrives
                         ? Vec3(end - start)
                         : Vec3(end - step.places_start[vertex] + rate * step.step / lag * lack);
    for (const double share : kShares) {
        const Vec3 to = share == 1 && arrives ? end : Vec3(start + share * way);
        if (may_go(vertex, to, step)) return to;
    }
    return start;
}

/// The largest principal strain of one of the triangles round a vertex that is put elsewhere.
double SoftPins::strain_beside(int vertex, const Vec3& at, std::span<const Vec3> positions,
                               int neighbour) const {
    const int cloth = cloth_of(vertex);
    const ShellTriangle& shell = cloths_[cloth].cloth.shells()[neighbour];
    std::array<Vec3, 3> corners;
    for (int i = 0; i < 3; ++i) {
        const int w = first_vertex_[cloth] + shell.vertices[i];
        corners[i] = w == vertex ? at : positions[w];
    }
    return triangle_strain(shell.membrane, corners).largest;
}

/// Whether no triangle beside the vertex is stretched too far, or too much at once, when its other
/// corners go on as they are going; or less than if it stayed.
bool SoftPins::may_go(int vertex, const Vec3& to, const PinStep& step) const {
    const int cloth = cloth_of(vertex);
    const double most_change =
        step.max_strain_change > 0 ? kShareOfChange * step.max_strain_change : kMostStrain;
    for (size_t i = first_triangle_[vertex]; i < first_triangle_[vertex + 1]; ++i) {
        const ShellTriangle& shell = cloths_[cloth].cloth.shells()[triangles_[i]];
        std::array<Vec3, 3> before, after, stayed;
        for (int k = 0; k < 3; ++k) {
            const int w = first_vertex_[cloth] + shell.vertices[k];
            before[k] = step.positions[w];
            stayed[k] = w == vertex ? before[k] : Vec3(before[k] + step.step * step.velocities[w]);
            after[k] = w == vertex ? to : stayed[k];
        }
        const double strain = triangle_strain(shell.membrane, after).largest;
        const double change = strain - triangle_strain(shell.membrane, before).largest;
        if (strain <= kMostStrain && change <= most_change) continue;
        if (strain > triangle_strain(shell.membrane, stayed).largest) return false;
    }
    return true;
}

void SoftPins::find_overstretched(const PinStep& step, std::span<const Vec3> ends,
                                  std::vector<int>& out_vertices) const {
    out_vertices.clear();
    for (const int v : held_) {
        if (std::ranges::binary_search(yielding_, v)) continue;
        if (step.places_end[v] == step.positions[v]) continue;  // it holds still: let it hold
        for (size_t i = first_triangle_[v]; i < first_triangle_[v + 1]; ++i) {
            const double strain = strain_beside(v, ends[v], ends, triangles_[i]);
            if (strain <= kMostStrain) continue;
            if (strain <= strain_beside(v, step.positions[v], ends, triangles_[i])) continue;
            out_vertices.push_back(v);
            break;
        }
    }
}

bool SoftPins::let_go(std::span<const int> vertices, PinTrouble cause) {
    const size_t before = let_go_.size();
    for (const int v : vertices) {
        if (is_held(v) && !is_let_go(v))
            let_go_.push_back({v, cause, std::ranges::binary_search(yielding_, v)});
    }
    return let_go_.size() > before;
}

}  // namespace toile
