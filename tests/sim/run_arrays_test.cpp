// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_arrays.h"

#include "small_scenes.h"
#include "toile/cloth/strain.h"
#include "toile/collision/brute_force.h"
#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/sim/run_folder.h"
#include "toile/sim/run_paraview.h"
#include "toile/sim/simulate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

constexpr int kFrames = 4;

class RunArraysTest : public testing::Test {
  protected:
    RunArraysTest() {
        World world(test::small_drape(kFrames));
        RunFolder folder(run(), world);
        simulate(world, folder);
    }
    [[nodiscard]] fs::path run() const { return temporary_ / "run"; }

    TemporaryFolder temporary_;
};

std::vector<std::vector<Vec3>> frames_of(const fs::path& path) {
    Pc2Source source(path);
    std::vector<std::vector<Vec3>> frames;
    std::vector<Vec3> positions(static_cast<size_t>(source.n_vertices()));
    while (source.next(positions)) frames.push_back(positions);
    return frames;
}

// By looking at every triangle.
double slow_gap(const RunArrays& arrays, size_t b, int v) {
    const BodyArrays& body = arrays.bodies()[b];
    double smallest = INFINITY;
    for (size_t other = 0; other < arrays.bodies().size(); ++other) {
        const BodyArrays& seen = arrays.bodies()[other];
        if (body.obstacle && seen.obstacle) continue;
        ClosestPointOptions options;
        options.filter = [&](int t) {
            const Triangle& triangle = seen.mesh.triangles[static_cast<size_t>(t)];
            return other != b || (triangle[0] != v && triangle[1] != v && triangle[2] != v);
        };
        const SurfacePoint nearest = brute_force::closest_on_surface(
            body.positions[static_cast<size_t>(v)], seen.positions, seen.mesh.triangles, options);
        smallest = std::min(smallest, nearest.distance);
    }
    return smallest;
}

TEST_F(RunArraysTest, PlaysEveryFrameWithSpeedsOfTheMotion) {
    RunArrays arrays(run());
    EXPECT_EQ(arrays.n_frames(), kFrames + 1);
    const auto frames = frames_of(run() / "cloth.pc2");
    for (size_t k = 0; arrays.next(); ++k) {
        const BodyArrays& cloth = arrays.bodies()[0];
        EXPECT_EQ(cloth.positions, frames[k]);
        const size_t after = std::max<size_t>(k, 1);
        for (size_t v = 0; v < frames[k].size(); ++v) {
            const double expected =
                (frames[after][v] - frames[after - 1][v]).norm() * arrays.frame_rate();
            EXPECT_EQ(cloth.speed[v], expected);
        }
        for (const double speed : arrays.bodies()[1].speed) EXPECT_EQ(speed, 0);
    }
}

TEST_F(RunArraysTest, GapsAreThoseOfASearchThroughAllTriangles) {
    RunArrays arrays(run());
    while (arrays.next()) {
    }
    for (size_t b = 0; b < arrays.bodies().size(); ++b) {
        const BodyArrays& body = arrays.bodies()[b];
        for (int v = 0; v < body.mesh.n_vertices(); v += 7) {
            EXPECT_EQ(body.gap[static_cast<size_t>(v)], slow_gap(arrays, b, v)) << body.name << v;
        }
    }
}

TEST_F(RunArraysTest, StrainsAreThoseOfTheCloth) {
    RunArrays arrays(run());
    const Cloth cloth = make_cloth_body(test::small_drape(1).cloths[0]).cloth;
    while (arrays.next()) {
        const BodyArrays& body = arrays.bodies()[0];
        const std::vector<TriangleStrain> expected = strains(cloth, body.positions);
        ASSERT_EQ(body.strain.size(), expected.size());
        for (size_t t = 0; t < expected.size(); ++t) {
            // The mesh of a run goes through text, its UVs with it: the same to round-off.
            EXPECT_NEAR(body.strain[t], expected[t].largest, 1e-9);
        }
        for (const double strain : arrays.bodies()[1].strain) EXPECT_EQ(strain, 0);
    }
}

TEST_F(RunArraysTest, AreTheSameOnAnyNumberOfThreads) {
    std::vector<std::vector<double>> gaps;
    for (const int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        RunArrays arrays(run());
        while (arrays.next()) {
        }
        gaps.push_back(arrays.bodies()[0].gap);
    }
    EXPECT_EQ(gaps[0], gaps[1]);
    EXPECT_EQ(gaps[0], gaps[2]);
}

TEST_F(RunArraysTest, ARunIsWrittenForParaviewWholeOrNotAtAll) {
    const fs::path pvd = temporary_ / "run.d" / "film.pvd";
    fs::create_directory(pvd.parent_path());
    const Cancellation stopped;
    Cancellation asked;
    asked.request();
    EXPECT_THROW(write_run_for_paraview(run(), pvd, {.cancellation = &asked}), Interrupted);
    EXPECT_TRUE(fs::is_empty(pvd.parent_path()));
    const RunParaviewReport report = write_run_for_paraview(run(), pvd, {.cancellation = &stopped});
    EXPECT_EQ(report.n_bodies, 3);
    EXPECT_EQ(report.n_frames, kFrames + 1);
    EXPECT_TRUE(fs::exists(pvd));
    EXPECT_TRUE(fs::exists(pvd.parent_path() / "film" / "floor_0004.vtp"));
    EXPECT_THROW(write_run_for_paraview(run(), pvd), IoError);
    fs::remove(run() / "ball.pc2");
    EXPECT_THROW(write_run_for_paraview(run(), pvd, {.overwrite = true}), IoError);
    EXPECT_TRUE(fs::exists(pvd));
}

}  // namespace
}  // namespace toile
