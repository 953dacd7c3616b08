// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

namespace toile::detail {

/// Adds the positions and triangles of `part` to `mesh`, as a further component; a part of a shape
/// has nothing else.
void append_part(const TriangleMesh& part, TriangleMesh& mesh);

}  // namespace toile::detail
