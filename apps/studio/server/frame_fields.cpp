// SPDX-License-Identifier: Apache-2.0
#include "studio/server/frame_fields.h"

#include "toile/cloth/strain.h"
#include "toile/core/near_miss.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace toile::studio {
namespace {

VertexField speeds(std::span<const Vec3> velocities) {
    std::vector<double> values;
    values.reserve(velocities.size());
    for (const Vec3& velocity : velocities) values.push_back(velocity.norm());
    return make_vertex_field(std::move(values), "m/s");
}

Json described(Json values, const VertexField& field) {
    return {{"values", std::move(values)},
            {"unit", field.unit},
            {"minimum", field.minimum},
            {"maximum", field.maximum}};
}

}  // namespace

FrameFields::FrameFields(std::vector<FieldBody> bodies, bool is_scene)
    : bodies_(std::move(bodies)), is_scene_(is_scene), strains_(bodies_.size()) {}

std::vector<std::string> FrameFields::names() const {
    if (is_scene_) return {"strain", "speed", "gap", "displacement"};
    return {"strain", "speed", "displacement"};
}

void FrameFields::require_known(const std::string& name) const {
    std::vector<std::string> known = names();
    known.emplace_back("velocity");
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    throw UsageError(
        fmt::format("There is no field '{}' here.{}", name, did_you_mean(name, known)));
}

Json FrameFields::add(const std::vector<std::string>& names, size_t body, const FieldFrame& frame,
                      BinaryMessage& message) const {
    Json fields = Json::object();
    for (const std::string& name : names) {
        require_known(name);
        if (name == "velocity") {
            const auto velocities = frame.velocities[body];
            fields[name] = described(message.add_points(velocities), speeds(velocities));
        } else if (const auto computed = values(name, body, frame)) {
            fields[name] = described(message.add_numbers(computed->values), *computed);
        }
    }
    return fields;
}

std::optional<VertexField> FrameFields::values(const std::string& name, size_t body,
                                               const FieldFrame& frame) const {
    if (name == "speed") return speeds(frame.velocities[body]);
    if (name == "displacement") {
        return displacement_field(frame.start[body], frame.positions[body]);
    }
    if (name == "gap") return gaps_of(body, frame);
    if (is_scene_ && !bodies_[body].cloth) return std::nullopt;
    return strains_of(body, frame.positions[body]);
}

VertexField FrameFields::strains_of(size_t body, std::span<const Vec3> positions) const {
    const FieldBody& surface = bodies_[body];
    const std::lock_guard lock(mutex_);
    auto& field = strains_[body];
    if (!field) {
        field = std::make_unique<StrainField>(surface.mesh->positions, surface.mesh->triangles);
    }
    if (!surface.cloth) return field->of(positions);
    std::vector<double> of_triangles;
    for (const TriangleStrain& strain : strains(*surface.cloth, positions)) {
        of_triangles.push_back(strain.largest);
    }
    return field->of_triangles(of_triangles);
}

VertexField FrameFields::gaps_of(size_t body, const FieldFrame& frame) const {
    const std::lock_guard lock(mutex_);
    if (!gaps_) {
        std::vector<GapSurface> surfaces;
        for (size_t b = 0; b < bodies_.size(); ++b) {
            surfaces.push_back(
                {frame.positions[b], bodies_[b].mesh->triangles, bodies_[b].obstacle});
        }
        gaps_ = std::make_unique<SurfaceGaps>(std::move(surfaces));
    } else {
        for (size_t b = 0; b < bodies_.size(); ++b) gaps_->move(b, frame.positions[b]);
    }
    std::vector<double> gaps(frame.positions[body].size());
    gaps_->compute(body, gaps);
    return make_vertex_field(std::move(gaps), "m");
}

}  // namespace toile::studio
