// SPDX-License-Identifier: Apache-2.0
#include "bench_validate.h"

#include "toile/core/error.h"
#include "toile/scene/scene_keys.h"
#include "toile/validation/validation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

namespace toile::app {
namespace {

struct ValidateArguments {
    std::vector<std::string> cases;  ///< all where empty
    std::string solver = SolverSettings{}.name;
};

struct CaseResult {
    const ValidationCase* which;
    ValidationResult result;
};

const std::vector<std::string>& solver_names() {
    for (const auto& key : scene_keys<SolverSettings>()) {
        if (key.description.name == "name") return key.description.choices;
    }
    throw std::logic_error("the solver has no name");
}

bool all_hold(const std::vector<CaseResult>& results) {
    for (const CaseResult& done : results) {
        for (const ValidationRow& row : done.result.rows) {
            if (!row.holds()) return false;
        }
    }
    return true;
}

std::string answer_text(const ValidationRow& row) {
    return row.low == row.high ? fmt::format("{:.6g}", row.low)
                               : fmt::format("{:g} to {:g}", row.low, row.high);
}

void print_case(const CaseResult& done) {
    fmt::print("{}: {} {}\n", done.which->name, done.which->title, done.which->source);
    for (const ValidationRow& row : done.result.rows) {
        fmt::print("  {:<52} {:>12} {:>12.6g} {:>10.2g} {:>8.2g}  {}\n", row.quantity,
                   answer_text(row), row.measured, row.error, row.bound,
                   row.holds() ? "holds" : "DOES NOT HOLD");
    }
}

nlohmann::json as_json(const ValidationRow& row) {
    return {{"quantity", row.quantity}, {"low", row.low},     {"high", row.high},
            {"measured", row.measured}, {"error", row.error}, {"bound", row.bound},
            {"holds", row.holds()}};
}

nlohmann::json as_json(const ValidationSeries& series) {
    nlohmann::json points = nlohmann::json::array();
    for (const Vec2& p : series.points) points.push_back({p[0], p[1]});
    return {{"name", series.name}, {"exact", series.exact}, {"points", points}};
}

nlohmann::json as_json(const ValidationCurve& curve) {
    nlohmann::json all = nlohmann::json::array();
    for (const ValidationSeries& series : curve.series) all.push_back(as_json(series));
    return {{"name", curve.name},
            {"title", curve.title},
            {"x_label", curve.x_label},
            {"y_label", curve.y_label},
            {"logarithmic", curve.logarithmic},
            {"equal_scales", curve.equal_scales},
            {"series", all}};
}

void print_json(const std::vector<CaseResult>& results, const std::string& solver) {
    nlohmann::json cases = nlohmann::json::array();
    for (const CaseResult& done : results) {
        nlohmann::json rows = nlohmann::json::array(), curves = nlohmann::json::array();
        for (const ValidationRow& row : done.result.rows) rows.push_back(as_json(row));
        for (const ValidationCurve& curve : done.result.curves) curves.push_back(as_json(curve));
        cases.push_back({{"name", done.which->name},
                         {"title", done.which->title},
                         {"source", done.which->source},
                         {"rows", rows},
                         {"curves", curves}});
    }
    const nlohmann::json document = {
        {"solver", solver}, {"holds", all_hold(results)}, {"cases", cases}};
    fmt::print("{}\n", document.dump(2));
}

std::vector<const ValidationCase*> chosen(const std::vector<std::string>& names) {
    std::vector<const ValidationCase*> cases;
    for (const std::string& name : names) cases.push_back(&find_validation_case(name));
    if (!names.empty()) return cases;
    for (const ValidationCase& each : validation_cases()) cases.push_back(&each);
    return cases;
}

void bench_validate(const ValidateArguments& arguments, Session& session) {
    const auto cases = chosen(arguments.cases);
    if (!session.json) {
        fmt::print("solver {}\n  {:<52} {:>12} {:>12} {:>10} {:>8}\n", arguments.solver, "quantity",
                   "answer", "measured", "error", "bound");
    }
    std::vector<CaseResult> results;
    for (const ValidationCase* each : cases) {
        if (session.cancellation.requested()) throw Interrupted("Stopped between two cases.");
        results.push_back({each, run_validation_case(*each, {.solver = arguments.solver})});
        if (!session.json) print_case(results.back());
    }
    if (session.json) print_json(results, arguments.solver);
    if (!all_hold(results)) session.exit_code = 1;
}

}  // namespace

void add_bench_validate(CLI::App& bench, Session& session) {
    const auto arguments = std::make_shared<ValidateArguments>();
    CLI::App* validate = bench.add_subcommand(
        "validate",
        "Hold simulations against exact and published answers (exit code 1 where one "
        "does not agree)");
    validate->add_option("CASE", arguments->cases, "Only these cases, by name");
    validate->add_option("--solver", arguments->solver, "Scheme of the scenes, as solver.name")
        ->check(CLI::IsMember(solver_names()))
        ->capture_default_str();
    validate->callback([arguments, &session] { bench_validate(*arguments, session); });
}

}  // namespace toile::app
