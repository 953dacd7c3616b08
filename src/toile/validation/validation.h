// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <string>
#include <vector>

namespace toile {

/// A quantity with a known answer, and what was measured. One answer, or a published range.
struct ValidationRow {
    std::string quantity;  ///< a phrase, with its unit where it has one
    double low = 0;        ///< the answer, or the least of the range
    double high = 0;       ///< the same, or the largest
    double measured = 0;
    double error = 0;  ///< as a part of the answer, or absolute where the phrase says so; of a
                       ///< range: how far outside
    double bound = 0;  ///< the row holds where the error is at most this; false for NaN

    [[nodiscard]] bool holds() const { return error <= bound; }
};

/// Error relative to the answer.
ValidationRow relative_row(std::string quantity, double answer, double measured, double bound);
/// Error in the unit of the quantity.
ValidationRow absolute_row(std::string quantity, double answer, double measured, double bound);
/// Any value from `low` to `high` is right.
ValidationRow range_row(std::string quantity, double low, double high, double measured);

/// Points of a diagram.
struct ValidationSeries {
    std::string name;
    bool exact = false;  ///< drawn as a line; else as marks
    std::vector<Vec2> points;
};

/// A diagram of a case.
struct ValidationCurve {
    std::string name;  ///< names its file
    std::string title;
    std::string x_label, y_label;
    bool logarithmic = false;   ///< both axes
    bool equal_scales = false;  ///< a shape in metres
    std::vector<ValidationSeries> series;
};

struct ValidationResult {
    std::vector<ValidationRow> rows;
    std::vector<ValidationCurve> curves;
};

struct ValidationOptions {
    std::string solver;  ///< of the scenes: SolverSettings::name
};

/// An experiment whose answer is known.
struct ValidationCase {
    std::string name;    ///< one word
    std::string title;   ///< a phrase
    std::string source;  ///< of the answer
    ValidationResult (*run)(const ValidationOptions&);
};

/// All cases, in the order of the table.
std::span<const ValidationCase> validation_cases();

/// Throws InvalidInput with the nearest name where there is no such case.
const ValidationCase& find_validation_case(const std::string& name);

/// What the case gives; where a simulation in it fails, one row that says so and does not hold.
ValidationResult run_validation_case(const ValidationCase& validation_case,
                                     const ValidationOptions& options);

}  // namespace toile
