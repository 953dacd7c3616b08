// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/near_list.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kGrain = 1024;
constexpr int kRefreshesOfAShape = 256;  // before the trees are built anew
/// Of distances: they have roundings of their own.
constexpr double kRoom = 1.001;
/// How many more steps like this one a promise should last.
constexpr double kLastingSteps = 1;
/// Radii are those of roundings, which grow with the way from the origin.
constexpr double kRadiusRoom = 1.5;

}  // namespace

void NearList::reset(const FeatureOwners& owners, double budget) {
    prescribed_ = owners.prescribed_vertices;
    budget_ = budget;
    refreshes_ = 0;
    const size_t n = prescribed_.size();
    anchors_.assign(n, Vec3::Zero());
    anchor_radii_.assign(n, 0);
    needs_.assign(n, 0);
    points_.assign(n, MotionBox::nothing());
    marked_.assign(n, 0);
    paces_.resize(n);
    forget_anchors();
}

void NearList::forget_anchors() {
    std::fill(paces_.begin(), paces_.end(), Pace::Unknown);
    lasting_.clear();
    passing_.clear();
    pairs_.clear();
}

void NearList::begin(const FeatureOwners& owners, const NearMotion& motion,
                     const ComesNear& comes_near) {
    passing_.clear();
    set_frame(motion);
    if (all_apart(motion)) {
        forget_anchors();
        return;
    }
    for (size_t v = 0; v < marked_.size(); ++v) {
        if (!takes_part(v)) continue;
        measure_need(motion, v);
        marked_[v] = !keeps_promise(motion, v);
        if (marked_[v]) set_pace(motion, v);
    }
    refresh(owners, motion, comes_near);
}

void NearList::widen(const FeatureOwners& owners, const NearMotion& motion,
                     std::span<const char> widened, const ComesNear& comes_near) {
    if (all_apart(motion)) return;
    for (size_t v = 0; v < marked_.size(); ++v) {
        // Nobody was looked at if all was apart at the start of the step.
        marked_[v] = takes_part(v) && (widened[v] || paces_[v] == Pace::Unknown);
        if (!marked_[v]) continue;
        // Who keeps the promise is looked up too: passing pairs are those of the ways so far.
        measure_need(motion, v);
        if (!keeps_promise(motion, v)) set_pace(motion, v);
    }
    refresh(owners, motion, comes_near);
}

void NearList::set_frame(const NearMotion& motion) {
    if (among_ == FeatureSearch::Among::FreeAndPrescribed) return;
    Vec3 place = Vec3::Zero(), way = Vec3::Zero();
    double n = 0;
    for (size_t v = 0; v < prescribed_.size(); ++v) {
        if (!takes_part(v)) continue;
        place += motion.places[v];
        way += motion.ways[v].center();
        ++n;
    }
    frame_ = n > 0 ? Vec3(place / n) : Vec3::Zero();
    frame_way_ = n > 0 ? Vec3(way / n) : Vec3::Zero();
}

/// Whether no free body is anywhere near a prescribed one.
bool NearList::all_apart(const NearMotion& motion) const {
    if (among_ == FeatureSearch::Among::Free) return false;
    struct Bounds {
        Aabb places, ways;
        double radius = 0;
        [[nodiscard]] MotionBox box() const {
            MotionBox all = MotionBox::nothing();
            for (const Vec3& corner : {places.min, places.max}) {
                all.extend(MotionBox::of(corner, ways, kRoom * radius));
            }
            all.take_radius();
            return all;
        }
    };
    Bounds free, prescribed;
    for (size_t v = 0; v < prescribed_.size(); ++v) {
        Bounds& all = prescribed_[v] ? prescribed : free;
        all.places.extend(motion.places[v]);
        all.ways.extend(motion.ways[v]);
        all.radius = std::max(all.radius, motion.radii[v]);
    }
    return !may_meet(free.box(), prescribed.box());
}

void NearList::measure_need(const NearMotion& motion, size_t vertex) {
    const Aabb& ways = motion.ways[vertex];
    const double gone = (motion.places[vertex] - frame_ - anchors_[vertex]).norm();
    const double way = (ways.center() - frame_way_).norm() + 0.5 * (ways.max - ways.min).norm();
    needs_[vertex] = gone + way;
}

bool NearList::keeps_promise(const NearMotion& motion, size_t vertex) const {
    return paces_[vertex] == Pace::Slow && motion.radii[vertex] <= anchor_radii_[vertex] &&
           needs_[vertex] <= budget_;
}

void NearList::set_pace(const NearMotion& motion, size_t vertex) {
    const Aabb& ways = motion.ways[vertex];
    const double move = (ways.center() - frame_way_).norm();
    const double spread = 0.5 * (ways.max - ways.min).norm();
    const bool slow = spread + (1 + kLastingSteps) * move <= budget_;
    paces_[vertex] = slow ? Pace::Slow : Pace::Fast;
    anchors_[vertex] = motion.places[vertex] - frame_;
    needs_[vertex] = move + spread;
    anchor_radii_[vertex] = kRadiusRoom * motion.radii[vertex];
}

