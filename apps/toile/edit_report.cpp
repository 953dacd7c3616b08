// SPDX-License-Identifier: Apache-2.0
#include "edit_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <numbers>

namespace toile::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kDegrees = 180 / std::numbers::pi;

Json key_json(const EditDiagnosis& key) {
    return {{"frame", key.frame},
            {"vertices", key.n_vertices},
            {"moved_vertices", key.n_moved},
            {"free_vertices", key.n_free},
            {"triangles", key.n_triangles},
            {"loose_parts", key.n_loose_parts},
            {"radius_m", key.radius},
            {"tolerance_m", key.tolerance},
            {"largest_offset_m", key.largest_offset},
            {"largest_offset_vertex", key.largest_vertex},
            {"largest_turn_degrees", key.largest_turn * kDegrees},
            {"largest_turn_triangle", key.largest_turn_triangle},
            {"thin_triangles", key.thin},
            {"flipped_triangles", key.flipped},
            {"turned_triangles", key.turned}};
}

void print_json(const EditReport& report, const std::vector<std::string>& warnings,
                const std::string& output) {
    Json result = {{"output", output},
                   {"frames", report.n_frames},
                   {"changed_frames", report.n_changed},
                   {"edits", Json::array()},
                   {"crumpled_frames", report.crumpled_frames},
                   {"doubtful_frames", report.doubtful_frames},
                   {"warnings", warnings}};
    for (const EditDiagnosis& key : report.keys) result["edits"].push_back(key_json(key));
    fmt::print("{}\n", result.dump(2));
}

void print_key(const EditDiagnosis& key) {
    fmt::print(
        "edit of frame {}: {} of {} vertices moved, up to {:.6g} m (vertex {}), triangles "
        "turned up to {:.1f} degrees",
        key.frame, key.n_moved, key.n_vertices, key.largest_offset, key.largest_vertex,
        key.largest_turn * kDegrees);
    if (key.n_loose_parts > 0) fmt::print(", {} loose parts follow", key.n_loose_parts);
    fmt::print("\n");
}

}  // namespace

void print_edit_report(const EditReport& report, const std::vector<std::string>& key_warnings,
                       const std::string& output, bool json) {
    if (json) {
        std::vector<std::string> warnings = key_warnings;
        for (std::string& warning : sequence_warnings(report)) warnings.push_back(warning);
        print_json(report, warnings, output);
        return;
    }
    for (const EditDiagnosis& key : report.keys) print_key(key);
    fmt::print("{}: {} frames, {} of them changed\n", output, report.n_frames, report.n_changed);
}

}  // namespace toile::app
