// SPDX-License-Identifier: Apache-2.0
#include "toile/io/pvd.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/io/atomic_file.h"
#include "toile/io/binary.h"
#include "toile/io/file_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace toile {
namespace {

namespace fs = std::filesystem;

const std::vector<Vec3> kPositions = {{0, 0, 0}, {1.0 / 3, 0, 0}, {0, -1, 1e-9}};
const std::vector<Triangle> kTriangles = {{0, 1, 2}};

VtpSurface surface() {
    return {.positions = kPositions, .triangles = kTriangles};
}

// The values of an array, found by its name and offset as a VTK reader does.
template <class Stored>
std::vector<Stored> read_array(const std::string& vtp, const std::string& name) {
    const size_t tag = vtp.find("Name=\"" + name + "\"");
    if (tag == std::string::npos) return {};
    const size_t offset = vtp.find("offset=\"", tag) + 8;
    const size_t begin = vtp.find("encoding=\"raw\">\n_") + 17;
    const char* at = vtp.data() + begin + std::stoul(vtp.substr(offset));
    const auto n_bytes = load_value<std::uint64_t>(at, std::endian::little);
    at += sizeof(std::uint64_t);
    std::vector<Stored> values;
    for (size_t i = 0; i < n_bytes / sizeof(Stored); ++i) {
        values.push_back(load_value<Stored>(at + i * sizeof(Stored), std::endian::little));
    }
    return values;
}

TEST(Vtp, HoldsPositionsTrianglesAndArraysAtTheirOffsets) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> gap = {0.5, nan, 2}, strain = {0.25};
    VtpSurface with_arrays = surface();
    with_arrays.of_vertices = {{"gap", gap}};
    with_arrays.of_triangles = {{"strain", strain}};
    const std::string vtp = format_vtp(with_arrays, "a.vtp");
    EXPECT_EQ(read_array<double>(vtp, "Points"),
              (std::vector<double>{0, 0, 0, 1.0 / 3, 0, 0, 0, -1, 1e-9}));
    EXPECT_EQ(read_array<std::int64_t>(vtp, "connectivity"), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(read_array<std::int64_t>(vtp, "offsets"), std::vector<std::int64_t>{3});
    EXPECT_EQ(read_array<float>(vtp, "strain"), std::vector<float>{0.25f});
    const std::vector<float> gaps = read_array<float>(vtp, "gap");
    ASSERT_EQ(gaps.size(), 3u);
    EXPECT_EQ(gaps[0], 0.5f);
    EXPECT_TRUE(std::isnan(gaps[1]));
    EXPECT_NE(vtp.find("NumberOfPoints=\"3\""), std::string::npos);
    EXPECT_NE(vtp.find("NumberOfPolys=\"1\""), std::string::npos);
    EXPECT_TRUE(vtp.ends_with("</AppendedData>\n</VTKFile>\n"));
}

TEST(Vtp, ArraysOfAnotherLengthAreRefused) {
    const std::vector<double> two = {1, 2};
    VtpSurface bad = surface();
    bad.of_vertices = {{"gap", two}};
    EXPECT_THROW(format_vtp(bad, "a.vtp"), InvalidInput);
    bad = surface();
    bad.of_triangles = {{"strain", two}};
    EXPECT_THROW(format_vtp(bad, "a.vtp"), InvalidInput);
}

TEST(Pvd, ListsEveryBodyOfEveryFrameWithItsTime) {
    const test::TemporaryFolder folder;
    PvdWriter writer(folder / "run.pvd", {.frame_rate = 25});
    for (int k = 0; k < 3; ++k) {
        writer.write(k, "towel", surface());
        writer.write(k, "a&b", surface());
    }
    EXPECT_FALSE(fs::exists(folder / "run.pvd"));
    EXPECT_FALSE(fs::exists(folder / "run"));
    writer.finish();
    const std::string text = read_bytes(folder / "run.pvd");
    EXPECT_NE(text.find("<DataSet timestep=\"0.04\" part=\"0\" name=\"towel\" "
                        "file=\"run/towel_0001.vtp\"/>\n"
                        "<DataSet timestep=\"0.04\" part=\"1\" name=\"a&amp;b\" "
                        "file=\"run/a&amp;b_0001.vtp\"/>"),
              std::string::npos)
        << text;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "run"), {}), 6);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2);
}

TEST(Pvd, NothingIsLeftOfOneThatWasNotFinished) {
    const test::TemporaryFolder folder;
    {
        PvdWriter writer(folder / "run.pvd");
        writer.write(0, "towel", surface());
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
    EXPECT_THROW(PvdWriter(folder / "run.pvd", {.frame_rate = 0}), InvalidInput);
    EXPECT_THROW(PvdWriter(folder / "missing" / "run.pvd"), IoError);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Pvd, ReplacesOnlyByForceAndOnlyFramesOfItsOwnKind) {
    const test::TemporaryFolder folder;
    const auto write = [&](int n_frames, bool overwrite) {
        PvdSink sink(folder / "a.pvd", kTriangles, {.overwrite = overwrite});
        for (int k = 0; k < n_frames; ++k) sink.write(kPositions);
        sink.finish();
    };
    write(3, false);
    EXPECT_THROW(write(2, false), IoError);
    write(2, true);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "a"), {}), 2);
    write_file(folder / "a" / "thesis.tex", "years of work");
    EXPECT_THROW(write(1, true), IoError);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "a"), {}), 3);
    EXPECT_TRUE(fs::exists(folder / "a.pvd"));
}

}  // namespace
}  // namespace toile
