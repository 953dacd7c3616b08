// SPDX-License-Identifier: Apache-2.0
// What goes wrong for users of transfers elsewhere, through the program: see
// docs/what-goes-wrong.md.
#include "support/program.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"
#include "toile/mesh/shapes/cylinder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <random>

namespace toile {
namespace {

namespace fs = std::filesystem;

class RobustTransfer : public testing::Test {
  protected:
    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }
    void write(const std::string& name, const TriangleMesh& mesh) const {
        write_mesh(path(name), mesh, {.overwrite = true});
    }
    test::ProgramResult transfer(const std::string& poses, const std::string& target,
                                 const std::string& output,
                                 const std::string& pairs = "identity") const {
        return test::run_toile({"transfer", "--source-rest", path("rest.obj"), "--source",
                                path(poses), "--target", path(target), "--pairs", pairs, "-o",
                                path(output)});
    }
    [[nodiscard]] int n_files_like(const std::string& part) const {
        int n = 0;
        for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
            n += entry.path().string().find(part) != std::string::npos;
        }
        return n;
    }

    test::TemporaryFolder folder_;
};

TriangleMesh column() {
    return make_cylinder({.segments = 16, .height_divisions = 12});
}

TriangleMesh leaning(TriangleMesh mesh, double amount) {
    for (Vec3& p : mesh.positions) p.x() += amount * p.y() * p.y();
    return mesh;
}

TEST_F(RobustTransfer, ABadPoseMidwayLeavesNoNumberedFrame) {
    TriangleMesh fine = make_cylinder({.segments = 48, .height_divisions = 40});
    write("rest.obj", fine);
    for (const int k : {0, 1, 2})
        write("pose_" + std::to_string(k) + ".obj", leaning(fine, 0.1 * k));
    std::mt19937 random(4);
    std::shuffle(fine.positions.begin(), fine.positions.end(), random);
    write("pose_3.obj", fine);
    const test::ProgramResult result = transfer("pose_*.obj", "rest.obj", "out_%d.obj");
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.errors.find("frame 3"), std::string::npos) << result.errors;
    EXPECT_EQ(n_files_like("out_"), 0);
}

TEST_F(RobustTransfer, UnitsOfTheSourceDoNotMatter) {
    const TriangleMesh rest = column();
    write("target.obj", rest);
    for (const double unit : {1e-3, 1.0, 1e3}) {
        TriangleMesh source = rest, pose = leaning(rest, 0.3);
        for (TriangleMesh* mesh : {&source, &pose}) {
            for (Vec3& p : mesh->positions) p = unit * (p + Vec3(0, 2, 0));
        }
        write("rest.obj", source);
        write("pose.obj", pose);
        const std::string output = "out" + std::to_string(unit) + ".obj";
        const test::ProgramResult result = transfer("pose.obj", "target.obj", output);
        ASSERT_EQ(result.exit_code, 0) << result.errors;
        const TriangleMesh expected = leaning(rest, 0.3), found = read_mesh(path(output));
        for (size_t v = 0; v < found.positions.size(); ++v) {
            EXPECT_LT((found.positions[v] - expected.positions[v]).norm(), 1e-9) << unit;
        }
    }
}

TEST_F(RobustTransfer, OfSpoiltMeshesIsFiniteAndSaidToBeSo) {
    const TriangleMesh sound = column();
    const std::vector<std::pair<std::string, std::function<void(TriangleMesh&)>>> spoils = {
        {"no area", [](TriangleMesh& m) { m.positions[20] = m.positions[21]; }},
        {"vertex twice", [](TriangleMesh& m) { m.triangles[7][1] = m.triangles[7][0]; }},
        {"lone vertex", [](TriangleMesh& m) { m.positions.emplace_back(0.3, 0.2, 9); }},
        {"second component", [](TriangleMesh& m) {
             const int v = m.n_vertices();
             for (const double x : {0.0, 0.1, 0.2}) m.positions.emplace_back(x, 0.5, x * x);
             m.triangles.push_back({v, v + 1, v + 2});
         }}};
    for (const auto& [name, spoil] : spoils) {
        TriangleMesh mesh = sound;
        spoil(mesh);
        write("rest.obj", mesh);
        write("pose.obj", leaning(mesh, 0.3));
        fs::remove(path("out.obj"));
        const test::ProgramResult result = transfer("pose.obj", "rest.obj", "out.obj");
        ASSERT_EQ(result.exit_code, 0) << name << result.errors;
        const TriangleMesh found = read_mesh(path("out.obj"));  // refuses what is not finite
        ASSERT_EQ(found.n_vertices(), mesh.n_vertices()) << name;
        for (int v = 0; v < sound.n_vertices(); ++v) {
            const auto i = static_cast<size_t>(v);
            EXPECT_LT((found.positions[i] - leaning(mesh, 0.3).positions[i]).norm(), 1e-8) << name;
        }
        const bool whole = name == "second component";
        EXPECT_EQ(result.errors.empty(), whole) << name << result.errors;
    }
}

TEST_F(RobustTransfer, RefusesTheFieldsGallopWhoseConnectivityChanges) {
    TOILE_REQUIRE_TEST_DATA(gallop, "transfer/camel-gallop-5k");
    const std::string first = (gallop / "camel-gallop-01.off").string();
    const test::ProgramResult result = test::run_toile(
        {"transfer", "--source-rest", first, "--source", (gallop / "camel-gallop-*.off").string(),
         "--target", first, "--pairs", "identity", "-o", path("out_%d.obj")});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.errors.find("camel-gallop-02.off"), std::string::npos) << result.errors;
    EXPECT_EQ(n_files_like("out_"), 0);
}

/// Peak memory of the program, of no other program run before; KB.
long peak_memory(const std::vector<std::string>& arguments) {
    int result[2];
    if (::pipe(result) != 0) return -1;
    const pid_t child = ::fork();
    if (child == 0) {
        long peak = -1;
        if (test::run_toile(arguments).exit_code == 0) {
            rusage usage{};
            ::getrusage(RUSAGE_CHILDREN, &usage);
            peak = usage.ru_maxrss;
        }
        ::_exit(::write(result[1], &peak, sizeof peak) == sizeof peak ? 0 : 1);
    }
    long peak = -1;
    if (::read(result[0], &peak, sizeof peak) != sizeof peak) peak = -1;
    ::waitpid(child, nullptr, 0);
    for (const int end : result) ::close(end);
    return peak;
}

TEST_F(RobustTransfer, MemoryDoesNotGrowWithTheNumberOfFrames) {
    const TriangleMesh mesh = make_cylinder({.segments = 100, .height_divisions = 100});
    write("rest.obj", mesh);
    std::vector<long> peaks;
    for (const int n_frames : {10, 100}) {
        const std::string name = std::to_string(n_frames) + ".pc2";
        const auto sink = create_sequence(path(name), mesh.n_vertices(), &mesh);
        for (int k = 0; k < n_frames; ++k) sink->write(leaning(mesh, 1e-3 * k).positions);
        sink->finish();
        peaks.push_back(peak_memory({"transfer", "--source-rest", path("rest.obj"), "--source",
                                     path(name), "--target", path("rest.obj"), "--pairs",
                                     "identity", "--threads", "1", "-o", path("out" + name)}));
    }
    ASSERT_GT(peaks[0], 0);
    ASSERT_GT(peaks[1], 0);
    // The 90 frames alone would take 22 MB, and their results as much.
    EXPECT_LT(peaks[1], peaks[0] + 8 * 1024);
}

}  // namespace
}  // namespace toile
