// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/append.h"

namespace toile::detail {

void append_part(const TriangleMesh& part, TriangleMesh& mesh) {
    const int first = mesh.n_vertices();
    mesh.positions.insert(mesh.positions.end(), part.positions.begin(), part.positions.end());
    for (const auto& [a, b, c] : part.triangles) {
        mesh.triangles.push_back({a + first, b + first, c + first});
    }
}

}  // namespace toile::detail
