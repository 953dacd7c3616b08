// SPDX-License-Identifier: Apache-2.0
#include "bench_validate.h"
#include "toile/collision/query_set.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace toile::app {
namespace {

struct CcdOptions {
    std::string folder;
    double scale = 1;
    double min_separation = 0;
};

const char* name_of(QueryKind kind) {
    return kind == QueryKind::EdgeEdge ? "edge-edge" : "vertex-face";
}

void print_row(const std::string& set, const std::string& kind, const QueryVerdict& v) {
    fmt::print("{:<30} {:<12} {:>9} {:>9} {:>7} {:>13} {:>9.3f} {:>10} {:>9.0f}\n", set, kind,
               v.n_queries, v.n_hits, v.n_misses, v.n_false_alarms, v.false_alarm_percent(),
               v.n_undecided, v.nanoseconds_per_query());
}

void print_table(const std::vector<QueryVerdict>& verdicts, const QueryVerdict& total) {
    fmt::print("{:<30} {:<12} {:>9} {:>9} {:>7} {:>13} {:>9} {:>10} {:>9}\n", "set", "kind",
               "queries", "true hits", "misses", "false alarms", "percent", "undecided",
               "ns/query");
    for (const QueryVerdict& v : verdicts) print_row(v.set, name_of(v.kind), v);
    print_row("total", "", total);
    if (total.n_inexact > 0) {
        fmt::print("{} coordinates are no doubles; answers allow for their rounding.\n",
                   total.n_inexact);
    }
}

nlohmann::json as_json(const QueryVerdict& v) {
    return {{"queries", v.n_queries},
            {"true_hits", v.n_hits},
            {"misses", v.n_misses},
            {"false_alarms", v.n_false_alarms},
            {"false_alarm_percent", v.false_alarm_percent()},
            {"undecided", v.n_undecided},
            {"inexact_coordinates", v.n_inexact},
            {"ns_per_query", v.nanoseconds_per_query()}};
}

void print_json(const std::vector<QueryVerdict>& verdicts, const QueryVerdict& total) {
    nlohmann::json sets = nlohmann::json::array();
    for (const QueryVerdict& v : verdicts) {
        nlohmann::json set = as_json(v);
        set["set"] = v.set;
        set["kind"] = name_of(v.kind);
        sets.push_back(set);
    }
    fmt::print("{}\n", nlohmann::json{{"sets", sets}, {"total", as_json(total)}}.dump(2));
}

void bench_ccd(const CcdOptions& options, Session& session) {
    JudgeOptions judge{.scale = options.scale, .continuous = {}};
    judge.continuous.min_separation = options.min_separation;
    const auto verdicts = judge_folder(options.folder, judge, session.cancellation);
    QueryVerdict total;
    for (const QueryVerdict& v : verdicts) total.add(v);
    if (session.json) {
        print_json(verdicts, total);
    } else {
        print_table(verdicts, total);
    }
    if (total.n_misses > 0) session.exit_code = 1;
}

}  // namespace

void add_verb_bench(CLI::App& app, Session& session) {
    CLI::App* bench = app.add_subcommand("bench", "Measure speed and correctness");
    bench->require_subcommand(1);
    const auto options = std::make_shared<CcdOptions>();
    CLI::App* ccd = bench->add_subcommand(
        "ccd", "Judge continuous collision detection on queries with known answers");
    ccd->add_option("DIR", options->folder,
                    "Folder with edge-edge and vertex-face folders of .csv files")
        ->required();
    ccd->add_option("--scale", options->scale, "Multiply all coordinates by this")
        ->check(CLI::PositiveNumber);
    ccd->add_option("--min-separation", options->min_separation,
                    "Distance that counts as touching, after scaling")
        ->check(CLI::NonNegativeNumber);
    ccd->callback([options, &session] { bench_ccd(*options, session); });
    add_bench_validate(*bench, session);
}

}  // namespace toile::app
