// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/step_trace.h"

#include "small_scenes.h"
#include "toile/core/error.h"
#include "toile/io/mesh_file.h"
#include "toile/sim/trace_files.h"
#include "toile/sim/world.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace toile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::small_drape;
using test::TemporaryFolder;

constexpr int kFrames = 10;

Scene scene() {
    Scene drape = small_drape(kFrames);
    drape.cloths[0].shape = test::rectangle(1, 1, 8);
    return drape;
}

TEST(StepTrace, ChangesNoBit) {
    World plain(scene()), watched(scene());
    StepTrace trace;
    for (int f = 0; f < kFrames; ++f) {
        const FrameReport expected = plain.step();
        const FrameReport found = watched.step({.trace = &trace});
        EXPECT_TRUE(plain.state() == watched.state());
        EXPECT_EQ(expected.collisions, found.collisions);
    }
}

TEST(StepTrace, HoldsEveryStepOfTheFrameThatWasTried) {
    World world(scene());
    StepTrace trace;
    bool some_contacts = false, some_collisions = false;
    for (int f = 0; f < kFrames; ++f) {
        const std::vector<Vec3> before = world.state().positions;
        const FrameReport report = world.step({.trace = &trace});
        ASSERT_EQ(static_cast<int>(trace.steps.size()), report.steps + report.rejected);
        EXPECT_EQ(trace.steps.front().contact.start, before);
        EXPECT_EQ(trace.steps.back().contact.ends, world.state().positions);
        EXPECT_DOUBLE_EQ(trace.steps.back().end_time, world.time());
        int n_contacts = 0;
        for (const TracedStep& step : trace.steps) {
            if (step.accepted) n_contacts += static_cast<int>(step.contact.contacts.size());
            for (const TracedRound& round : step.contact.rounds) {
                some_collisions = some_collisions || !round.collisions.empty();
            }
        }
        EXPECT_EQ(n_contacts, report.contacts);
        some_contacts = some_contacts || n_contacts > 0;
    }
    EXPECT_TRUE(some_contacts);
    EXPECT_TRUE(some_collisions);
}

TEST(StepTrace, IterationsBecomeNumberedMeshes) {
    const TemporaryFolder temporary;
    const fs::path folder = temporary / "iterations";
    prepare_iterations_folder(folder, false);
    World world(scene());
    StepTrace trace;
    int n_rounds = 0;
    for (int f = 1; f <= kFrames; ++f) {
        ASSERT_FALSE(world.step({.trace = &trace}).failure);
        write_iterations(folder, world, f, trace);
        for (const TracedStep& step : trace.steps) {
            const auto& rounds = step.contact.rounds;
            const bool collided = std::ranges::any_of(
                rounds, [](const TracedRound& r) { return !r.collisions.empty(); });
            if (!collided) continue;
            n_rounds += 1 + static_cast<int>(rounds.size());
            if (step.contact.ends != rounds.back().ends) ++n_rounds;
        }
    }
    ASSERT_GT(n_rounds, 0);
    int n_meshes = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with("_cloth.obj")) continue;
        EXPECT_EQ(read_mesh(entry.path()).n_vertices(), world.mesh(0).n_vertices());
        ++n_meshes;
    }
    EXPECT_EQ(n_meshes, n_rounds);
    EXPECT_THROW(prepare_iterations_folder(folder, false), IoError);
    prepare_iterations_folder(folder, true);
}

TEST(StepTrace, JsonHoldsWhatTheTraceHolds) {
    World world(scene());
    StepTrace trace;
    for (int f = 0; f < kFrames; ++f) ASSERT_FALSE(world.step({.trace = &trace}).failure);
    const json found = json::parse(trace_json(world, kFrames, trace));
    EXPECT_EQ(found["frame"], kFrames);
    EXPECT_EQ(found["bodies"].size(), 3u);
    ASSERT_EQ(found["steps"].size(), trace.steps.size());
    for (size_t s = 0; s < trace.steps.size(); ++s) {
        const ContactTrace& contact = trace.steps[s].contact;
        const json& step = found["steps"][s];
        EXPECT_EQ(step["candidates"].size(), contact.candidates.size());
        EXPECT_EQ(step["contacts"].size(), contact.contacts.size());
        EXPECT_EQ(step["rounds"].size(), contact.rounds.size());
        EXPECT_EQ(step["start"][0][1].get<double>(), contact.start[0].y());
        EXPECT_EQ(step["boxes"].size(), step["proximity_boxes"].size());
    }
}

}  // namespace
}  // namespace toile
