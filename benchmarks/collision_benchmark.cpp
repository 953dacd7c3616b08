// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/bvh.h"
#include "toile/collision/closest_point.h"
#include "toile/collision/continuous.h"
#include "toile/collision/distance.h"
#include "toile/collision/exact_predicates.h"
#include "toile/collision/intersection.h"
#include "toile/collision/primitive_boxes.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

namespace toile {
namespace {

/// A wavy square sheet of side 1 m with 2 n² triangles.
struct Sheet {
    std::vector<Vec3> positions;
    std::vector<Triangle> triangles;

    explicit Sheet(int n) {
        for (int j = 0; j <= n; ++j) {
            for (int i = 0; i <= n; ++i) {
                const double x = static_cast<double>(i) / n;
                const double z = static_cast<double>(j) / n;
                positions.emplace_back(x, 0.05 * std::sin(9 * x) * std::cos(7 * z), z);
            }
        }
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) {
                const int v = j * (n + 1) + i;
                triangles.push_back({v, v + n + 1, v + 1});
                triangles.push_back({v + 1, v + n + 1, v + n + 2});
            }
        }
    }
    [[nodiscard]] std::vector<Aabb> boxes() const {
        constexpr double kHalfThickness = 0.5e-3;
        std::vector<Aabb> all;
        triangle_boxes(positions, triangles, kHalfThickness, all);
        return all;
    }
};

/// Cells along a side: 2 · 71² = 10,082 and 2 · 141² = 39,762 triangles.
void sheet_sizes(benchmark::internal::Benchmark* b) {
    b->Arg(71)->Arg(141)->Unit(benchmark::kMillisecond);
}

void BvhBuild(benchmark::State& state) {
    const std::vector<Aabb> boxes = Sheet(static_cast<int>(state.range(0))).boxes();
    for (auto _ : state) benchmark::DoNotOptimize(Bvh(boxes));
}
BENCHMARK(BvhBuild)->Apply(sheet_sizes);

void BvhRefit(benchmark::State& state) {
    const std::vector<Aabb> boxes = Sheet(static_cast<int>(state.range(0))).boxes();
    Bvh tree(boxes);
    for (auto _ : state) tree.refit(boxes);
}
BENCHMARK(BvhRefit)->Apply(sheet_sizes);

void BvhSelfPairs(benchmark::State& state) {
    const Bvh tree(Sheet(static_cast<int>(state.range(0))).boxes());
    std::vector<ElementPair> pairs;
    for (auto _ : state) tree.self_pairs(pairs);
    state.counters["pairs"] = static_cast<double>(pairs.size());
}
BENCHMARK(BvhSelfPairs)->Apply(sheet_sizes)->UseRealTime();

/// The traversal alone, on one thread, nothing kept.
void BvhVisitSelfPairs(benchmark::State& state) {
    const Bvh tree(Sheet(static_cast<int>(state.range(0))).boxes());
    for (auto _ : state) {
        long long n = 0;
        tree.visit_self_pairs([&](int, int) { ++n; });
        benchmark::DoNotOptimize(n);
    }
}
BENCHMARK(BvhVisitSelfPairs)->Apply(sheet_sizes);

void SelfCrossings(benchmark::State& state) {
    const Sheet sheet(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        benchmark::DoNotOptimize(self_crossings(sheet.positions, sheet.triangles));
    }
}
BENCHMARK(SelfCrossings)->Apply(sheet_sizes)->UseRealTime();

constexpr size_t kMotions = 1 << 12;

enum Approach { kApart, kNear, kThrough };

