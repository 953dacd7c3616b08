// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

namespace fs = std::filesystem;

class Move : public testing::Test {
  protected:
    Move() { write_mesh(path("cloth.obj"), cloth_); }

    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }

    test::ProgramResult move(const std::string& input, const std::string& output,
                             std::vector<std::string> more) const {
        std::vector<std::string> arguments = {"move", path(input), "-o", path(output)};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::run_toile(arguments);
    }

    test::TemporaryFolder folder_;
    TriangleMesh cloth_ = make_rectangle({.width_divisions = 4, .length_divisions = 2});
};

TEST_F(Move, KeepsAllOfAMeshButItsPlace) {
    const test::ProgramResult result =
        move("cloth.obj", "moved.obj",
             {"--translate", "-1,0,0", "--rotate", "y,90", "--scale", "2", "--translate", "0,5,0"});
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const TriangleMesh moved = read_mesh(path("moved.obj"));
    EXPECT_EQ(moved.triangles, cloth_.triangles);
    EXPECT_EQ(moved.uvs, cloth_.uvs);
    EXPECT_EQ(moved.uv_triangles, cloth_.uv_triangles);
    ASSERT_EQ(moved.n_vertices(), cloth_.n_vertices());
    for (size_t v = 0; v < cloth_.positions.size(); ++v) {
        const Vec3 p = cloth_.positions[v] - Vec3(1, 0, 0);
        const Vec3 expected(2 * p.z(), 2 * p.y() + 5, -2 * p.x());
        EXPECT_LE((moved.positions[v] - expected).norm(), 1e-14);
    }
}

TEST_F(Move, TheOrderOfTheOptionsCounts) {
    ASSERT_EQ(move("cloth.obj", "a.obj", {"--translate", "1,0,0", "--scale", "3"}).exit_code, 0);
    ASSERT_EQ(move("cloth.obj", "b.obj", {"--scale", "3", "--translate", "1,0,0"}).exit_code, 0);
    const Vec3 apart =
        read_mesh(path("a.obj")).positions[0] - read_mesh(path("b.obj")).positions[0];
    EXPECT_LE((apart - Vec3(2, 0, 0)).norm(), 1e-14);
}

TEST_F(Move, MovesEveryFrameAndTheMeshBesideIt) {
    ASSERT_EQ(test::run_toile({"convert", path("cloth.obj"), "-o", path("one.pc2")}).exit_code, 0);
    ASSERT_EQ(move("one.pc2", "up.mdd", {"--about", "0,1,0", "--scale", "2"}).exit_code, 0);
    const OpenedSequence opened = open_sequence(path("up.mdd"));
    ASSERT_TRUE(opened.mesh);
    std::vector<Vec3> positions(cloth_.positions.size());
    ASSERT_TRUE(opened.frames->next(positions));
    for (size_t v = 0; v < positions.size(); ++v) {
        EXPECT_LE((positions[v] - opened.mesh->positions[v]).norm(), 1e-6);
        EXPECT_EQ(opened.mesh->positions[v], Vec3(2 * cloth_.positions[v] - Vec3(0, 1, 0)));
    }
    EXPECT_FALSE(opened.frames->next(positions));
}

TEST_F(Move, RefusesWhatIsNoMovement) {
    EXPECT_EQ(move("cloth.obj", "a.obj", {}).exit_code, 2);
    const test::ProgramResult bad = move("cloth.obj", "a.obj", {"--rotate", "w,90"});
    EXPECT_EQ(bad.exit_code, 3);
    EXPECT_EQ(bad.errors,
              "toile: Expected a rotation as AXIS,DEGREES with the axis x, y, z or three numbers, "
              "found 'w,90'.\n");
    EXPECT_EQ(move("missing.obj", "a.obj", {"--scale", "2"}).exit_code, 4);
    EXPECT_EQ(move("cloth.obj", "cloth.obj", {"--scale", "2"}).exit_code, 4);
    EXPECT_FALSE(fs::exists(path("a.obj")));
    EXPECT_EQ(read_mesh(path("cloth.obj")).positions, cloth_.positions);
    EXPECT_EQ(move("cloth.obj", "cloth.obj", {"--scale", "2", "--force"}).exit_code, 0);
}

}  // namespace
}  // namespace toile
