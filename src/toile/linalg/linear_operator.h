// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>

namespace toile {

/// A symmetric linear map on one 3-vector per vertex: what the solver may add to its matrix without
/// knowing where it comes from (contacts, springs of a later kind).
class LinearOperator {
  public:
    virtual ~LinearOperator() = default;

    /// inout_y += A x.
    virtual void add_product(std::span<const Vec3> x, std::span<Vec3> inout_y) const = 0;
    /// inout_blocks[v] += the 3×3 diagonal block of vertex v, for the preconditioner.
    virtual void add_diagonal(std::span<Mat3> inout_blocks) const = 0;
};

}  // namespace toile