void NearList::set_point(const NearMotion& motion, size_t vertex) {
    if (paces_[vertex] == Pace::Slow) {
        const double radius = kRoom * (anchor_radii_[vertex] + budget_);
        points_[vertex] = MotionBox::of(anchors_[vertex], {Vec3::Zero(), Vec3::Zero()}, radius);
        return;
    }
    const Vec3 place = motion.places[vertex] - frame_;
    Aabb ways = motion.ways[vertex];
    ways.min -= frame_way_;
    ways.max -= frame_way_;
    points_[vertex] = MotionBox::of(place, ways, kRoom * motion.radii[vertex]);
}

/// Looks the pairs of the marked vertices up.
void NearList::refresh(const FeatureOwners& owners, const NearMotion& motion,
                       const ComesNear& comes_near) {
    if (std::any_of(marked_.begin(), marked_.end(), [](char m) { return m != 0; })) {
        if (refreshes_++ % kRefreshesOfAShape == 0) shape_trees(owners, motion);
        parallel_for(static_cast<int>(marked_.size()), kGrain, [&](int first, int last) {
            for (int v = first; v < last; ++v) {
                if (marked_[v]) set_point(motion, v);
            }
        });
        search_.update(owners, points_, marked_);
        drop_marked(owners);
        look_up(owners, comes_near);
    }
    list_pairs();
}

/// Of the lasting pairs those that what their vertices need of the promises may bring near.
void NearList::list_pairs() {
    pairs_.clear();
    const auto need = [&](int v) { return needs_[v] + anchor_radii_[v]; };
    for (const LastingPair& pair : lasting_) {
        const auto& v = pair.vertices;
        double first = need(v[0]), second = std::max(need(v[2]), need(v[3]));
        double& of_other = pair.second_side == 1 ? second : first;
        of_other = std::max(of_other, need(v[1]));
        if (pair.distance <= kRoom * (first + second)) pairs_.push_back(pair.key);
    }
    const auto n_lasting = static_cast<std::ptrdiff_t>(pairs_.size());
    pairs_.insert(pairs_.end(), passing_.begin(), passing_.end());
    std::inplace_merge(pairs_.begin(), pairs_.begin() + n_lasting, pairs_.end());
}

/// Anew, and so all vertices with them.
void NearList::shape_trees(const FeatureOwners& owners, const NearMotion& motion) {
    search_.set_features(owners, motion.places);
    for (size_t v = 0; v < marked_.size(); ++v) {
        marked_[v] = takes_part(v);
        if (marked_[v]) set_pace(motion, v);
    }
}

void NearList::look_up(const FeatureOwners& owners, const ComesNear& comes_near) {
    const auto keep = [&](PairKey key, Piece& piece) {
        const ContactStencil stencil = owners.stencil_of(key);
        LastingPair pair{key, stencil.vertices, stencil.second_side(), 0};
        const bool slow = all_slow(stencil);
        if (slow && lasts(stencil, pair)) piece.lasting.push_back(pair);
        if (!slow && comes_near(stencil)) piece.passing.push_back(key);
    };
    const size_t n_pieces = search_.search(owners, keep, pieces_);
    join(n_pieces, &Piece::lasting, lasting_);
    join(n_pieces, &Piece::passing, passing_);
    // What a piece finds varies with the trees' shapes: kept room would grow for long.
    pieces_.clear();
}

template <class Key>
void NearList::join(size_t n_pieces, std::vector<Key> Piece::*part,
                    std::vector<Key>& inout_keys) const {
    const auto n_old = static_cast<std::ptrdiff_t>(inout_keys.size());
    for (size_t i = 0; i < n_pieces; ++i) {
        const std::vector<Key>& found = pieces_[i].*part;
        inout_keys.insert(inout_keys.end(), found.begin(), found.end());
    }
    const auto middle = inout_keys.begin() + n_old;
    std::sort(middle, inout_keys.end());
    std::inplace_merge(inout_keys.begin(), middle, inout_keys.end());
}

void NearList::drop_marked(const FeatureOwners& owners) {
    const auto marked = [&](const std::array<int, 4>& v) {
        return marked_[v[0]] || marked_[v[1]] || marked_[v[2]] || marked_[v[3]];
    };
    std::erase_if(lasting_, [&](const LastingPair& pair) { return marked(pair.vertices); });
    std::erase_if(passing_, [&](PairKey key) { return marked(owners.stencil_of(key).vertices); });
}

bool NearList::all_slow(const ContactStencil& stencil) const {
    return std::all_of(stencil.vertices.begin(), stencil.vertices.end(),
                       [&](int v) { return paces_[v] == Pace::Slow; });
}

/// Whether the pair may come near while all four keep their promises.
bool NearList::lasts(const ContactStencil& stencil, LastingPair& out_pair) const {
    const double distance = measure_gap(stencil.kind, gather(stencil, anchors_)).distance;
    double first = 0, second = 0;
    for (int i = 0; i < 4; ++i) {
        double& side = i < stencil.second_side() ? first : second;
        side = std::max(side, anchor_radii_[stencil.vertices[i]]);
    }
    constexpr double kDown = 1 - 0x1p-22;
    out_pair.distance = static_cast<float>(kDown * distance);
    return distance <= kRoom * (first + second + 2 * budget_);
}

}  // namespace toile
