// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/feature_owners.h"

#include <algorithm>
#include <numeric>

namespace toile {
namespace {

/// Gives the triangle what no other has.
FeatureOwner owner_of(const ContactSurface& surface, int triangle, std::vector<char>& inout_owned,
                      std::vector<char>& inout_owned_edges) {
    FeatureOwner owner{.triangle = triangle};
    const Triangle& t = surface.triangles[triangle];
    for (int i = 0; i < 3; ++i) {
        if (!inout_owned[t[i]]) owner.vertices[owner.n_vertices++] = t[i];
        inout_owned[t[i]] = 1;
        const int edge = surface.find_edge(t[i], t[(i + 1) % 3]);
        if (edge < 0 || inout_owned_edges[edge]) continue;
        owner.edges[owner.n_edges++] = edge;
        inout_owned_edges[edge] = 1;
    }
    return owner;
}

void rank_triangles(const ContactSurface& surface, FeatureOwners& out) {
    out.triangle_of_rank.resize(surface.triangles.size());
    std::iota(out.triangle_of_rank.begin(), out.triangle_of_rank.end(), 0);
    std::stable_sort(out.triangle_of_rank.begin(), out.triangle_of_rank.end(),
                     [&](int a, int b) { return surface.triangles[a] < surface.triangles[b]; });
    out.rank_of_triangle.resize(surface.triangles.size());
    for (size_t i = 0; i < out.triangle_of_rank.size(); ++i) {
        out.rank_of_triangle[out.triangle_of_rank[i]] = static_cast<int>(i);
    }
}

}  // namespace

ContactStencil FeatureOwners::stencil_of(PairKey key) const {
    constexpr PairKey kSecond = (PairKey{1} << kSecondBits) - 1;
    const auto first = static_cast<int>((key & ~kEdgePair) >> kSecondBits);
    const auto second = static_cast<int>(key & kSecond);
    if (key & kEdgePair) {
        const Edge &a = edges[first], &b = edges[second];
        return {StencilKind::EdgeEdge, {a[0], a[1], b[0], b[1]}};
    }
    const Triangle& t = triangles[triangle_of_rank[second]];
    return {StencilKind::PointTriangle, {first, t[0], t[1], t[2]}};
}

bool fit(const FeatureOwners& owners, const ContactSurface& surface) {
    const auto same = [&](char prescribed, int body) {
        return (prescribed != 0) == surface.bodies[body].prescribed;
    };
    return owners.triangles == surface.triangles && owners.edges == surface.edges &&
           std::equal(owners.prescribed_vertices.begin(), owners.prescribed_vertices.end(),
                      surface.body_of_vertex.begin(), surface.body_of_vertex.end(), same);
}

FeatureOwners find_feature_owners(const ContactSurface& surface) {
    FeatureOwners owners;
    owners.triangles = surface.triangles;
    owners.edges = surface.edges;
    for (const int body : surface.body_of_vertex) {
        owners.prescribed_vertices.push_back(surface.bodies[body].prescribed);
    }
    std::vector<char> owned(surface.body_of_vertex.size(), 0);
    std::vector<char> owned_edges(surface.edges.size(), 0);
    const auto of_body = [&](int body) -> std::vector<FeatureOwner>& {
        return surface.bodies[body].prescribed ? owners.prescribed : owners.free;
    };
    for (int t = 0; t < static_cast<int>(surface.triangles.size()); ++t) {
        of_body(surface.body_of_triangle[t]).push_back(owner_of(surface, t, owned, owned_edges));
    }
    for (int v = 0; v < surface.n_vertices(); ++v) {
        if (owned[v]) continue;
        of_body(surface.body_of_vertex[v]).push_back({.n_vertices = 1, .vertices = {v, 0, 0}});
    }
    rank_triangles(surface, owners);
    return owners;
}

}  // namespace toile
