// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/deformation_transfer.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/mesh/topology.h"
#include "toile/transfer/pair_geometry.h"
#include "toile/transfer/placement.h"
#include "toile/transfer/poisson_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

namespace toile {
namespace {

/// Beyond this angle two models do not only stand in different poses.
constexpr double kTurned = std::numbers::pi / 6;
constexpr size_t kMostNamed = 5;

void require_sound(const TriangleMesh& mesh, const char* name) {
    require_valid_indices(mesh.triangles, mesh.n_vertices());
    for (size_t v = 0; v < mesh.positions.size(); ++v) {
        if (mesh.positions[v].allFinite()) continue;
        throw InvalidInput(
            fmt::format("Vertex {} of the {} has a coordinate that is not finite.", v, name));
    }
}

void require_pairs_of(const TrianglePairs& pairs, const TriangleMesh& source,
                      const TriangleMesh& target) {
    if (pairs.n_source_triangles != source.n_triangles() ||
        pairs.n_target_triangles() != target.n_triangles()) {
        throw InvalidInput(fmt::format(
            "The pairs are of a source of {} and a target of {} triangles; these have {} and {}.",
            pairs.n_source_triangles, pairs.n_target_triangles(), source.n_triangles(),
            target.n_triangles()));
    }
}

/// By vertex; throws where one is unknown or given twice.
std::map<int, Vec3> anchor_places(const TriangleMesh& target, std::span<const Anchor> anchors) {
    std::map<int, Vec3> places;
    for (const Anchor& anchor : anchors) {
        if (anchor.vertex < 0 || anchor.vertex >= target.n_vertices()) {
            throw InvalidInput(
                fmt::format("Anchor {} is no vertex of the target, which has {} "
                            "(0 to {}).",
                            anchor.vertex, target.n_vertices(), target.n_vertices() - 1));
        }
        const Vec3 place =
            anchor.position.value_or(target.positions[static_cast<size_t>(anchor.vertex)]);
        if (!place.allFinite()) {
            throw InvalidInput(fmt::format("The place of anchor {} is not finite.", anchor.vertex));
        }
        if (!places.try_emplace(anchor.vertex, place).second) {
            throw InvalidInput(fmt::format("Anchor {} is given twice.", anchor.vertex));
        }
    }
    return places;
}

std::vector<int> vertices_of(const std::map<int, Vec3>& anchors) {
    std::vector<int> vertices;
    for (const auto& [vertex, place] : anchors) vertices.push_back(vertex);
    return vertices;
}

double angle_of(const Mat3& rotation) {
    return std::acos(std::clamp((rotation.trace() - 1) / 2, -1.0, 1.0));
}

std::string first_of(std::span<const int> indices) {
    std::string text;
    for (size_t i = 0; i < std::min(indices.size(), kMostNamed); ++i) {
        text += fmt::format("{}{}", i ? ", " : "", indices[i]);
    }
    return indices.size() > kMostNamed ? text + ", …" : text;
}

}  // namespace

struct DeformationTransfer::Parts {
    Parts(const TriangleMesh& source, const TriangleMesh& target, const TrianglePairs& pairs,
          const TransferOptions& options)
        : n_source_vertices(source.n_vertices()),
          rest(target.positions),
          anchors(anchor_places(target, options.anchors)),
          system(target.positions, target.triangles, vertices_of(anchors)),
          gradients(source, target, pairs, options.unmatched) {
        const PairGeometry geometry(source, target, pairs, system.areas());
        facts.scale = geometry.scale();
        const Mat3 rotation = geometry.rotation();
        facts.turn = angle_of(rotation);
        facts.is_turned = options.axes == Axes::Auto && facts.turn > kTurned;
        if (facts.is_turned) gradients.set_turn(rotation);
        const Mat3 turn = facts.is_turned ? rotation : Mat3(Mat3::Identity());
        placement.emplace(geometry, source, target, system, facts.scale * turn);
        find_known_parts(target, options.unmatched);
        collect_facts(target);
    }

    /// A part without any matched triangle has nothing to be filled from.
    void find_known_parts(const TriangleMesh& target, UnmatchedRule rule) {
        const char by_rule = rule == UnmatchedRule::Identity;
        known_parts.assign(static_cast<size_t>(system.n_parts()), by_rule);
        for (size_t t = 0; t < target.triangles.size(); ++t) {
            const auto corner = static_cast<size_t>(target.triangles[t][0]);
            const int part = system.part_of_vertex()[corner];
            if (part < 0 || system.areas()[t] == 0) continue;
            if (gradients.is_known(static_cast<int>(t))) known_parts[static_cast<size_t>(part)] = 1;
        }
    }

