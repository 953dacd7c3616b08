// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/subdivision.h"

#include "toile/mesh/topology.h"

namespace toile {

TriangleMesh subdivide(const TriangleMesh& mesh) {
    const EdgeTopology topology = build_edges(mesh.triangles, mesh.n_vertices());
    TriangleMesh result;
    result.positions = mesh.positions;
    for (const auto& [a, b] : topology.edges) {
        result.positions.emplace_back(0.5 * (mesh.positions[static_cast<size_t>(a)] +
                                             mesh.positions[static_cast<size_t>(b)]));
    }
    result.triangles.reserve(4 * mesh.triangles.size());
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle& corner = mesh.triangles[t];
        Triangle middle;  // opposite to each corner
        for (size_t i = 0; i < 3; ++i) {
            const int edge = topology.edges_of_triangle[t][i];
            middle[i] = edge < 0 ? corner[(i + 1) % 3] : mesh.n_vertices() + edge;
        }
        for (size_t i = 0; i < 3; ++i) {
            result.triangles.push_back({corner[i], middle[(i + 2) % 3], middle[(i + 1) % 3]});
        }
        result.triangles.push_back(middle);
    }
    return result;
}

}  // namespace toile
