// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/validation/validation.h"

namespace toile {

/// Where [Romero21]'s master curve is held against: thirteen values of Γ = w L³/B.
std::vector<double> cantilever_gammas();
/// (x, y) over the length, from the clamp on, of a cantilever at rest.
std::vector<Vec2> cantilever_shape(double gamma, const ValidationOptions& options);
double drop_over_reach(std::span<const Vec2> shape);
/// `gamma` is one of cantilever_gammas().
ValidationRow cantilever_row(double gamma, double measured_drop_over_reach);

ValidationResult cantilever_case(const ValidationOptions& options);
ValidationResult refinement_case(const ValidationOptions& options);
ValidationResult self_buckling_case(const ValidationOptions& options);
ValidationResult lateral_buckling_case(const ValidationOptions& options);
ValidationResult patch_case(const ValidationOptions& options);
ValidationResult hanging_case(const ValidationOptions& options);
ValidationResult catenary_case(const ValidationOptions& options);

}  // namespace toile
