// SPDX-License-Identifier: Apache-2.0
// Bisection of time alone. Over an interval [s, t] the parts stay apart if a plane keeps them
// apart:
//   one that stands still, n.D > 0 at s and at t, for all corners D (which move straight); or
//   one that turns from n_s to n_t: n(x).D(x) is a quadratic in x, and positive if its Bernstein
//   coefficients n_s.D_s, (n_s.D_t + n_t.D_s) / 2, n_t.D_t are.
// The turning plane makes the bound right to second order, so that the number of intervals grows
// with the logarithm of the smallest gap only. Intervals are looked at in the order of time.
#include "toile/collision/continuous.h"

#include "toile/collision/separating_direction.h"

#include <algorithm>
#include <array>

namespace toile {
namespace {

using detail::DifferenceMotion;
using detail::Differences;
using detail::Separation;

/// Intervals are halved at most so often: times are then multiples of 2^-50, so that 1 - t is
/// exact.
constexpr int kDeepest = 50;
constexpr double kNarrowest = 1.0 / (1LL << kDeepest);

template <size_t K>
struct Moment {
    double time;
    Differences<K> corners;
    Separation separation;
};

template <size_t K>
Moment<K> moment_at(const DifferenceMotion<K>& motion, double time) {
    Moment<K> moment;
    moment.time = time;
    detail::differences_at(motion, time, moment.corners);
    moment.separation = detail::find_separation(moment.corners, motion.threshold);
    return moment;
}

template <size_t K>
bool apart_between(const Moment<K>& s, const Moment<K>& t, double threshold) {
    const Vec3& n_s = s.separation.normal;
    const Vec3& n_t = t.separation.normal;
    bool still_s = s.separation.separated;
    bool still_t = t.separation.separated;
    bool turning = still_s && still_t;
    for (size_t k = 0; k < K; ++k) {
        const double st = n_s.dot(t.corners[k]);
        const double ts = n_t.dot(s.corners[k]);
        still_s = still_s & (st > threshold);
        still_t = still_t & (ts > threshold);
        turning = turning & (0.5 * (st + ts) > threshold);
    }
    return still_s || still_t || turning;
}

/// Whether the parts pass through each other between two near moments beyond reasonable doubt: they
/// change sides, with the closest points well inside all the while. To err is a false alarm only.
template <size_t K>
bool evidently_crosses(const Moment<K>& s, const Moment<K>& t) {
    const Separation& a = s.separation;
    const Separation& b = t.separation;
    if (a.side * b.side >= 0) return false;
    const double change = (a.weights - b.weights).cwiseAbs().maxCoeff();
    const auto margin = [](const Vec3& w) {
        if constexpr (K == 3) return w.minCoeff();
        return std::min({w[0], w[1], 1 - w[0], 1 - w[1]});
    };
    return std::min(margin(a.weights), margin(b.weights)) > change;
}

/// Depth-first bisection. `ahead` holds the right ends of the intervals still to be looked at,
/// nearest last; everything before `now` is certified.
template <size_t K>
class Search {
  public:
    Search(const DifferenceMotion<K>& motion, const ContinuousOptions& options,
           const Moment<K>& start)
        : motion_(motion), options_(options), now_(start) {}

    ContinuousHit run() {
        push(1);
        for (int i = 0; n_ahead_ > 0; ++i) {
            const Moment<K>& next = ahead_[n_ahead_ - 1];
            if (apart_between(now_, next, motion_.threshold)) {
                now_ = next;
                --n_ahead_;
                continue;
            }
            const double width = next.time - now_.time;
            if (width <= options_.time_tolerance && certain(next)) return {true, now_.time, false};
            if (width <= kNarrowest || i >= options_.max_intervals) return {true, now_.time, true};
            push(now_.time + 0.5 * width);
        }
        return {};
    }

  private:
    void push(double time) {
        ahead_[n_ahead_] = moment_at(motion_, time);
        if (!ahead_[n_ahead_].separation.separated) touch_time_ = time;
        ++n_ahead_;
    }
    /// Whether a touch is known of in the interval from now to next.
    [[nodiscard]] bool certain(const Moment<K>& next) const {
        const bool touches = touch_time_ > now_.time && touch_time_ <= next.time;
        return touches || evidently_crosses(now_, next);
    }

    const DifferenceMotion<K>& motion_;
    const ContinuousOptions& options_;
    Moment<K> now_;
    std::array<Moment<K>, kDeepest + 2> ahead_;
    size_t n_ahead_ = 0;
    double touch_time_ = -1;  ///< of the last moment found at which the parts touch
};

template <size_t K>
ContinuousHit find_hit(const DifferenceMotion<K>& motion, const ContinuousOptions& options) {
    if (detail::separated_along_axis(motion)) return {};
    const Moment<K> start = moment_at(motion, 0.0);
    if (!start.separation.separated) return {true, 0, false};
    if (detail::beyond_plane(start.separation.normal, motion.end, motion.threshold)) return {};
    return Search<K>(motion, options, start).run();
}

}  // namespace

ContinuousHit point_triangle_hit(const StencilMotion& motion, const ContinuousOptions& options) {
    return find_hit(detail::point_triangle_differences(motion, options.min_separation), options);
}

ContinuousHit edge_edge_hit(const StencilMotion& motion, const ContinuousOptions& options) {
    return find_hit(detail::edge_edge_differences(motion, options.min_separation), options);
}

}  // namespace toile
