// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/continuous.h"

#include "collision/integer_hull.h"
#include "collision/random_geometry.h"
#include "toile/collision/distance.h"
#include "toile/collision/separating_plane.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

enum class Kind { PointTriangle, EdgeEdge };

ContinuousHit hit(Kind kind, const StencilMotion& motion, const ContinuousOptions& options = {}) {
    return kind == Kind::EdgeEdge ? edge_edge_hit(motion, options)
                                  : point_triangle_hit(motion, options);
}

bool plane_separates(Kind kind, const StencilMotion& motion, double min_separation) {
    return kind == Kind::EdgeEdge ? edge_edge_plane_separates(motion, min_separation)
                                  : point_triangle_plane_separates(motion, min_separation);
}

double distance_at(Kind kind, const StencilMotion& motion, double t) {
    std::array<Vec3, 4> x;
    for (size_t k = 0; k < 4; ++k) x[k] = (1 - t) * motion.start[k] + t * motion.end[k];
    return std::sqrt(kind == Kind::EdgeEdge
                         ? closest_edge_edge(x[0], x[1], x[2], x[3]).squared_distance
                         : closest_point_triangle(x[0], x[1], x[2], x[3]).squared_distance);
}

/// By how much the distance can change over the whole motion.
double largest_relative_motion(const StencilMotion& motion) {
    double largest = 0;
    for (size_t i = 0; i < 4; ++i) {
        for (size_t j = 0; j < i; ++j) {
            const Vec3 relative = motion.end[i] - motion.start[i] - motion.end[j] + motion.start[j];
            largest = std::max(largest, relative.norm());
        }
    }
    return largest;
}

StencilMotion scaled(StencilMotion motion, double scale) {
    for (Vec3& p : motion.start) p *= scale;
    for (Vec3& p : motion.end) p *= scale;
    return motion;
}

StencilMotion moved(StencilMotion motion, const Vec3& by) {
    for (Vec3& p : motion.start) p += by;
    for (Vec3& p : motion.end) p += by;
    return motion;
}

/// Exactly, at time k / n of a motion between small integers.
bool touches_at(Kind kind, const StencilMotion& motion, std::int64_t k, std::int64_t n) {
    std::array<IntegerPoint, 4> x;
    for (size_t i = 0; i < 4; ++i) {
        const IntegerPoint a = integer_point(motion.start[i]);
        const IntegerPoint b = integer_point(motion.end[i]);
        for (size_t c = 0; c < 3; ++c) x[i][c] = (n - k) * a[c] + k * b[c];
    }
    if (kind == Kind::EdgeEdge) return hulls_meet({x[0], x[1]}, {x[2], x[3]});
    return hulls_meet({x[0]}, {x[1], x[2], x[3]});
}

class Continuous : public testing::TestWithParam<Kind> {};

TEST_P(Continuous, NeverMissesATouchOfIntegersNorTellsItLate) {
    RandomGeometry random(1);
    constexpr std::int64_t kTimes = 60;
    int n_hits = 0;
    for (int i = 0; i < 6000; ++i) {
        StencilMotion motion;
        const int range = 1 + i % 3;
        for (Vec3& p : motion.start) p = random.lattice_point(range);
        for (Vec3& p : motion.end) p = random.lattice_point(range);
        if (i % 7 == 0) motion.end = motion.start;
        if (i % 5 == 0) {
            for (size_t k = 0; k < 4; ++k) motion.start[k].z() = motion.end[k].z() = 1;
        }
        std::int64_t first = 0;
        while (first <= kTimes && !touches_at(GetParam(), motion, first, kTimes)) ++first;
        if (first > kTimes) continue;
        ++n_hits;
        for (const double scale : {1.0, 1e-3, 1e3}) {
            const ContinuousHit found = hit(GetParam(), scaled(motion, scale));
            ASSERT_TRUE(found.hit) << i;
            ASSERT_LE(found.time, static_cast<double>(first) / kTimes) << i;
        }
    }
    EXPECT_GT(n_hits, 1000);
}

