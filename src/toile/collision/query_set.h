// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/collision/continuous.h"
#include "toile/core/cancellation.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace toile {

/// Continuous collision queries with known answers, as published with [Wang21]: CSV files, eight
/// lines a query (four points at the start, the same at the end), each line three rationals as
/// numerator, denominator and the true answer 0 or 1.

enum class QueryKind { PointTriangle, EdgeEdge };

struct ContinuousQuery {
    StencilMotion motion;  ///< coordinates rounded to the nearest double
    bool hits = false;     ///< the truth
};

struct QueryFile {
    std::filesystem::path path;
    QueryKind kind;
    std::string set;  ///< name of the folder that holds the `edge-edge` or `vertex-face` folder
};

struct QueryFileContent {
    std::vector<ContinuousQuery> queries;
    long long n_inexact = 0;  ///< coordinates that are no doubles
};

struct JudgeOptions {
    double scale = 1;  ///< all coordinates are multiplied by it
    ContinuousOptions continuous;
};

/// How the answers compare with the truth.
struct QueryVerdict {
    std::string set;
    QueryKind kind = QueryKind::PointTriangle;
    long long n_queries = 0;
    long long n_hits = 0;  ///< true hits
    long long n_misses = 0;
    long long n_false_alarms = 0;
    long long n_undecided = 0;  ///< hits because the intervals ran out
    long long n_inexact = 0;    ///< coordinates that are no doubles
    double seconds = 0;         ///< of the queries alone, on one thread

    /// Percent of the queries that truly miss.
    [[nodiscard]] double false_alarm_percent() const;
    [[nodiscard]] double nanoseconds_per_query() const;
    /// Adds the counts and the time of another.
    void add(const QueryVerdict& other);
};

/// All `.csv` files at and below a folder, by path. The kind is told by the nearest of: a file name
/// with `edge-edge` or `vertex-face` in it or that ends in `ee` or `vf`, or a folder so named.
/// Throws IoError where there is none, InvalidInput where a file's kind cannot be told.
std::vector<QueryFile> find_query_files(const std::filesystem::path& folder);

/// Throws InvalidInput that names file and line.
QueryFileContent read_query_file(const std::filesystem::path& path);

QueryVerdict judge_queries(std::span<const ContinuousQuery> queries, QueryKind kind,
                           const JudgeOptions& options = {});

/// Reads and judges file by file; one verdict a set and kind, in the order of the paths. Throws
/// Interrupted.
std::vector<QueryVerdict> judge_folder(const std::filesystem::path& folder,
                                       const JudgeOptions& options,
                                       const Cancellation& cancellation);

}  // namespace toile
