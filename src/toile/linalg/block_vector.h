// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <vector>

namespace toile {

/// Reusable memory of a dot product's partial sums, so that no call after the first allocates.
using DotScratch = std::vector<double>;

/// Σ a[v]·b[v], summed in fixed pieces and in their order: the same bits on any number of threads.
double dot(std::span<const Vec3> a, std::span<const Vec3> b, DotScratch& scratch);

/// inout_y += factor · x.
void add_scaled(double factor, std::span<const Vec3> x, std::span<Vec3> inout_y);

/// inout_y = x + factor · inout_y.
void scale_and_add(std::span<const Vec3> x, double factor, std::span<Vec3> inout_y);

void set_zero(std::span<Vec3> out_x);

}  // namespace toile