TEST_P(Continuous, AgreesWithDenseSamplingForAnySeparation) {
    RandomGeometry random(2);
    constexpr int kTimes = 400;
    int n_hits = 0;
    int n_free = 0;
    for (int i = 0; i < 4000; ++i) {
        const double scale = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 1 : 1e3;
        const StencilMotion motion = scaled({random.stencil(), random.stencil()}, scale);
        const double separation = i % 2 == 0 ? 0 : scale * random.real(0, 0.3);
        const double step = largest_relative_motion(motion) / kTimes;
        double least = std::numeric_limits<double>::infinity();
        double first = 2;
        for (int k = 0; k <= kTimes; ++k) {
            const double d = distance_at(GetParam(), motion, static_cast<double>(k) / kTimes);
            least = std::min(least, d);
            if (d < separation && first > 1) first = static_cast<double>(k) / kTimes;
        }
        const ContinuousHit found = hit(GetParam(), motion, {.min_separation = separation});
        EXPECT_FALSE(found.undecided);
        if (first <= 1) {
            ASSERT_TRUE(found.hit) << i;
            ASSERT_LE(found.time, first) << i;
        }
        if (least > separation + step) {
            ++n_free;
            ASSERT_FALSE(found.hit) << i;
        }
        if (!found.hit) continue;
        ++n_hits;
        const double reach = distance_at(GetParam(), motion, found.time) - separation;
        ASSERT_LE(reach, 1.01e-3 * largest_relative_motion(motion) + 1e-14 * scale) << i;
    }
    EXPECT_GT(n_hits, 400);
    EXPECT_GT(n_free, 500);
}

TEST_P(Continuous, NeverMissesFarFromTheOrigin) {
    RandomGeometry random(3);
    for (int i = 0; i < 3000; ++i) {
        StencilMotion motion;
        for (Vec3& p : motion.start) p = random.lattice_point(2);
        for (Vec3& p : motion.end) p = random.lattice_point(2);
        if (!touches_at(GetParam(), motion, 1, 2)) continue;
        const double factor = random.real(0.5, 2);
        const Vec3 far = 1e6 * random.point();
        EXPECT_TRUE(hit(GetParam(), moved(scaled(motion, factor), far)).hit) << i;
    }
}

TEST_P(Continuous, IsSafeWhenTheIntervalsRunOut) {
    RandomGeometry random(4);
    int n_undecided = 0;
    for (int i = 0; i < 500; ++i) {
        const StencilMotion motion{random.stencil(), random.stencil()};
        const ContinuousHit full = hit(GetParam(), motion);
        const ContinuousHit cut = hit(GetParam(), motion, {.max_intervals = 3});
        n_undecided += cut.undecided;
        if (!full.hit) continue;
        EXPECT_TRUE(cut.hit);
        EXPECT_LE(cut.time, full.time);
    }
    EXPECT_GT(n_undecided, 10);
}

TEST_P(Continuous, DecidesDegenerateMotionsSafely) {
    const Vec3 o = Vec3::Zero();
    const Vec3 far(3, 4, 5);
    const StencilMotion resting_touch{{o, o, o, o}, {o, o, o, o}};
    EXPECT_TRUE(hit(GetParam(), resting_touch).hit);
    EXPECT_EQ(hit(GetParam(), resting_touch).time, 0);
    const StencilMotion resting_apart{{o, o, far, far}, {o, o, far, far}};
    const bool apart = GetParam() == Kind::EdgeEdge;
    EXPECT_EQ(hit(GetParam(), resting_apart).hit, !apart);
    const double nan = std::nan("");
    const StencilMotion lost{{Vec3::Constant(nan), o, far, far}, {o, o, far, far}};
    EXPECT_TRUE(hit(GetParam(), lost).hit);
    const double inf = std::numeric_limits<double>::infinity();
    const StencilMotion infinite{{Vec3::Constant(inf), o, far, far}, {o, o, far, far}};
    EXPECT_TRUE(hit(GetParam(), infinite).hit);
    const StencilMotion huge{{Vec3::Constant(1e300), o, far, far}, {-1e300 * far, o, far, far}};
    EXPECT_TRUE(hit(GetParam(), huge).hit);
}

