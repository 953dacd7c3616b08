// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

namespace toile {

/// The rotation R of the polar decomposition F = R U, nearest to F in the Frobenius norm with
/// det R = +1 [Higham86]. Finite for any finite F: the identity for F = 0, and where the answer is
/// not unique (rank 1, reflections with equal stretches) always the same one.
Mat3 nearest_rotation(const Mat3& f);

}  // namespace toile
