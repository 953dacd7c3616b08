// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// One body as the exact checks see it.
struct CheckedBody {
    std::string name;
    std::span<const Triangle> triangles;  ///< indices into the body's own vertices
    std::span<const Vec3> positions;
    bool obstacle = false;  ///< obstacles may cross themselves and each other
};

/// Two triangles that share a point they should not, by index of body and of triangle in it.
struct Crossing {
    int body_a = 0;
    int triangle_a = 0;
    int body_b = 0;
    int triangle_b = 0;

    bool operator==(const Crossing&) const = default;
};

/// All crossings of cloths with themselves, each other and obstacles, by exact arithmetic on the
/// given doubles, sorted by bodies, then triangles.
std::vector<Crossing> find_crossings(std::span<const CheckedBody> bodies);

/// A cloth's vertex that lies inside a closed obstacle.
struct InsideVertex {
    int cloth = 0;     ///< index of body
    int vertex = 0;    ///< index in it
    int obstacle = 0;  ///< index of body

    auto operator<=>(const InsideVertex&) const = default;
};

/// All vertices of cloths inside closed obstacles (exact), sorted; open obstacles have no inside.
std::vector<InsideVertex> find_inside_vertices(std::span<const CheckedBody> bodies);

/// `14 cloth vertices inside closed obstacles at the start; the first is vertex 3 of 'towel', in
/// 'table'.`; empty where there are none.
std::string inside_sentence(std::span<const CheckedBody> bodies,
                            std::span<const InsideVertex> inside);

/// `triangle 3 of 'towel' touches or crosses triangle 17 of 'table'`.
std::string crossing_sentence(std::span<const CheckedBody> bodies, const Crossing& crossing);

/// The first few sentences, joined, and how many there are more.
std::string crossings_summary(std::span<const CheckedBody> bodies,
                              std::span<const Crossing> crossings);

/// Every coordinate as a file of float32 keeps it.
void round_to_float(std::span<const Vec3> positions, std::vector<Vec3>& out_rounded);

}  // namespace toile
