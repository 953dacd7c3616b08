// SPDX-License-Identifier: Apache-2.0
#include "toile/validation/validation.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"
#include "toile/validation/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {

ValidationRow relative_row(std::string quantity, double answer, double measured, double bound) {
    return {std::move(quantity), answer, answer, measured, std::abs(measured / answer - 1), bound};
}

ValidationRow absolute_row(std::string quantity, double answer, double measured, double bound) {
    return {std::move(quantity), answer, answer, measured, std::abs(measured - answer), bound};
}

ValidationRow range_row(std::string quantity, double low, double high, double measured) {
    const double outside =
        std::isfinite(measured) ? std::max({low - measured, measured - high, 0.0}) : std::nan("");
    return {std::move(quantity), low, high, measured, outside, 0};
}

std::span<const ValidationCase> validation_cases() {
    static const std::vector<ValidationCase> cases = {
        {"cantilever", "a heavy strip, clamped at one end", "[Romero21]", cantilever_case},
        {"refinement", "the cantilever's error when edges are halved", "second order",
         refinement_case},
        {"self-buckling", "an upright strip under its own weight", "[Greenhill81]",
         self_buckling_case},
        {"lateral-buckling", "a cantilever whose width stands upright", "[Romero21]",
         lateral_buckling_case},
        {"patch", "an even deformation of uneven meshes has no force inside", "exact", patch_case},
        {"hanging", "a strip that stretches under its own weight", "w L² / 2k", hanging_case},
        {"catenary", "a limp strip between two points", "exact", catenary_case},
        {"vibration", "first and second frequencies", "exact", vibration_case},
        {"bias-extension", "a strip pulled at 45 degrees to its threads", "least energy",
         bias_case},
        {"drape", "a disc hangs over a smaller one", "[Cusick68]", drape_case},
        {"incline", "a patch on a slope", "Coulomb", incline_case},
        {"belt", "a belt over a post", "Euler and Eytelwein", belt_case},
        {"free-flight", "a spinning sheet that nothing touches", "exact", free_flight_case},
        {"far-body", "a body that is far away", "exact", far_body_case},
        {"moved-scene", "a drape, and the same scene turned and put elsewhere", "exact",
         moved_scene_case},
    };
    return cases;
}

const ValidationCase& find_validation_case(const std::string& name) {
    std::vector<std::string> names;
    for (const ValidationCase& c : validation_cases()) {
        if (c.name == name) return c;
        names.push_back(c.name);
    }
    throw InvalidInput(
        fmt::format("There is no validation case '{}'.{}", name, did_you_mean(name, names)));
}

ValidationResult run_validation_case(const ValidationCase& validation_case,
                                     const ValidationOptions& options) {
    try {
        return validation_case.run(options);
    } catch (const ComputationFailed& failure) {
        const double none = std::nan("");
        return {.rows = {{failure.what(), none, none, none, none, 0}}, .curves = {}};
    }
}

}  // namespace toile
