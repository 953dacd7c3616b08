// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/carried_edit.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/edit/edit_setup.h"
#include "toile/edit/pose_maps.h"
#include "toile/mesh/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace toile {
namespace {

constexpr int kGrain = 256;

void require_finite(std::span<const Vec3> positions, std::string_view what) {
    for (size_t v = 0; v < positions.size(); ++v) {
        if (positions[v].allFinite()) continue;
        throw InvalidInput(
            fmt::format("Vertex {} of {} has a coordinate that is not finite.", v, what));
    }
}

void require_count(size_t found, size_t expected, std::string_view what) {
    if (found == expected) return;
    throw InvalidInput(fmt::format("{} vertices stand in {}; the frame before the edit has {}.",
                                   found, what, expected));
}

void require_options(const CarryOptions& options, size_t n_vertices) {
    if (!options.mask.empty()) require_count(options.mask.size(), n_vertices, "the mask");
    if (!(options.pull_length > 0) || !(options.tolerance >= 0) || options.feather_rings < 0 ||
        options.smoothing_passes < 0) {
        throw InvalidInput(
            "An edit's pull length must be above 0, and its tolerance, feather rings and smoothing "
            "passes must be 0 or more.");
    }
    if (options.rule != EditRule::Printed && options.rule != EditRule::Conjugated) return;
    if (options.rest.empty()) {
        throw InvalidInput("The rules 'printed' and 'conjugated' need a rest pose (--rest).");
    }
    require_count(options.rest.size(), n_vertices, "the rest pose");
    require_finite(options.rest, "the rest pose");
}

}  // namespace

struct CarriedEdit::Setup : detail::EditSetup {
    using EditSetup::EditSetup;
};

struct CarriedEdit::Workspace::Memory {
    std::shared_ptr<const Setup> setup;  // that the rest belongs to
    long long version = -1;              // of the setup when `edit` was made
    std::optional<OffsetSystem> weakly_pulled;
    RealisedEdit edit;
    std::vector<detail::Edges> edited_rest;  // of rules with a rest pose
    std::vector<Vec3> positions, targets, offsets;
    std::vector<Mat3> wanted;
    detail::PoseMaps maps;
};

CarriedEdit::Workspace::Workspace() : memory_(std::make_unique<Memory>()) {}
CarriedEdit::Workspace::~Workspace() = default;
CarriedEdit::Workspace::Workspace(Workspace&&) noexcept = default;
CarriedEdit::Workspace& CarriedEdit::Workspace::operator=(Workspace&&) noexcept = default;

CarriedEdit::~CarriedEdit() = default;
CarriedEdit::CarriedEdit(CarriedEdit&&) noexcept = default;
CarriedEdit& CarriedEdit::operator=(CarriedEdit&&) noexcept = default;

CarriedEdit::CarriedEdit(std::span<const Triangle> triangles, std::vector<Vec3> original,
                         std::vector<Vec3> edited, CarryOptions options) {
    require_valid_indices(triangles, static_cast<int>(original.size()));
    require_count(edited.size(), original.size(), "the edited frame");
    require_finite(original, "the frame before the edit");
    require_finite(edited, "the edited frame");
    require_options(options, original.size());
    const std::vector<int> moved =
        moved_vertices(original, edited, options.tolerance, options.mask);
    setup_ = std::make_shared<Setup>(std::vector<Triangle>(triangles.begin(), triangles.end()),
                                     std::move(original), std::move(options), moved);
    setup_->set_edited(edited, moved);
}

void CarriedEdit::set_edited(std::span<const Vec3> edited) {
    require_count(edited.size(), setup_->original.size(), "the edited frame");
    require_finite(edited, "the edited frame");
    const std::vector<int> moved =
        moved_vertices(setup_->original, edited, setup_->options.tolerance, setup_->options.mask);
    const auto free =
        std::span(setup_->region.vertices).first(static_cast<size_t>(setup_->region.n_free));
    if (!std::includes(free.begin(), free.end(), moved.begin(), moved.end())) {
        setup_ = std::make_shared<Setup>(setup_->all_triangles, setup_->original, setup_->options,
                                         moved);
    }
    setup_->set_edited(edited, moved);
}

