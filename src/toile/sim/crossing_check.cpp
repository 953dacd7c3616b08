// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/crossing_check.h"

#include "toile/collision/intersection.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

constexpr size_t kMostSentences = 5;

void add(std::span<const ElementPair> pairs, int body_a, int body_b, std::vector<Crossing>& out) {
    for (const auto& [a, b] : pairs) out.push_back({body_a, a, body_b, b});
}

}  // namespace

std::vector<Crossing> find_crossings(std::span<const CheckedBody> bodies) {
    std::vector<Crossing> found;
    const int n = static_cast<int>(bodies.size());
    for (int a = 0; a < n; ++a) {
        const CheckedBody& one = bodies[a];
        if (!one.obstacle) add(self_crossings(one.positions, one.triangles), a, a, found);
        for (int b = a + 1; b < n; ++b) {
            const CheckedBody& other = bodies[b];
            if (one.obstacle && other.obstacle) continue;
            add(crossings(one.positions, one.triangles, other.positions, other.triangles), a, b,
                found);
        }
    }
    return found;
}

std::vector<InsideVertex> find_inside_vertices(std::span<const CheckedBody> bodies) {
    std::vector<InsideVertex> found;
    for (size_t c = 0; c < bodies.size(); ++c) {
        for (size_t o = 0; o < bodies.size(); ++o) {
            if (bodies[c].obstacle || !bodies[o].obstacle) continue;
            for (const int v :
                 points_inside(bodies[c].positions, bodies[o].positions, bodies[o].triangles)) {
                found.push_back({static_cast<int>(c), v, static_cast<int>(o)});
            }
        }
    }
    std::ranges::sort(found);
    return found;
}

std::string inside_sentence(std::span<const CheckedBody> bodies,
                            std::span<const InsideVertex> inside) {
    if (inside.empty()) return {};
    const InsideVertex& first = inside.front();
    return fmt::format(
        "{} cloth {} inside closed obstacles at the start; the first is vertex {} of '{}', in "
        "'{}'.",
        inside.size(), inside.size() == 1 ? "vertex" : "vertices", first.vertex,
        bodies[first.cloth].name, bodies[first.obstacle].name);
}

std::string crossing_sentence(std::span<const CheckedBody> bodies, const Crossing& crossing) {
    return fmt::format("triangle {} of '{}' touches or crosses triangle {} of '{}'",
                       crossing.triangle_a, bodies[crossing.body_a].name, crossing.triangle_b,
                       bodies[crossing.body_b].name);
}

std::string crossings_summary(std::span<const CheckedBody> bodies,
                              std::span<const Crossing> crossings) {
    std::string out;
    const size_t n_named = std::min(kMostSentences, crossings.size());
    for (size_t i = 0; i < n_named; ++i) {
        out += (i == 0 ? "" : "; ") + crossing_sentence(bodies, crossings[i]);
    }
    if (crossings.size() > n_named) out += fmt::format("; {} more", crossings.size() - n_named);
    return out;
}

void round_to_float(std::span<const Vec3> positions, std::vector<Vec3>& out_rounded) {
    out_rounded.resize(positions.size());
    for (size_t v = 0; v < positions.size(); ++v) {
        out_rounded[v] = positions[v].cast<float>().cast<double>();
    }
}

}  // namespace toile