    void collect_facts(const TriangleMesh& target) {
        facts.unmatched_triangles = gradients.unmatched();
        for (int t = 0; t < target.n_triangles(); ++t) {
            if (system.areas()[static_cast<size_t>(t)] == 0)
                facts.degenerate_triangles.push_back(t);
        }
        facts.loose_vertices = placement->loose_vertices();
        facts.n_parts = system.n_parts();
    }

    int n_source_vertices;
    std::vector<Vec3> rest;
    std::map<int, Vec3> anchors;
    PoissonSystem system;
    WantedGradients gradients;
    std::optional<Placement> placement;
    std::vector<char> known_parts;
    TransferFacts facts;
};

DeformationTransfer::DeformationTransfer(const TriangleMesh& source_rest,
                                         const TriangleMesh& target, const TrianglePairs& pairs,
                                         const TransferOptions& options) {
    require_sound(source_rest, "source");
    require_sound(target, "target");
    require_pairs_of(pairs, source_rest, target);
    parts_ = std::make_unique<Parts>(source_rest, target, pairs, options);
}

DeformationTransfer::~DeformationTransfer() = default;
DeformationTransfer::DeformationTransfer(DeformationTransfer&&) noexcept = default;
DeformationTransfer& DeformationTransfer::operator=(DeformationTransfer&&) noexcept = default;

int DeformationTransfer::n_source_vertices() const {
    return parts_->n_source_vertices;
}

int DeformationTransfer::n_target_vertices() const {
    return static_cast<int>(parts_->rest.size());
}

const TransferFacts& DeformationTransfer::facts() const {
    return parts_->facts;
}

void DeformationTransfer::apply(std::span<const Vec3> source_pose, std::span<Vec3> out_positions,
                                Workspace& workspace) const {
    const Parts& p = *parts_;
    if (static_cast<int>(source_pose.size()) != p.n_source_vertices) {
        throw InvalidInput(fmt::format("The pose has {} vertices; the source at rest has {}.",
                                       source_pose.size(), p.n_source_vertices));
    }
    workspace.wanted.resize(p.system.areas().size());
    p.gradients.compute(source_pose, workspace.wanted, workspace.gradients);
    p.placement->complete(p.known_parts, workspace.wanted);
    std::copy(p.rest.begin(), p.rest.end(), out_positions.begin());
    const auto put_anchors = [&] {
        for (const auto& [vertex, place] : p.anchors) {
            out_positions[static_cast<size_t>(vertex)] = place;
        }
    };
    put_anchors();
    p.system.solve(workspace.wanted, out_positions, workspace.rows);
    p.placement->place(source_pose, workspace.wanted, out_positions);
    put_anchors();  // those of no triangle with area were placed with the loose vertices
}

std::vector<Vec3> DeformationTransfer::apply(std::span<const Vec3> source_pose) const {
    std::vector<Vec3> positions(parts_->rest.size());
    Workspace workspace;
    apply(source_pose, positions, workspace);
    return positions;
}

void warn_of(const TransferFacts& facts, const std::string& target_name) {
    if (!facts.degenerate_triangles.empty()) {
        log_warning(fmt::format(
            "{}: {} triangles have no area or use a vertex twice ({}); they "
            "are left out of the fit.",
            target_name, facts.degenerate_triangles.size(), first_of(facts.degenerate_triangles)));
    }
    if (!facts.loose_vertices.empty()) {
        log_warning(
            fmt::format("{}: {} vertices are in no triangle with area ({}); they follow "
                        "what is nearest, or the whole.",
                        target_name, facts.loose_vertices.size(), first_of(facts.loose_vertices)));
    }
    if (!facts.unmatched_triangles.empty()) {
        log_warning(fmt::format("{}: {} triangles have no source triangle ({}).", target_name,
                                facts.unmatched_triangles.size(),
                                first_of(facts.unmatched_triangles)));
    }
    if (facts.is_turned) {
        log_warning(
            fmt::format("{} stands turned by {:.0f}° against the source; deformations are "
                        "turned with it.",
                        target_name, facts.turn * 180 / std::numbers::pi));
    }
}

}  // namespace toile
