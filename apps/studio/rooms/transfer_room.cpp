// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/transfer_room.h"

#include "studio/rooms/made_sequence.h"
#include "toile/core/near_miss.h"
#include "toile/io/file_bytes.h"
#include "toile/transfer/deformation_transfer.h"
#include "toile/transfer/pose_guard.h"
#include "toile/transfer/transfer_operator.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace toile::studio {
namespace {

UnmatchedRule unmatched_rule(const std::string& name) {
    const std::map<std::string, UnmatchedRule> rules = {
        {"identity", UnmatchedRule::Identity},
        {"surroundings", UnmatchedRule::Surroundings},
        {"auto", UnmatchedRule::Auto}};
    const auto found = rules.find(name);
    if (found != rules.end()) return found->second;
    const std::vector<std::string> known = {"auto", "identity", "surroundings"};
    throw UsageError(fmt::format("'unmatched' is '{}'; expected auto, identity or surroundings.{}",
                                 name, did_you_mean(name, known)));
}

TransferOptions options_of(const Request& request) {
    TransferOptions options{.unmatched =
                                unmatched_rule(request.text_if("unmatched").value_or("auto"))};
    if (!request.has("anchors")) return options;
    for (const int vertex : request.integers("anchors")) {
        options.anchors.push_back({.vertex = vertex});
    }
    return options;
}

int body_of(const Request& request, const char* key) {
    return request.integer_if(key).value_or(0);
}

/// The source at rest: another item's mesh, or the first frame.
TriangleMesh rest_of(const Request& request, const Item& source, const Workspace& workspace) {
    if (const auto number = request.integer_if("source_rest")) {
        return *workspace.item(*number).content->body(body_of(request, "rest_body")).mesh;
    }
    const int body = body_of(request, "source_body");
    TriangleMesh rest = *source.content->body(body).mesh;
    rest.positions = *source.content->positions(body, 0);
    return rest;
}

Json or_null(const std::optional<int>& item) {
    return item ? Json(*item) : Json();
}

}  // namespace

TransferRoom::TransferRoom(Services services, std::shared_ptr<MatchBoard> board)
    : services_(services), board_(std::move(board)) {
    tell();
}

std::vector<RequestEntry> TransferRoom::requests() {
    return {{"transfer.run", [this](const Request& request) { return run(request); }}};
}

TrianglePairs TransferRoom::pairs_of(const Request& request, const TriangleMesh& rest,
                                     const TriangleMesh& mesh) const {
    const Json given = request.has("pairs") ? request.body.at("pairs") : Json("match");
    if (given.is_object()) {
        Request file = request;
        file.body = given;
        const RootedPath place{file.integer("root"), file.text("path")};
        const std::string bytes = read_bytes(services_.workspace.roots().existing(place));
        return read_triangle_pairs(bytes, place.path, rest, mesh);
    }
    if (given != "match") {
        throw UsageError(
            "'pairs' must be \"match\" or the root and path of a file of triangle pairs.");
    }
    const auto match = board_->get();
    if (!match) {
        throw InvalidInput(
            "Source and target are not matched yet; fit them in Match first, or "
            "choose a file of pairs.");
    }
    if (match->source_mesh->triangles != rest.triangles ||
        match->target_mesh->triangles != mesh.triangles) {
        throw InvalidInput("The last fit is of other meshes than these; fit them in Match first.");
    }
    return match->correspondence.pairs;
}

Answer TransferRoom::run(const Request& request) {
    const Item source = services_.workspace.item(request.integer("source"));
    const Item target = services_.workspace.item(request.integer("target"));
    const TransferOptions options = options_of(request);
    Chosen chosen{.source = source.number,
                  .target = target.number,
                  .rest = request.integer_if("source_rest"),
                  .source_body = body_of(request, "source_body"),
                  .target_body = body_of(request, "target_body"),
                  .rest_body = body_of(request, "rest_body")};
    const auto target_mesh = target.content->body(chosen.target_body).mesh;
    auto rest = std::make_shared<const TriangleMesh>(rest_of(request, source, services_.workspace));
    auto pairs = std::make_shared<const TrianglePairs>(pairs_of(request, *rest, *target_mesh));
    services_.jobs.start("transfer.run", [=, this](const JobContext& context) {
        context.progress(0, 0, "factoring");
        const DeformationTransfer transfer(*rest, *target_mesh, *pairs, options);
        warn_of(transfer.facts(), target.name);
        context.check();
        TransferOperator frames(
            std::make_unique<PoseGuard>(source.content->play(chosen.source_body), *rest,
                                        PoseGuardOptions{.sequence_name = source.name}),
            transfer);
        const Item made = make_sequence(frames, *target_mesh,
                                        {.stem = fmt::format("{}-as-{}", target.name, source.name),
                                         .made_by = "transfer",
                                         .frame_rate = source.content->facts().frame_rate},
                                        context, services_.workspace);
        post([this, number = made.number, chosen] {
            chosen_ = chosen;
            chosen_.result = number;
            tell();
        });
        return Json{{"item", made.number}};
    });
    return Json::object();
}

void TransferRoom::tell() {
    services_.hub.publish("transfer", {{"source", or_null(chosen_.source)},
                                       {"source_body", chosen_.source_body},
                                       {"rest", or_null(chosen_.rest)},
                                       {"rest_body", chosen_.rest_body},
                                       {"target", or_null(chosen_.target)},
                                       {"target_body", chosen_.target_body},
                                       {"result", or_null(chosen_.result)}});
}

}  // namespace toile::studio