/// Stencils of 1 cm size: `kApart` move less than their gap, `kNear` pass at a thousandth of their
/// size, `kThrough` cross.
std::vector<StencilMotion> motions(Approach approach) {
    std::mt19937 engine(1);
    const auto real = [&] { return static_cast<double>(engine()) / 2147483648.0 - 1; };
    const auto jitter = [&] { return Vec3(1e-3 * real(), 1e-3 * real(), 1e-3 * real()); };
    const double height = approach == kApart ? 5e-3 : 1e-5;
    const double fall = approach == kThrough ? 2e-3 : 0;
    std::vector<StencilMotion> all(kMotions);
    for (StencilMotion& m : all) {
        m.start = {Vec3(2e-3, height, 2e-3), {0, 0, 0}, {1e-2, 0, 0}, {0, 0, 1e-2}};
        for (size_t k = 1; k < 4; ++k) m.start[k] += Vec3(1, 0, 1).cwiseProduct(jitter());
        m.end = m.start;
        const Vec3 slide = Vec3(1, 0, 1).cwiseProduct(jitter());
        m.end[0] += slide - Vec3(0, fall, 0);
    }
    return all;
}

/// The same points as edges: the first from above over the second.
std::vector<StencilMotion> edge_motions(Approach approach) {
    std::vector<StencilMotion> all = motions(approach);
    for (StencilMotion& m : all) {
        for (std::array<Vec3, 4>* x : {&m.start, &m.end}) {
            const Vec3 up(0, (*x)[0].y(), 0);
            *x = {(*x)[1] + up, Vec3((*x)[2] + (*x)[3] + up), (*x)[2], (*x)[3]};
        }
    }
    return all;
}

void PointTriangleHit(benchmark::State& state) {
    const auto all = motions(static_cast<Approach>(state.range(0)));
    size_t i = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(point_triangle_hit(all[i++ % kMotions]));
    }
}
BENCHMARK(PointTriangleHit)->Arg(kApart)->Arg(kNear)->Arg(kThrough);

void EdgeEdgeHit(benchmark::State& state) {
    const auto all = edge_motions(static_cast<Approach>(state.range(0)));
    size_t i = 0;
    for (auto _ : state) benchmark::DoNotOptimize(edge_edge_hit(all[i++ % kMotions]));
}
BENCHMARK(EdgeEdgeHit)->Arg(kApart)->Arg(kNear)->Arg(kThrough);

void PointTriangleDistance(benchmark::State& state) {
    const auto all = motions(kNear);
    size_t i = 0;
    for (auto _ : state) {
        const auto& x = all[i++ % kMotions].start;
        benchmark::DoNotOptimize(closest_point_triangle(x[0], x[1], x[2], x[3]));
    }
}
BENCHMARK(PointTriangleDistance);

void EdgeEdgeDistance(benchmark::State& state) {
    const auto all = edge_motions(kNear);
    size_t i = 0;
    for (auto _ : state) {
        const auto& x = all[i++ % kMotions].start;
        benchmark::DoNotOptimize(closest_edge_edge(x[0], x[1], x[2], x[3]));
    }
}
BENCHMARK(EdgeEdgeDistance);

void ExactOrientation(benchmark::State& state) {
    const auto all = motions(kNear);
    size_t i = 0;
    for (auto _ : state) {
        const auto& x = all[i++ % kMotions].start;
        benchmark::DoNotOptimize(orient3d(x[0], x[1], x[2], x[3]));
    }
}
BENCHMARK(ExactOrientation);

/// A point in the plane but for rounding: the filter fails and exact arithmetic decides.
void ExactOrientationOfCoplanarPoints(benchmark::State& state) {
    const Vec3 a(0.1, 0.2, 0.3), b(1.1, 0.4, 0.7), c(0.3, 1.2, 0.9);
    const Vec3 d = 0.3 * a + 0.4 * b + 0.3 * c;
    for (auto _ : state) benchmark::DoNotOptimize(orient3d(a, b, c, d));
}
BENCHMARK(ExactOrientationOfCoplanarPoints);

void ClosestPoint(benchmark::State& state) {
    const Sheet sheet(static_cast<int>(state.range(0)));
    const ClosestPointQuery query(sheet.positions, sheet.triangles);
    std::mt19937 engine(2);
    const auto real = [&] { return static_cast<double>(engine()) / 4294967296.0; };
    for (auto _ : state) {
        benchmark::DoNotOptimize(query.closest({real(), 0.2 * real() - 0.1, real()}));
    }
}
BENCHMARK(ClosestPoint)->Arg(71)->Arg(141);

}  // namespace
}  // namespace toile
