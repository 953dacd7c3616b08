// SPDX-License-Identifier: Apache-2.0
#include "toile/io/sequence_file.h"

#include "support/captured_log.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"
#include "toile/core/error.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/numbered.h"
#include "toile/io/pc2.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/sequence/frames_in_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <thread>

namespace toile {
namespace {

namespace fs = std::filesystem;

TriangleMesh cloth() {
    return make_rectangle({.width_divisions = 4, .length_divisions = 2});
}

FramesInMemory motion(int n_frames) {
    FramesInMemory frames;
    for (int k = 0; k < n_frames; ++k) {
        frames.frames.push_back(cloth().positions);
        for (Vec3& p : frames.frames.back()) p.y() += 0.25 * k;
    }
    return frames;
}

void write(const std::string& spec, const FramesInMemory& frames, MeshWriteOptions options = {}) {
    const TriangleMesh mesh = cloth();
    MemoryFrameSource source(frames);
    const auto sink = create_sequence(spec, mesh.n_vertices(), &mesh, options);
    copy_frames(source, *sink);
    sink->finish();
}

FramesInMemory read(const std::string& spec) {
    FramesInMemory frames;
    MemoryFrameSink sink(frames);
    copy_frames(*open_sequence(spec).frames, sink);
    return frames;
}

template <class Exception, class Body>
std::string error_of(const Body& body) {
    try {
        body();
    } catch (const Exception& e) {
        return e.what();
    }
    return "no error";
}

TEST(NaturalOrder, ComparesRunsOfDigitsAsNumbers) {
    std::vector<std::string> names = {"a10",
                                      "a9b2",
                                      "a9b10",
                                      "a1",
                                      "b0",
                                      "a",
                                      "a02",
                                      "a2",
                                      "a002",
                                      "a99999999999999999999999",
                                      "a100000000000000000000000"};
    std::sort(names.begin(), names.end(), natural_less);
    EXPECT_EQ(names, (std::vector<std::string>{"a", "a1", "a2", "a02", "a002", "a9b2", "a9b10",
                                               "a10", "a99999999999999999999999",
                                               "a100000000000000000000000", "b0"}));
}

TEST(NumberedPattern, KnowsStarsAndFormats) {
    EXPECT_FALSE(parse_numbered_pattern("mesh.obj"));
    EXPECT_FALSE(parse_numbered_pattern("100%.obj"));
    EXPECT_EQ(parse_numbered_pattern("f/mesh_*.obj")->file(7), "f/mesh_0007.obj");
    EXPECT_EQ(parse_numbered_pattern("f/m%dx.obj")->file(12), "f/m12x.obj");
    EXPECT_EQ(parse_numbered_pattern("m%03d.obj")->file(12345), "m12345.obj");
    EXPECT_TRUE(parse_numbered_pattern("m%03d.obj")->matches("m7.obj"));
    EXPECT_FALSE(parse_numbered_pattern("m%03d.obj")->matches("m.obj"));
    EXPECT_FALSE(parse_numbered_pattern("m%03d.obj")->matches("ma.obj"));
    EXPECT_TRUE(parse_numbered_pattern("m*.obj")->matches("ma.obj"));
    for (const char* bad : {"*_*.obj", "*/m.obj", "%d_%d.obj", "m%5d.obj", "m%099d.obj"}) {
        EXPECT_THROW(parse_numbered_pattern(bad), InvalidInput) << bad;
    }
}

TEST(SequenceFile, NumberedMeshesComeBackInNaturalOrder) {
    const test::TemporaryFolder folder;
    const std::string pattern = (folder / "m_%d.obj").string();
    write(pattern, motion(12));
    EXPECT_TRUE(fs::exists(folder / "m_10.obj"));
    EXPECT_EQ(read(pattern).frames, motion(12).frames);
    EXPECT_EQ(read((folder / "m_*.obj").string()).frames, motion(12).frames);
    EXPECT_EQ(read(folder.path().string()).frames, motion(12).frames);
    EXPECT_EQ(open_sequence(pattern).mesh->uvs, cloth().uvs);
    EXPECT_EQ(open_sequence(pattern).frames->n_frames(), 12);
}

TEST(SequenceFile, EqualNumbersAreToldAndBothPlayed) {
    const test::TemporaryFolder folder;
    const test::CapturedLog log;
    for (const char* name : {"m_1.obj", "m_01.obj", "m_2.obj"}) write_mesh(folder / name, cloth());
    EXPECT_EQ(read((folder / "m_*.obj").string()).frames.size(), 3u);
    EXPECT_EQ(
        log.warnings,
        std::vector<std::string>{
            "'m_1.obj' and 'm_01.obj' have the same number; both are frames, in this order."});
}

TEST(SequenceFile, AFrameOfOtherConnectivityIsNamed) {
    const test::TemporaryFolder folder;
    const std::string pattern = (folder / "m_%04d.obj").string();
    write(pattern, motion(3));
    TriangleMesh other = cloth();
    std::swap(other.triangles[1], other.triangles[2]);
    write_mesh(folder / "m_0001.obj", other, {.overwrite = true});
    EXPECT_TRUE(error_of<InvalidInput>([&] {
                    read(pattern);
                }).starts_with((folder / "m_0001.obj").string() + ": triangle 1 is"));
    write_mesh(folder / "m_0001.obj", make_rectangle({}), {.overwrite = true});
    EXPECT_TRUE(error_of<InvalidInput>([&] {
                    read(pattern);
                }).starts_with((folder / "m_0001.obj").string() + ": found 256 vertices"));
}

TEST(SequenceFile, APc2FileFindsItsMeshBesideItOrIsGivenOne) {
    const test::TemporaryFolder folder;
    const std::string spec = (folder / "cloth.pc2").string();
    write(spec, motion(4));
    EXPECT_FALSE(open_sequence(spec).mesh);
    write_mesh(folder / "rest.ply", cloth());
    EXPECT_EQ(open_sequence(spec, {.mesh = folder / "rest.ply"}).mesh->n_triangles(), 16);
    write_mesh(folder / "cloth.obj", cloth());
    EXPECT_EQ(open_sequence(spec).mesh->n_triangles(), 16);
    write_mesh(folder / "other.obj", make_rectangle({}));
    EXPECT_THROW(open_sequence(spec, {.mesh = folder / "other.obj"}), InvalidInput);
    EXPECT_EQ(read(spec).frames, motion(4).frames);
}

TEST(SequenceFile, ABodyOfARunIsNamedWithoutExtension) {
    const test::TemporaryFolder run;
    write((run / "cloth.pc2").string(), motion(2));
    write_mesh(run / "cloth.obj", cloth());
    EXPECT_EQ(read((run / "cloth").string()).frames.size(), 2u);
    EXPECT_EQ(read(run.path().string()).frames.size(), 2u);
    write((run / "ball.pc2").string(), motion(2));
    EXPECT_EQ(error_of<InvalidInput>([&] { read(run.path().string()); }),
              "'" + run.path().string() + "' has several bodies; say which: '" +
                  (run / "ball").string() + "', '" + (run / "cloth").string() + "'.");
}

TEST(SequenceFile, AMeshIsOneFrame) {
    const test::TemporaryFolder folder;
    const std::string spec = (folder / "one.ply").string();
    write(spec, motion(1));
    EXPECT_EQ(read(spec).frames, motion(1).frames);
    EXPECT_THROW(write((folder / "two.ply").string(), motion(2)), InvalidInput);
    EXPECT_THROW(write((folder / "none.ply").string(), motion(0)), InvalidInput);
    EXPECT_FALSE(fs::exists(folder / "two.ply"));
}

TEST(SequenceFile, AFolderIsFilledWithNumberedFrames) {
    const test::TemporaryFolder folder;
    write((folder / "new/").string(), motion(2));
    EXPECT_TRUE(fs::exists(folder / "new" / "frame_0001.obj"));
    EXPECT_EQ(read((folder / "new").string()).frames, motion(2).frames);
}

TEST(SequenceFile, NumberedFramesAppearTogetherOrNotAtAll) {
    const test::TemporaryFolder folder;
    const TriangleMesh mesh = cloth();
    const std::string pattern = (folder / "f_%d.obj").string();
    {
        const auto sink = create_sequence(pattern, mesh.n_vertices(), &mesh);
        sink->write(mesh.positions);
        sink->write(mesh.positions);
        EXPECT_FALSE(fs::exists(folder / "f_0.obj"));
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
    const auto sink = create_sequence(pattern, mesh.n_vertices(), &mesh);
    for (int k = 0; k < 3; ++k) sink->write(mesh.positions);
    write_mesh(folder / "f_2.obj", mesh);  // comes to stand in the way
    EXPECT_THROW(sink->finish(), IoError);
    EXPECT_FALSE(fs::exists(folder / "f_0.obj"));
    EXPECT_FALSE(fs::exists(folder / "f_1.obj"));
    fs::remove(folder / "f_2.obj");
    sink->finish();
    for (const char* name : {"f_0.obj", "f_1.obj", "f_2.obj"}) {
        EXPECT_EQ(read_mesh(folder / name).positions, mesh.positions) << name;
    }
}

TEST(SequenceFile, AKilledWriterLeavesNoNumberedFrameAndTouchesNoneBefore) {
    const test::TemporaryFolder folder;
    const std::string pattern = (folder / "f_%d.obj").string();
    write(pattern, motion(2));
    const std::vector<Vec3> before = read(pattern).frames[1];
    int told[2];
    ASSERT_EQ(::pipe(told), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const TriangleMesh mesh = cloth();
        const auto sink = create_sequence(pattern, mesh.n_vertices(), &mesh, {.overwrite = true});
        for (;;) {
            sink->write(mesh.positions);
            if (::write(told[1], "x", 1) != 1) ::_exit(1);
        }
    }
    char bytes[3];
    for (char& byte : bytes) ASSERT_EQ(::read(told[0], &byte, 1), 1);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (const int end : told) ::close(end);
    EXPECT_EQ(read(pattern).frames.size(), 2u);
    EXPECT_EQ(read(pattern).frames[1], before);
}

TEST(SequenceFile, NothingIsOverwrittenUnlessTold) {
    const test::TemporaryFolder folder;
    const test::CapturedLog log;
    for (const char* name : {"a.pc2", "m_%d.obj", "one.obj"}) {
        const std::string spec = (folder / name).string();
        write(spec, motion(1));
        EXPECT_THROW(write(spec, motion(1)), IoError) << name;
        write(spec, motion(1), {.overwrite = true});
    }
    write((folder / "m_%d.obj").string(), motion(3), {.overwrite = true});
    EXPECT_TRUE(log.warnings.empty());
    write((folder / "m_%d.obj").string(), motion(1), {.overwrite = true});
    ASSERT_EQ(log.warnings.size(), 1u);
    EXPECT_TRUE(log.warnings[0].starts_with("2 files of '"));
}

TEST(SequenceFile, WhatIsNoSequenceIsSaidWithTheChoices) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(open_sequence((folder / "none_*.obj").string()), IoError);
    EXPECT_THROW(open_sequence((folder / "none").string()), IoError);
    EXPECT_THROW(open_sequence(folder.path().string()), InvalidInput);
    write_file(folder / "notes.txt", "x");
    EXPECT_THROW(open_sequence((folder / "notes.txt").string()), InvalidInput);
    EXPECT_THROW(create_sequence((folder / "notes.txt").string(), 3, nullptr), InvalidInput);
    write_mesh(folder / "a_1.obj", cloth());
    write_mesh(folder / "b_1.obj", cloth());
    EXPECT_EQ(
        error_of<InvalidInput>([&] { open_sequence(folder.path().string()); }),
        "'" + folder.path().string() + "' has several series of numbered meshes; say which: '" +
            (folder / "a_*.obj").string() + "' (1), '" + (folder / "b_*.obj").string() + "' (1).");
}

TEST(SequenceFile, PlaysARealSequence) {
    TOILE_REQUIRE_TEST_DATA(gallop, "transfer/seq-horse-gallop");
    OpenedSequence opened = open_sequence((gallop / "frame_*.obj").string());
    FramesInMemory frames;
    MemoryFrameSink sink(frames);
    EXPECT_EQ(copy_frames(*opened.frames, sink), opened.frames->n_frames());
    EXPECT_EQ(opened.frames->n_vertices(), 8431);  // SOURCES.md of the data
}

TEST(NumberedFiles, AMissingNumberIsToldWithTheFrameThatTakesItsPlace) {
    const test::TemporaryFolder folder;
    for (const int number : {0, 1, 2, 4, 5}) {
        write_mesh(folder / fmt::format("s_{}.obj", number), cloth());
    }
    const test::CapturedLog log;
    open_sequence((folder / "s_%d.obj").string());
    ASSERT_EQ(log.warnings.size(), 1u);
    EXPECT_NE(log.warnings[0].find("number 3 is missing"), std::string::npos) << log.warnings[0];
    EXPECT_NE(log.warnings[0].find("frame 3 is 's_4.obj'"), std::string::npos) << log.warnings[0];
}

TEST(NumberedFiles, EveryTenthFrameIsASequence) {
    const test::TemporaryFolder folder;
    for (const int number : {10, 20, 30}) {
        write_mesh(folder / fmt::format("s_{}.obj", number), cloth());
    }
    const test::CapturedLog log;
    open_sequence((folder / "s_*.obj").string());
    EXPECT_TRUE(log.warnings.empty());
}

TEST(FileBytes, APipeWithoutAWriterIsEmptyAndADeviceIsRefused) {
    const test::TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe.obj").c_str(), 0600), 0);
    EXPECT_EQ(read_bytes(folder / "pipe.obj"), "");
    EXPECT_THROW(read_bytes("/dev/zero"), IoError);
}

TEST(FileBytes, APipeIsReadToItsEnd) {
    const test::TemporaryFolder folder;
    const fs::path path = folder / "pipe";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const int held = ::open(path.c_str(), O_RDWR);  // so that the reader finds a writer
    ASSERT_GE(held, 0);
    std::thread writer([&] {
        const int fd = ::open(path.c_str(), O_WRONLY);
        const std::string half(100'000, 'x');  // more than a pipe holds: then somebody reads
        EXPECT_EQ(::write(fd, half.data(), half.size()), 100'000);
        ::close(held);
        EXPECT_EQ(::write(fd, half.data(), half.size()), 100'000);
        ::close(fd);
    });
    EXPECT_EQ(read_bytes(path).size(), 200'000u);
    writer.join();
}

}  // namespace
}  // namespace toile
