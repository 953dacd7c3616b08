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

/// Named fabrics whose drape coefficients are published.
std::vector<std::string> draped_fabrics();
struct DrapeResult {
    ValidationRow row;
    ValidationSeries outline;  ///< of the disc at rest, from above, m
};
/// `fabric` is one of draped_fabrics().
DrapeResult drape_of(const std::string& fabric, const ValidationOptions& options);

ValidationResult cantilever_case(const ValidationOptions& options);
ValidationResult refinement_case(const ValidationOptions& options);
ValidationResult self_buckling_case(const ValidationOptions& options);
ValidationResult lateral_buckling_case(const ValidationOptions& options);
ValidationResult patch_case(const ValidationOptions& options);
ValidationResult hanging_case(const ValidationOptions& options);
ValidationResult catenary_case(const ValidationOptions& options);

ValidationResult bias_case(const ValidationOptions& options);
ValidationResult vibration_case(const ValidationOptions& options);
ValidationResult drape_case(const ValidationOptions& options);
ValidationResult incline_case(const ValidationOptions& options);
ValidationResult belt_case(const ValidationOptions& options);
ValidationResult free_flight_case(const ValidationOptions& options);
ValidationResult far_body_case(const ValidationOptions& options);
ValidationResult moved_scene_case(const ValidationOptions& options);

}  // namespace toile
