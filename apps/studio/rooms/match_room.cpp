// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/match_room.h"

#include "studio/rooms/match_report.h"
#include "toile/correspondence/marker_writer.h"
#include "toile/io/atomic_file.h"
#include "toile/io/file_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile::studio {

MatchRoom::MatchRoom(Services services, std::shared_ptr<MatchBoard> board)
    : services_(services), board_(std::move(board)) {
    tell();
}

std::vector<RequestEntry> MatchRoom::requests() {
    return {{"match.open", [this](const Request& request) { return open(request); }},
            {"match.set", [this](const Request& request) { return set(request); }},
            {"match.undo", [this](const Request&) { return undo(); }},
            {"match.redo", [this](const Request&) { return redo(); }},
            {"match.load", [this](const Request& request) { return load(request); }},
            {"match.save", [this](const Request& request) { return save(request); }},
            {"match.fit", [this](const Request& request) { return fit(request); }},
            {"match.colors", [this](const Request&) { return colors(); }},
            {"match.fitted", [this](const Request&) { return fitted(); }}};
}

/// The same two bodies again keep their pairs.
Answer MatchRoom::open(const Request& request) {
    const Item source = services_.workspace.item(request.integer("source"));
    const Item target = services_.workspace.item(request.integer("target"));
    const int source_body = request.integer_if("source_body").value_or(0);
    const int target_body = request.integer_if("target_body").value_or(0);
    const auto& source_mesh = source.content->body(source_body).mesh;
    const auto& target_mesh = target.content->body(target_body).mesh;
    const auto require_triangles = [](const Item& item, int body) {
        const ItemBody& wanted = item.content->body(body);
        if (wanted.mesh->n_triangles() > 0) return;
        throw InvalidInput(
            fmt::format("'{}' of '{}' has no triangles to match.", wanted.name, item.name));
    };
    require_triangles(source, source_body);
    require_triangles(target, target_body);
    if (source.number != source_ || target.number != target_ || source_body != source_body_ ||
        target_body != target_body_ || source_mesh != source_mesh_ || target_mesh != target_mesh_) {
        pairs_.clear();
        undo_.clear();
        redo_.clear();
        fit_.reset();
        saved_.clear();
    }
    source_ = source.number;
    target_ = target.number;
    source_body_ = source_body;
    target_body_ = target_body;
    source_mesh_ = source_mesh;
    target_mesh_ = target_mesh;
    return tell();
}

void MatchRoom::require_open() const {
    if (source_mesh_) return;
    throw InvalidInput("Nothing is opened to be matched; choose a source and a target first.");
}

void MatchRoom::require_pair(const Pairs& pairs) const {
    std::vector<Marker> markers;
    for (size_t k = 0; k < pairs.size(); ++k) {
        const auto [source, target] = pairs[k];
        const auto require = [&](const char* side, int vertex, int n_vertices) {
            if (vertex >= 0 && vertex < n_vertices) return;
            throw InvalidInput(
                fmt::format("Pair {} names {} vertex {}; the {} has vertices 0 to {}.", k + 1, side,
                            vertex, side, n_vertices - 1));
        };
        require("source", source, source_mesh_->n_vertices());
        require("target", target, target_mesh_->n_vertices());
        markers.push_back({.source = source, .target = target});
    }
    (void)require_holdable(std::move(markers), *source_mesh_, *target_mesh_);
}

void MatchRoom::change(Pairs pairs) {
    require_pair(pairs);
    if (pairs == pairs_) return;
    undo_.push_back(std::move(pairs_));
    redo_.clear();
    pairs_ = std::move(pairs);
}

Answer MatchRoom::set(const Request& request) {
    require_open();
    const Json& given = request.has("pairs") ? request.body.at("pairs") : Json();
    const auto fail = [&] {
        throw UsageError("'match.set' needs 'pairs', a list of [source vertex, target vertex].");
    };
    if (!given.is_array()) fail();
    Pairs pairs;
    for (const Json& pair : given) {
        if (!pair.is_array() || pair.size() != 2) fail();
        Request one = request;
        one.body = {{"pairs", pair}};
        const std::vector<int> vertices = one.integers("pairs");
        pairs.emplace_back(vertices[0], vertices[1]);
    }
    change(std::move(pairs));
    return tell();
}

Answer MatchRoom::undo() {
    require_open();
    if (undo_.empty()) throw InvalidInput("There is no change of the pairs to undo.");
    redo_.push_back(std::move(pairs_));
    pairs_ = std::move(undo_.back());
    undo_.pop_back();
    return tell();
}

