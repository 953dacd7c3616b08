// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/query_set.h"

#include "toile/collision/rational.h"
#include "toile/core/error.h"
#include "toile/core/timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLinesPerQuery = 8;
constexpr size_t kColumns = 7;

/// Where a line stands, for messages.
struct Place {
    const fs::path& path;
    long long line;

    [[noreturn]] void fail(const std::string& what) const {
        throw InvalidInput(fmt::format("{}:{}: {}", path.string(), line, what));
    }
};

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// A field for a message, cut to a readable length.
std::string shown(std::string_view field) {
    constexpr size_t kLongest = 40;
    if (field.size() <= kLongest) return fmt::format("'{}'", field);
    return fmt::format("'{}…' ({} characters)", field.substr(0, kLongest), field.size());
}

std::array<std::string_view, kColumns> split_columns(std::string_view line, const Place& place) {
    std::array<std::string_view, kColumns> columns;
    const auto n = static_cast<size_t>(std::count(line.begin(), line.end(), ',')) + 1;
    if (n != kColumns) {
        place.fail(
            fmt::format("found {} columns, expected {} (three numerators and denominators, "
                        "and the answer 0 or 1).",
                        n, kColumns));
    }
    for (std::string_view& column : columns) {
        const size_t comma = line.find(',');
        column = trimmed(line.substr(0, comma));
        line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
    }
    return columns;
}

double read_coordinate(std::string_view numerator, std::string_view denominator, const Place& place,
                       long long& inout_inexact) {
    const std::optional<RoundedRational> rational = parse_rational(numerator, denominator);
    if (!rational) {
        place.fail(
            fmt::format("{} / {} is not a rational number; expected two integers, the second "
                        "not zero.",
                        shown(numerator), shown(denominator)));
    }
    if (!std::isfinite(rational->value)) {
        place.fail(fmt::format("{} / {} is too large for a double.", shown(numerator),
                               shown(denominator)));
    }
    inout_inexact += rational->exact ? 0 : 1;
    return rational->value;
}

bool read_answer(std::string_view column, const Place& place) {
    if (column == "0") return false;
    if (column == "1") return true;
    place.fail(fmt::format("the answer is {}, expected 0 or 1.", shown(column)));
}

/// Puts the `row`-th line of a query where it belongs.
void read_row(std::string_view line, size_t row, const Place& place, QueryFileContent& inout) {
    const auto columns = split_columns(line, place);
    Vec3 point;
    for (size_t k = 0; k < 3; ++k) {
        point[static_cast<int>(k)] =
            read_coordinate(columns[2 * k], columns[2 * k + 1], place, inout.n_inexact);
    }
    const bool hits = read_answer(columns[6], place);
    if (row == 0) inout.queries.emplace_back().hits = hits;
    ContinuousQuery& query = inout.queries.back();
    if (query.hits != hits) {
        place.fail(fmt::format("the answer is {}, but {} on the query's first line.", hits ? 1 : 0,
                               query.hits ? 1 : 0));
    }
    (row < 4 ? query.motion.start : query.motion.end)[row % 4] = point;
}

std::optional<QueryKind> kind_of_name(const std::string& name) {
    if (name.find("edge-edge") != std::string::npos) return QueryKind::EdgeEdge;
    if (name.find("vertex-face") != std::string::npos) return QueryKind::PointTriangle;
    return std::nullopt;
}

std::optional<QueryKind> kind_of_stem(const std::string& stem) {
    if (const auto kind = kind_of_name(stem)) return kind;
    if (stem.ends_with("ee")) return QueryKind::EdgeEdge;
    if (stem.ends_with("vf")) return QueryKind::PointTriangle;
    return std::nullopt;
}

QueryFile classify(const fs::path& path) {
    const fs::path folder = fs::absolute(path).lexically_normal().parent_path();
    if (const auto kind = kind_of_stem(path.stem().string())) {
        const bool named = kind_of_name(folder.filename().string()).has_value();
        return {path, *kind, (named ? folder.parent_path() : folder).filename().string()};
    }
    for (fs::path up = folder; up.has_relative_path(); up = up.parent_path()) {
        if (const auto kind = kind_of_name(up.filename().string())) {
            return {path, *kind, up.parent_path().filename().string()};
        }
    }
    throw InvalidInput(fmt::format(
        "{}: cannot tell what its queries are; expected it in a folder named edge-edge or "
        "vertex-face, or such a word in its name.",
        path.string()));
}