namespace {

using Setup = detail::EditSetup;

// The edges that the rules with a rest pose give to the map S_x: E e_rest, or its pull-back.
std::vector<detail::Edges> edited_rest_edges(const Setup& setup, const RealisedEdit& edit) {
    std::vector<Vec3> after = setup.positions;
    for (size_t i = 0; i < after.size(); ++i) after[i] += edit.offsets[i];
    std::vector<detail::Edges> edges(setup.hats.size());
    for (size_t k = 0; k < edges.size(); ++k) {
        const Triangle& t = setup.region.local_triangles[k];
        if (setup.options.rule == EditRule::Printed) {
            edges[k] = detail::frame_of(t, after) * setup.inverse_frames[k] * setup.rest_edges[k];
        } else {
            const Mat3 from_rest = detail::frame_of(t, setup.positions) * setup.inverse_rest[k];
            edges[k] = from_rest.inverse() * detail::edges_of(t, after);
        }
    }
    return edges;
}

// What the rule asks of the gradient of the offsets in every triangle.
template <class Memory>
void want_gradients(const Setup& setup, Memory& memory) {
    const auto rule = setup.options.rule;
    memory.wanted.resize(setup.hats.size());
    parallel_for(static_cast<int>(setup.hats.size()), kGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            if (!setup.changes[k]) {
                memory.wanted[k].setZero();
            } else if (rule == EditRule::Offsets) {
                memory.wanted[k] = memory.maps.rotations[k] * memory.edit.gradients[k];
            } else if (rule == EditRule::Stretch) {
                memory.wanted[k] = memory.maps.gradients[k] * memory.edit.gradients[k];
            } else {
                const detail::Edges now =
                    detail::edges_of(setup.region.local_triangles[k], memory.positions);
                const Mat3 from_rest = detail::frame_of(now) * setup.inverse_rest[k];
                memory.wanted[k] =
                    detail::gradient_of(setup.hats[k], from_rest * memory.edited_rest[k] - now);
            }
        }
    });
}

template <class Memory>
void realise(const Setup& setup, double strength, Memory& memory) {
    if (memory.version == setup.version && memory.edit.strength == strength) return;
    if (strength == 1) {
        memory.edit = setup.full;
    } else {
        if (!memory.weakly_pulled) {
            memory.weakly_pulled.emplace(setup.region, setup.hats, detail::kWeakPullLength);
        }
        memory.edit = detail::realise_edit(setup, *memory.weakly_pulled, strength);
    }
    if (!setup.inverse_rest.empty()) memory.edited_rest = edited_rest_edges(setup, memory.edit);
    memory.version = setup.version;
}

template <class Memory>
void solve_offsets(const Setup& setup, Memory& memory) {
    want_gradients(setup, memory);
    memory.targets.resize(setup.region.vertices.size());
    memory.offsets.assign(setup.region.vertices.size(), Vec3::Zero());
    for (size_t i = 0; i < memory.targets.size(); ++i) {
        memory.targets[i] = memory.maps.vertex_rotations[i] * memory.edit.offsets[i];
    }
    const auto n_free = static_cast<size_t>(setup.region.n_free);
    setup.system.solve(memory.wanted, memory.targets, std::span(memory.offsets).first(n_free));
    detail::glue_loose_parts(setup, memory.edit, memory.maps, memory.offsets);
}

}  // namespace

CarryReport CarriedEdit::apply(double strength, std::span<Vec3> inout_positions,
                               Workspace& workspace) const {
    require_count(inout_positions.size(), setup_->original.size(), "a frame to edit");
    const EditRegion& region = setup_->region;
    if (strength == 0 || region.n_free == 0) return {};
    auto& memory = *workspace.memory_;
    if (memory.setup != setup_) {
        memory.weakly_pulled.reset();
        memory.version = -1;
        memory.setup = setup_;
    }
    realise(*setup_, strength, memory);
    memory.positions.clear();
    for (const int v : region.vertices) memory.positions.push_back(inout_positions[v]);
    detail::map_pose(*setup_, memory.positions, memory.maps);
    solve_offsets(*setup_, memory);
    for (int i = 0; i < region.n_free; ++i) {
        inout_positions[region.vertices[i]] += memory.offsets[i];
    }
    return memory.maps.report;
}

const std::vector<Vec3>& CarriedEdit::edited() const {
    return setup_->edited;
}

const std::vector<Vec3>& CarriedEdit::original() const {
    return setup_->original;
}

const EditRegion& CarriedEdit::region() const {
    return setup_->region;
}

const std::vector<int>& CarriedEdit::moved() const {
    return setup_->moved;
}

double CarriedEdit::radius() const {
    return region_radius(setup_->hats);
}

int CarriedEdit::n_loose_parts() const {
    return static_cast<int>(setup_->loose.size());
}

}  // namespace toile