Answer MatchRoom::redo() {
    require_open();
    if (redo_.empty()) throw InvalidInput("There is no change of the pairs to do again.");
    undo_.push_back(std::move(pairs_));
    pairs_ = std::move(redo_.back());
    redo_.pop_back();
    return tell();
}

Answer MatchRoom::load(const Request& request) {
    require_open();
    const RootedPath place{request.integer("root"), request.text("path")};
    const std::string bytes = read_bytes(services_.workspace.roots().existing(place));
    Pairs pairs;
    for (const Marker& marker : read_markers({bytes, place.path}, *source_mesh_, *target_mesh_)) {
        pairs.emplace_back(marker.source, marker.target);
    }
    change(std::move(pairs));
    saved_ = pairs_;
    return tell();
}

Answer MatchRoom::save(const Request& request) {
    require_open();
    if (pairs_.empty()) throw InvalidInput("There are no pairs to save yet.");
    const RootedPath place{request.integer("root"), request.text("path")};
    write_file(services_.workspace.roots().writable(place), write_markers(markers()),
               {.overwrite = request.flag("overwrite")});
    saved_ = pairs_;
    return tell();
}

std::vector<Marker> MatchRoom::markers() const {
    std::vector<Marker> markers;
    for (const auto& [source, target] : pairs_) {
        markers.push_back({.source = source, .target = target});
    }
    return markers;
}

Answer MatchRoom::fit(const Request& request) {
    require_open();
    const CorrespondenceOptions options = fit_options_of(request);
    if (pairs_.empty()) throw InvalidInput("A fit needs at least one pair of vertices.");
    auto match = std::make_shared<FittedMatch>();
    match->source = *source_;
    match->target = *target_;
    match->source_mesh = source_mesh_;
    match->target_mesh = target_mesh_;
    match->asked = pairs_;
    services_.jobs.start(
        "match.fit", [this, match, options, markers = markers()](const JobContext& context) {
            const std::vector<Marker> holdable =
                require_holdable(markers, *match->source_mesh, *match->target_mesh);
            match->correspondence =
                correspond(*match->source_mesh, *match->target_mesh, holdable, options,
                           {.progress = context.progress, .cancellation = &context.cancellation});
            match->markers = holdable;
            board_->put(match);
            post([this, match] { take_fit(match); });
            return Json::object();
        });
    return Json::object();
}

void MatchRoom::take_fit(std::shared_ptr<const FittedMatch> fit) {
    if (fit->source_mesh != source_mesh_ || fit->target_mesh != target_mesh_) return;
    fit_ = std::move(fit);
    tell();
}

const FittedMatch& MatchRoom::last_fit() const {
    if (fit_) return *fit_;
    throw InvalidInput("Source and target are not fitted yet.");
}

Answer MatchRoom::colors() {
    const FittedMatch& match = last_fit();
    const MatchColors colors = match_colors(*match.source_mesh, match.correspondence.pairs);
    BinaryMessage message;
    message.header["source"] = message.add_points(colors.source);
    message.header["target"] = message.add_points(colors.target);
    return message;
}

Answer MatchRoom::fitted() {
    BinaryMessage message;
    message.header["positions"] = message.add_points(last_fit().correspondence.fit.positions);
    return message;
}

Json MatchRoom::tell() {
    const Json state = state_json();
    services_.hub.publish("match", state);
    return state;
}

Json MatchRoom::state_json() const {
    Json pairs = Json::array();
    for (const auto& [source, target] : pairs_) pairs.push_back({source, target});
    Json report = nullptr;
    if (fit_) {
        report = match_report(*fit_);
        report["stale"] = fit_->asked != pairs_;
    }
    return {{"source", source_ ? Json(*source_) : Json()},
            {"target", target_ ? Json(*target_) : Json()},
            {"source_body", source_body_},
            {"target_body", target_body_},
            {"pairs", std::move(pairs)},
            {"can_undo", !undo_.empty()},
            {"can_redo", !redo_.empty()},
            {"report", std::move(report)}};
}

std::vector<std::string> MatchRoom::keep_unsaved(const std::filesystem::path& folder) {
    if (pairs_ == saved_ || pairs_.empty()) return {};
    write_file(folder / "match.cons", write_markers(markers()), {.overwrite = true});
    return {"match.cons"};
}

}  // namespace toile::studio
