// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/pin_board.h"

#include <algorithm>
#include <limits>

namespace toile {
namespace {

constexpr long long kNever = std::numeric_limits<long long>::max();

bool vertex_below(const Hold& hold, int vertex) {
    return hold.vertex < vertex;
}

std::vector<Hold>::iterator place_for(int vertex, WorldState& state) {
    return std::lower_bound(state.holds.begin(), state.holds.end(), vertex, vertex_below);
}

}  // namespace

PinBoard::PinBoard(std::span<const ClothBody> cloths, const StepSchedule& schedule)
    : schedule_(schedule) {
    int first = 0;
    for (size_t c = 0; c < cloths.size(); ++c) {
        first_vertex_.push_back(first);
        for (const PinGroup& pins : cloths[c].pins) {
            groups_.push_back({.pins = &pins,
                               .cloth = c,
                               .first_vertex = first,
                               .start = schedule.tick_of(pins.start()),
                               .end = pins.end() ? schedule.tick_of(*pins.end()) : kNever});
        }
        first += cloths[c].mesh.n_vertices();
    }
    first_vertex_.push_back(first);
    is_held_.assign(static_cast<size_t>(first), 0);
}

void PinBoard::begin_step(WorldState& inout_state) {
    const Moment now = {schedule_.tick_of(inout_state.control),
                        schedule_.time(inout_state.control)};
    held_.clear();
    active_.clear();
    std::ranges::fill(is_held_, char{0});
    for (const TimedGroup& group : groups_) {
        if (group.holds_at(now.tick)) hold_group(group, now, inout_state);
    }
    drop_ended(inout_state);
    for (const Hold& hold : inout_state.holds) {
        if (hold.kind != HoldKind::Code) continue;
        held_.push_back({.vertex = hold.vertex,
                         .since = hold.since,
                         .anchor = hold.anchor,
                         .velocity = hold.velocity});
    }
    const auto is_before = [](const HeldVertex& a, const HeldVertex& b) {
        return a.vertex < b.vertex;
    };
    std::ranges::sort(held_, is_before);
    first_held_.clear();
    for (const int first : first_vertex_) {
        const auto at = std::lower_bound(held_.begin(), held_.end(), first,
                                         [](const auto& h, int v) { return h.vertex < v; });
        first_held_.push_back(static_cast<size_t>(at - held_.begin()));
    }
}

/// Vertices that code holds or has freed are not the scene's. The others were noted when the pin
/// took hold, are where they were at the start, or are noted now. A note from before the pin's
/// start is that of an earlier pin.
void PinBoard::hold_group(const TimedGroup& group, const Moment& now, WorldState& inout_state) {
    const PinGroup& pins = *group.pins;
    const size_t first_held = held_.size();
    double since = pins.holds_from_start() ? 0 : now.time;
    for (size_t i = 0; i < pins.vertices().size(); ++i) {
        const int vertex = group.first_vertex + pins.vertices()[i];
        const auto at = place_for(vertex, inout_state);
        const bool is_noted = at != inout_state.holds.end() && at->vertex == vertex;
        if (is_noted && at->kind != HoldKind::Scene) continue;
        HeldVertex held = {.vertex = vertex, .group = static_cast<int>(active_.size())};
        held.anchor = pins.start_positions()[i];
        if (is_noted && schedule_.tick_of(at->since) >= group.start) {
            held.anchor = at->anchor;
            since = at->since;
        } else if (!pins.holds_from_start()) {
            held.anchor = inout_state.positions[vertex];
            const Hold fresh = {.vertex = vertex, .since = now.time, .anchor = held.anchor};
            if (is_noted) {
                *at = fresh;
            } else {
                inout_state.holds.insert(at, fresh);
            }
        }
        is_held_[vertex] = 1;
        held_.push_back(held);
    }
    anchors_.clear();
    for (size_t h = first_held; h < held_.size(); ++h) {
        held_[h].since = since;
        anchors_.push_back(held_[h].anchor);
    }
    const bool as_at_start = pins.holds_from_start() && since == 0;
    const auto anchors = as_at_start ? pins.start_positions() : std::span<const Vec3>(anchors_);
    active_.push_back({.pins = &pins, .since = since, .pivot = pins.pivot(since, anchors)});
}

/// Notes of the scene's pins on vertices that none of them holds.
void PinBoard::drop_ended(WorldState& inout_state) const {
    std::erase_if(inout_state.holds, [&](const Hold& hold) {
        return hold.kind == HoldKind::Scene && !is_held_[hold.vertex];
    });
}

std::span<const HeldVertex> PinBoard::held_of(size_t cloth) const {
    const size_t first = first_held_[cloth];
    return std::span(held_).subspan(first, first_held_[cloth + 1] - first);
}

void PinBoard::place(double time, std::span<Vec3> out_positions) const {
    int group = -1;
    PinGroup::Motion motion;
    for (const HeldVertex& held : held_) {
        if (held.group < 0) {
            out_positions[held.vertex] = held.anchor + (time - held.since) * held.velocity;
            continue;
        }
        const ActiveGroup& active = active_[held.group];
        if (active.pins->stands_still()) {
            out_positions[held.vertex] = held.anchor;
            continue;
        }
        if (held.group != group) {
            group = held.group;
            motion = active.pins->motion(active.since, time, active.pivot);
        }
        out_positions[held.vertex] = motion.apply(held.anchor);
    }
}

void PinBoard::note(const Hold& hold, WorldState& inout_state) {
    const auto at = place_for(hold.vertex, inout_state);
    if (at != inout_state.holds.end() && at->vertex == hold.vertex) {
        *at = hold;
    } else {
        inout_state.holds.insert(at, hold);
    }
}

void PinBoard::leave_to_scene(size_t cloth, WorldState& inout_state) const {
    std::erase_if(inout_state.holds, [&](const Hold& hold) {
        return hold.vertex >= first_vertex_[cloth] && hold.vertex < first_vertex_[cloth + 1];
    });
    const long long tick = schedule_.tick_of(inout_state.control);
    const double time = schedule_.time(inout_state.control);
    for (const TimedGroup& group : groups_) {
        if (group.cloth != cloth || !group.holds_at(tick)) continue;
        for (const int v : group.pins->vertices()) {
            const int vertex = group.first_vertex + v;
            note({.vertex = vertex, .since = time, .anchor = inout_state.positions[vertex]},
                 inout_state);
        }
    }
}

}  // namespace toile
