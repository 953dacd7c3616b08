// SPDX-License-Identifier: Apache-2.0
// On the field's own meshes (../shared/data/transfer).
#include "support/captured_log.h"
#include "support/test_data.h"
#include "toile/core/error.h"
#include "toile/io/mesh_file.h"
#include "toile/io/numbered.h"
#include "toile/transfer/deformation_transfer.h"
#include "toile/transfer/pose_guard.h"
#include "transfer/transfer_scene.h"

#include <gtest/gtest.h>

#include <string>

namespace toile {
namespace {

struct FieldSet {
    std::string name;  ///< of the test
    std::string rest;
    std::string before;  ///< of the poses' names, up to their number
};

std::ostream& operator<<(std::ostream& out, const FieldSet& set) {
    return out << set.name;
}

const FieldSet kSets[] = {
    {"Cat", "cat-lion/cat-reference.obj", "cat-0"},
    {"Lion", "cat-lion/lion-reference.obj", "lion-0"},
    {"Horse", "horse-camel/horse-reference.obj", "horse-0"},
    {"Camel", "horse-camel/camel-reference.obj", "camel-0"},
    {"Face", "face-head/face-reference.obj", "face-02"},
    {"Head", "face-head/head-reference.obj", "head-0"},
    {"Gallop", "seq-horse-gallop/reference.obj", "frame_0"},
    {"Collapse", "seq-horse-collapse/reference.obj", "frame_"},
    {"Elephant", "elephant/elephant-reference.obj", "gallop_"},
    {"Samba", "seq-samba/mesh_0000.obj", "mesh_002"},
    {"Crane", "seq-crane/mesh_0000.obj", "mesh_00"},
    {"Wolf", "wolf-eyes/reference.obj", "pose_"},
    {"Cheburashka", "cheburashka/reference.obj", "pose_"},
    {"Cylinder", "cylinder/reference.obj", "pose_"},
};

std::vector<std::filesystem::path> poses_of(const std::filesystem::path& rest,
                                            const FieldSet& set) {
    std::vector<std::filesystem::path> poses;
    for (const std::string& name : file_names(rest.parent_path())) {
        if (name.starts_with(set.before) && name.ends_with(".obj")) {
            poses.push_back(rest.parent_path() / name);
        }
    }
    return poses;
}

class FieldSets : public testing::TestWithParam<FieldSet> {};

// Position included: what is said here of the wolf holds for its eyes.
TEST_P(FieldSets, TransferOntoThemselvesExactlyAndPassThePoseCheck) {
    TOILE_REQUIRE_TEST_DATA(rest_file, "transfer/" + GetParam().rest);
    const TriangleMesh rest = read_mesh(rest_file);
    const DeformationTransfer transfer(rest, rest, identity_pairs(rest.n_triangles()));
    const auto poses = poses_of(rest_file, GetParam());
    ASSERT_FALSE(poses.empty());
    PoseGuard guard(std::make_unique<NumberedSource>(poses), rest);
    std::vector<Vec3> pose(rest.positions.size());
    DeformationTransfer::Workspace workspace;
    std::vector<Vec3> result(rest.positions.size());
    while (guard.next(pose)) {
        transfer.apply(pose, result, workspace);
        for (const int v : transfer.facts().loose_vertices) {
            EXPECT_TRUE(result[static_cast<size_t>(v)].allFinite());
            result[static_cast<size_t>(v)] = pose[static_cast<size_t>(v)];
        }
        EXPECT_LT(test::largest_distance(result, pose), 1e-9 * test::diagonal(rest));
    }
    EXPECT_EQ(guard.n_doubtful(), 0);
}

INSTANTIATE_TEST_SUITE_P(All, FieldSets, testing::ValuesIn(kSets),
                         [](const auto& test) { return test.param.name; });

TEST(FieldData, RefusesThePoseOfTheFaceInAnotherOrder) {
    TOILE_REQUIRE_TEST_DATA(folder, "transfer/face-head");
    const TriangleMesh rest = read_mesh(folder / "face-reference.obj");
    const std::vector<std::filesystem::path> files = {folder / "face-02-cry.obj",
                                                      folder / "face-05-laugh-BADORDER.obj"};
    PoseGuard guard(std::make_unique<NumberedSource>(files), rest, {.sequence_name = "face"});
    std::vector<Vec3> pose(rest.positions.size());
    EXPECT_TRUE(guard.next(pose));
    try {
        guard.next(pose);
        FAIL() << "accepted";
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("frame 1"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("times as long"), std::string::npos) << e.what();
    }
}

// The wolf's eyes are in no pair: what they sit in must carry them.
TEST(FieldData, KeepsTheEyesOfTheWolfInItsHead) {
    TOILE_REQUIRE_TEST_DATA(folder, "transfer/wolf-eyes");
    const TriangleMesh wolf = read_mesh(folder / "reference.obj");
    const std::vector<int> component = vertex_components(wolf.triangles, wolf.n_vertices());
    std::vector<int> size(component.size(), 0);
    for (const int c : component) ++size[static_cast<size_t>(c)];
    const auto body = static_cast<int>(std::max_element(size.begin(), size.end()) - size.begin());
    TrianglePairs pairs{.n_source_triangles = wolf.n_triangles()};
    for (int t = 0; t < wolf.n_triangles(); ++t) {
        const auto corner = static_cast<size_t>(wolf.triangles[static_cast<size_t>(t)][0]);
        if (component[corner] == body) pairs.source_list.push_back(t);
        pairs.first_source.push_back(static_cast<int>(pairs.source_list.size()));
    }
    const DeformationTransfer transfer(wolf, wolf, pairs);
    double worst = 0;
    for (int i = 1; i <= 6; ++i) {
        const TriangleMesh pose = read_mesh(folder / ("pose_" + std::to_string(i) + ".obj"));
        const auto result = transfer.apply(pose.positions);
        worst = std::max(worst, test::largest_distance(result, pose.positions));
    }
    EXPECT_LT(worst, 0.01 * test::diagonal(wolf));
    RecordProperty("worst_percent", std::to_string(100 * worst / test::diagonal(wolf)));
}

}  // namespace
}  // namespace toile
