// SPDX-License-Identifier: Apache-2.0
#include "studio/server/item.h"

#include "toile/core/error.h"
#include "toile/io/sequence_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile::studio {
namespace {

constexpr size_t kMostRemembered = size_t{128} << 20;  // bytes of frames, of one item

const char* kind_name(ItemKind kind) {
    switch (kind) {
        case ItemKind::Mesh:
            return "mesh";
        case ItemKind::Sequence:
            return "sequence";
        case ItemKind::Run:
            return "run";
        case ItemKind::Scene:
            return "scene";
    }
    return "";
}

const char* role_name(BodyRole role) {
    switch (role) {
        case BodyRole::Cloth:
            return "cloth";
        case BodyRole::Obstacle:
            return "obstacle";
        case BodyRole::Mesh:
            return "mesh";
    }
    return "";
}

Json vec_json(const std::optional<Vec3>& v) {
    if (!v) return nullptr;
    return {v->x(), v->y(), v->z()};
}

Json body_json(const ItemBody& body) {
    return {{"name", body.name},
            {"role", role_name(body.role)},
            {"vertices", body.mesh->n_vertices()},
            {"triangles", body.mesh->n_triangles()},
            {"moves", body.moves},
            {"color", vec_json(body.color)}};
}

std::vector<Vec3> velocities_between(std::span<const Vec3> before, std::span<const Vec3> after,
                                     double frame_rate) {
    std::vector<Vec3> velocities(after.size());
    for (size_t v = 0; v < after.size(); ++v) velocities[v] = (after[v] - before[v]) * frame_rate;
    return velocities;
}

std::vector<FieldBody> field_bodies(const ItemContent::Facts& facts) {
    std::vector<FieldBody> bodies;
    for (const ItemBody& body : facts.bodies) {
        bodies.push_back({body.mesh, body.cloth, body.role == BodyRole::Obstacle});
    }
    return bodies;
}

bool is_of_scene(const ItemContent::Facts& facts) {
    return std::any_of(facts.bodies.begin(), facts.bodies.end(),
                       [](const ItemBody& body) { return body.cloth != nullptr; });
}

Json or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

}  // namespace

FieldFrame ItemFrame::view() const {
    FieldFrame view;
    for (const auto& one : positions) view.positions.emplace_back(*one);
    for (const auto& one : start) view.start.emplace_back(*one);
    for (const auto& one : velocities) view.velocities.emplace_back(one);
    return view;
}

ItemContent::ItemContent(Facts facts)
    : facts_(std::move(facts)),
      fields_(field_bodies(facts_), is_of_scene(facts_)),
      readers_(facts_.bodies.size()) {}

const ItemBody& ItemContent::body(int index) const {
    const auto count = static_cast<int>(facts_.bodies.size());
    if (index >= 0 && index < count) return facts_.bodies[static_cast<size_t>(index)];
    throw InvalidInput(fmt::format("There is no body {}; there are {}, from 0.", index, count));
}

void ItemContent::require_frame(int frame) const {
    if (frame >= 0 && frame < facts_.n_frames) return;
    throw InvalidInput(
        fmt::format("There is no frame {}; there are {}, from 0.", frame, facts_.n_frames));
}

std::shared_ptr<const std::vector<Vec3>> ItemContent::positions(int body, int frame) const {
    const ItemBody& wanted = this->body(body);
    require_frame(frame);
    if (!wanted.motion) return {wanted.mesh, &wanted.mesh->positions};
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(
        remembered_.begin(), remembered_.end(),
        [&](const Remembered& other) { return other.body == body && other.frame == frame; });
    if (known != remembered_.end()) {
        std::rotate(known, known + 1, remembered_.end());
        return remembered_.back().positions;
    }
    auto& reader = readers_[static_cast<size_t>(body)];
    if (!reader) reader = std::make_unique<FrameReader>(*wanted.motion);
    auto read = std::make_shared<std::vector<Vec3>>(static_cast<size_t>(reader->n_vertices()));
    try {
        reader->read(frame, *read);
    } catch (...) {
        reader.reset();  // it may stand anywhere
        throw;
    }
    remember({body, frame, read});
    return read;
}

void ItemContent::remember(Remembered frame) const {
    remembered_bytes_ += frame.positions->size() * sizeof(Vec3);
    remembered_.push_back(std::move(frame));
    while (remembered_bytes_ > kMostRemembered && remembered_.size() > 1) {
        remembered_bytes_ -= remembered_.front().positions->size() * sizeof(Vec3);
        remembered_.pop_front();
    }
}

ItemFrame ItemContent::frame(int frame) const {
    require_frame(frame);
    ItemFrame all;
    const int before = std::max(frame - 1, 0);
    const int after = std::min(before + 1, facts_.n_frames - 1);
    for (int body = 0; body < static_cast<int>(facts_.bodies.size()); ++body) {
        all.positions.push_back(positions(body, frame));
        all.start.push_back(positions(body, 0));
        all.velocities.push_back(velocities_between(*positions(body, before),
                                                    *positions(body, after), facts_.frame_rate));
    }
    return all;
}

std::unique_ptr<FrameSource> ItemContent::play(int body) const {
    const ItemBody& wanted = this->body(body);
    if (!wanted.motion) {
        throw InvalidInput(fmt::format("'{}' stands still; it has no frames.", wanted.name));
    }
    return open_sequence(wanted.motion->frames, {.mesh = wanted.motion->mesh}).frames;
}

Json item_json(const Item& item) {
    const ItemContent::Facts& facts = item.content->facts();
    const bool has_fields = facts.n_frames > 1 || item.kind == ItemKind::Scene;
    Json bodies = Json::array();
    for (const ItemBody& body : facts.bodies) bodies.push_back(body_json(body));
    return {{"item", item.number},
            {"kind", kind_name(item.kind)},
            {"name", item.name},
            {"root", item.root},
            {"path", item.path},
            {"bodies", bodies},
            {"frames", facts.n_frames},
            {"fps", facts.frame_rate},
            {"fields", has_fields ? item.content->fields().names() : std::vector<std::string>()},
            {"up", vec_json(facts.up)},
            {"made_by", or_null(item.made_by)},
            {"unsaved", item.unsaved},
            {"revision", item.revision}};
}

}  // namespace toile::studio