TEST_P(Continuous, APlaneThatSeparatesMeansNoHit) {
    RandomGeometry random(5);
    int n_separated = 0;
    for (int i = 0; i < 5000; ++i) {
        const StencilMotion motion{random.stencil(), random.stencil()};
        const double separation = i % 2 == 0 ? 0 : 0.05;
        if (!plane_separates(GetParam(), motion, separation)) continue;
        ++n_separated;
        EXPECT_FALSE(hit(GetParam(), motion, {.min_separation = separation}).hit);
        for (int k = 0; k <= 20; ++k) {
            EXPECT_GT(distance_at(GetParam(), motion, k / 20.0), separation * (1 - 1e-12));
        }
    }
    EXPECT_GT(n_separated, 200);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Continuous, testing::Values(Kind::PointTriangle, Kind::EdgeEdge),
                         [](const auto& kind) {
                             return kind.param == Kind::EdgeEdge ? "EdgeEdge" : "PointTriangle";
                         });

/// A point that flies through a triangle at a known time.
TEST(ContinuousPointTriangle, FindsAKnownTimeFromBelow) {
    for (const double scale : {1e-3, 1.0, 1e3}) {
        for (const double t : {0.001, 0.3, 0.7, 0.999}) {
            const StencilMotion motion =
                scaled({{Vec3(0.2, 0.2, t), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                        {Vec3(0.2, 0.2, t - 1), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
                       scale);
            const ContinuousHit found = point_triangle_hit(motion, {.time_tolerance = 1e-6});
            EXPECT_TRUE(found.hit);
            EXPECT_LE(found.time, t);
            EXPECT_GE(found.time, t - 1e-6);
            const ContinuousHit earlier =
                point_triangle_hit(motion, {.min_separation = 0.1 * scale, .time_tolerance = 1e-6});
            EXPECT_NEAR(earlier.time, std::max(0.0, t - 0.1), 1e-6);
        }
    }
}

/// Gaps down to some rounding errors are told from touches.
TEST(ContinuousPointTriangle, SeesGapsOfAFewUlps) {
    for (double gap = 1e-3; gap > 1e-14; gap *= 0.1) {
        const StencilMotion passing{{Vec3(-1, 1 + gap, 0.3), {0, 0, 0}, {1, 1, 0}, {0, 1, 1}},
                                    {Vec3(2, 1 + gap, 0.3), {0, 0, 0}, {1, 1, 0}, {0, 1, 1}}};
        EXPECT_FALSE(point_triangle_hit(passing).hit) << gap;
        const StencilMotion sliding{{Vec3(-1, 0.2, gap), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                    {Vec3(2, 0.2, gap), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
        EXPECT_FALSE(point_triangle_hit(sliding).hit) << gap;
    }
}

/// The triangle turns about the point, which keeps a small and constant height over its plane: the
/// turning plane decides it in few intervals.
TEST(ContinuousPointTriangle, DecidesATangentialRotationInFewIntervals) {
    for (double gap = 1e-2; gap > 1e-11; gap *= 0.1) {
        const StencilMotion motion{{Vec3(0, gap, 0), {-1, 0.4, -1}, {-1, 0.4, 1}, {2, -0.8, 0}},
                                   {Vec3(0, gap, 0), {-1, -0.4, -1}, {-1, -0.4, 1}, {2, 0.8, 0}}};
        const ContinuousHit found = point_triangle_hit(motion, {.max_intervals = 400});
        EXPECT_FALSE(found.hit) << gap;
    }
}

TEST(SeparatingPlane, TakesDirectionsOfAnyLengthAndSign) {
    const StencilMotion motion{{Vec3(0, 0, 1), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               {Vec3(5, 0, 0.5), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    for (const double length : {1e-200, 1.0, 1e200}) {
        EXPECT_TRUE(point_triangle_separated_along({0, 0, -length}, motion, 0.4));
        EXPECT_FALSE(point_triangle_separated_along({0, 0, length}, motion, 0.4));
        EXPECT_FALSE(point_triangle_separated_along({0, 0, -length}, motion, 0.6));
    }
    EXPECT_FALSE(point_triangle_separated_along(Vec3::Zero(), motion, 0));
    const StencilMotion edges{{Vec3(0, 0, 0), {1, 0, 0}, {0, 0, 1}, {0, 1, 1}},
                              {Vec3(0, 0, 0), {1, 0, 0}, {0, 0, 1}, {0, 1, 1}}};
    EXPECT_TRUE(edge_edge_separated_along({0, 0, 2}, edges, 0.9));
    EXPECT_FALSE(edge_edge_separated_along({0, 0, 2}, edges, 1));
}

}  // namespace
}  // namespace toile