StencilMotion scaled(const StencilMotion& motion, double scale) {
    StencilMotion result = motion;
    for (Vec3& p : result.start) p *= scale;
    for (Vec3& p : result.end) p *= scale;
    return result;
}

}  // namespace

double QueryVerdict::false_alarm_percent() const {
    const long long n_negative = n_queries - n_hits;
    return n_negative > 0
               ? 100.0 * static_cast<double>(n_false_alarms) / static_cast<double>(n_negative)
               : 0;
}

double QueryVerdict::nanoseconds_per_query() const {
    return n_queries > 0 ? 1e9 * seconds / static_cast<double>(n_queries) : 0;
}

void QueryVerdict::add(const QueryVerdict& other) {
    n_queries += other.n_queries;
    n_hits += other.n_hits;
    n_misses += other.n_misses;
    n_false_alarms += other.n_false_alarms;
    n_undecided += other.n_undecided;
    n_inexact += other.n_inexact;
    seconds += other.seconds;
}

std::vector<QueryFile> find_query_files(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) {
        throw IoError(fmt::format("{} is not a folder.", folder.string()));
    }
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().extension() == ".csv") {
            paths.push_back(entry.path());
        }
    }
    if (paths.empty()) {
        throw IoError(fmt::format("{} holds no .csv file of queries.", folder.string()));
    }
    std::sort(paths.begin(), paths.end());
    std::vector<QueryFile> files;
    for (const fs::path& path : paths) files.push_back(classify(path));
    return files;
}

QueryFileContent read_query_file(const fs::path& path) {
    std::ifstream stream(path);
    if (!stream) throw IoError(fmt::format("{} cannot be read.", path.string()));
    QueryFileContent content;
    std::string line;
    size_t row = 0;
    long long n_lines = 0;
    while (std::getline(stream, line)) {
        ++n_lines;
        if (trimmed(line).empty()) continue;
        read_row(line, row, {path, n_lines}, content);
        row = (row + 1) % kLinesPerQuery;
    }
    if (stream.bad()) throw IoError(fmt::format("{} cannot be read to its end.", path.string()));
    if (row != 0) {
        Place{path, n_lines}.fail(fmt::format(
            "the file ends after {} of the {} lines of its last query.", row, kLinesPerQuery));
    }
    return content;
}

QueryVerdict judge_queries(std::span<const ContinuousQuery> queries, QueryKind kind,
                           const JudgeOptions& options) {
    std::vector<StencilMotion> motions;
    motions.reserve(queries.size());
    for (const ContinuousQuery& query : queries) {
        motions.push_back(scaled(query.motion, options.scale));
    }
    std::vector<ContinuousHit> answers(queries.size());
    const Timer timer;
    for (size_t i = 0; i < motions.size(); ++i) {
        answers[i] = kind == QueryKind::EdgeEdge
                         ? edge_edge_hit(motions[i], options.continuous)
                         : point_triangle_hit(motions[i], options.continuous);
    }
    QueryVerdict verdict;
    verdict.kind = kind;
    verdict.seconds = timer.seconds();
    verdict.n_queries = static_cast<long long>(queries.size());
    for (size_t i = 0; i < queries.size(); ++i) {
        verdict.n_hits += queries[i].hits ? 1 : 0;
        verdict.n_misses += queries[i].hits && !answers[i].hit ? 1 : 0;
        verdict.n_false_alarms += !queries[i].hits && answers[i].hit ? 1 : 0;
        verdict.n_undecided += answers[i].undecided ? 1 : 0;
    }
    return verdict;
}

std::vector<QueryVerdict> judge_folder(const fs::path& folder, const JudgeOptions& options,
                                       const Cancellation& cancellation) {
    std::vector<QueryVerdict> verdicts;
    for (const QueryFile& file : find_query_files(folder)) {
        if (cancellation.requested()) throw Interrupted("Stopped.");
        const QueryFileContent content = read_query_file(file.path);
        QueryVerdict verdict = judge_queries(content.queries, file.kind, options);
        verdict.set = file.set;
        verdict.n_inexact = content.n_inexact;
        auto same = std::find_if(verdicts.begin(), verdicts.end(), [&](const QueryVerdict& v) {
            return v.set == verdict.set && v.kind == verdict.kind;
        });
        if (same == verdicts.end()) {
            verdicts.push_back(verdict);
        } else {
            same->add(verdict);
        }
    }
    return verdicts;
}

}  // namespace toile
