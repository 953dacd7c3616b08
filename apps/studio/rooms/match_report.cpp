// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/match_report.h"

#include "toile/core/near_miss.h"
#include "toile/mesh/geometry.h"
#include "toile/mesh/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace toile::studio {
namespace {

constexpr int kMostNearest = 1000;
constexpr double kLargestAngle = 180;

Json point_json(const Vec3& p) {
    return Json::array({p.x(), p.y(), p.z()});
}

void require_known(const Json& options, const std::string& request) {
    const std::vector<std::string> known = {"fit",          "align",     "nearest",
                                            "max_distance", "max_angle", "both_directions"};
    for (const auto& [key, value] : options.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        throw UsageError(
            fmt::format("'{}' has no option '{}'.{}", request, key, did_you_mean(key, known)));
    }
}

void require_range(const char* key, double value, double low, double high) {
    if (value >= low && value <= high) return;
    throw UsageError(
        fmt::format("The option '{}' is {}; expected {} to {}.", key, value, low, high));
}

}  // namespace

Json match_report(const FittedMatch& match) {
    const FitQuality& quality = match.correspondence.quality;
    const double diagonal = bounding_box(match.target_mesh->positions).diagonal();
    const auto percent = [&](double distance) {
        return diagonal > 0 ? 100 * distance / diagonal : 0;
    };
    Json residuals = Json::array();
    for (const auto& [source, target] : match.asked) {
        const auto found =
            std::find_if(match.markers.begin(), match.markers.end(),
                         [&](const Marker& m) { return m.source == source && m.target == target; });
        const auto index = static_cast<size_t>(found - match.markers.begin());
        residuals.push_back(found == match.markers.end()
                                ? Json()
                                : Json(percent(match.correspondence.fit.markers[index].distance)));
    }
    Json worst = Json::array();
    for (const BadPlace& place : quality.worst_places) {
        const auto vertex = static_cast<size_t>(place.vertex);
        worst.push_back({{"vertex", place.vertex},
                         {"point", point_json(match.correspondence.fit.positions[vertex])},
                         {"distance", place.distance}});
    }
    const double n_source = match.source_mesh->n_triangles();
    return {{"mean", quality.mean},
            {"p95", quality.p95},
            {"maximum", quality.max},
            {"residuals", std::move(residuals)},
            {"coverage",
             {{"source", n_source > 0 ? 1 - quality.n_source_unused / n_source : 0},
              {"target", quality.covered_area / 100}}},
            {"worst", std::move(worst)}};
}

CorrespondenceOptions fit_options_of(const Request& request) {
    Request given = request;
    given.body = request.has("options") ? request.body.at("options") : Json::object();
    if (!given.body.is_object()) {
        throw UsageError(fmt::format("'{}' needs an object 'options'.", request.name));
    }
    require_known(given.body, request.name);
    CorrespondenceOptions options =
        correspondence_options(parse_fit_kind(given.text_if("fit").value_or("plate")));
    if (given.has("align")) options.fit.align = given.flag("align");
    if (const auto nearest = given.integer_if("nearest")) {
        require_range("nearest", *nearest, 1, kMostNearest);
        options.pairs.n_nearest = *nearest;
    }
    if (const auto percent = given.number_if("max_distance")) {
        require_range("max_distance", *percent, 0, 100);
        options.pairs.max_distance = *percent / 100;
    }
    if (const auto degrees = given.number_if("max_angle")) {
        require_range("max_angle", *degrees, 0, kLargestAngle);
        options.pairs.max_angle = radians(*degrees);
    }
    options.pairs.both_directions = given.flag("both_directions");
    return options;
}

}  // namespace toile::studio
