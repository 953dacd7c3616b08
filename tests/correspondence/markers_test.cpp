// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/markers.h"

#include "support/captured_log.h"
#include "support/test_data.h"
#include "toile/core/error.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/mesh/shapes/rectangle.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

/// 36 and 64 vertices.
TriangleMesh source_mesh() {
    return make_rectangle({.width_divisions = 5, .length_divisions = 5});
}
TriangleMesh target_mesh() {
    return make_rectangle({.width_divisions = 7, .length_divisions = 7});
}

std::vector<Marker> read(std::string_view text, const MarkerReadOptions& options = {}) {
    return read_markers({text, "m.cons"}, source_mesh(), target_mesh(), options);
}

std::string complaint(std::string_view text, const MarkerReadOptions& options = {}) {
    try {
        (void)read(text, options);
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return "";
}

void expect_pairs(const std::vector<Marker>& markers,
                  const std::vector<std::pair<int, int>>& expected) {
    ASSERT_EQ(markers.size(), expected.size());
    for (size_t i = 0; i < markers.size(); ++i) {
        EXPECT_EQ(markers[i].source, expected[i].first);
        EXPECT_EQ(markers[i].target, expected[i].second);
    }
}

TEST(Markers, AreReadWithCountCommasTabsCommentsAndCarriageReturns) {
    expect_pairs(read("2\r\n3, 40\r\n5, 6\r\n"), {{3, 40}, {5, 6}});
    expect_pairs(read("3\t40\n\n5 : 6  # paw\n// none\n"), {{3, 40}, {5, 6}});
    expect_pairs(read("  3   40\r5 6"), {{3, 40}, {5, 6}});
}

TEST(Markers, KnowTheirLine) {
    const std::vector<Marker> markers = read("# head\n2\n3, 40\n\n5, 6\n");
    EXPECT_EQ(markers[0].line, 3);
    EXPECT_EQ(markers[1].line, 5);
}

TEST(Markers, MayCountFromOneAndNameTheTargetFirst) {
    expect_pairs(read("1 64\n36 1\n", {.first_index = 1}), {{0, 63}, {35, 0}});
    expect_pairs(read("40 3\n", {.swapped = true}), {{3, 40}});
}

TEST(Markers, OfPositionsAreTheNearestVertices) {
    const Vec3 s = source_mesh().positions[17];
    const Vec3 t = target_mesh().positions[20];
    const std::string text = std::to_string(s.x()) + " " + std::to_string(s.y()) + " " +
                             std::to_string(s.z()) + "  " + std::to_string(t.x()) + " " +
                             std::to_string(t.y()) + " " + std::to_string(t.z()) + "\n";
    test::CapturedLog log;
    expect_pairs(read(text), {{17, 20}});
    EXPECT_TRUE(log.warnings.empty());
    (void)read("9 9 9 9 9 9\n");
    ASSERT_EQ(log.warnings.size(), 2U);
    EXPECT_NE(log.warnings[0].find("m.cons:1"), std::string::npos);
}

TEST(Markers, AreReadFromAYamlList) {
    expect_pairs(read("source:\n  reference: a.obj\n  poses:\n    - a-1.obj\n\nmarkers:\n"
                      "  - \"3:40\"\n  # paw\n  - [5, 6]\n  - 7 8\nother: 3\n"),
                 {{3, 40}, {5, 6}, {7, 8}});
    expect_pairs(read("markers:\n- 3:40\n"), {{3, 40}});
    EXPECT_NE(complaint("markers:\n  - \"3\"\n").find("m.cons:2"), std::string::npos);
    EXPECT_NE(complaint("markers:\n").find("no markers"), std::string::npos);
}

TEST(Markers, AreReadFromTwoLists) {
    expect_pairs(
        read_marker_lists({"3 5\r\n7\r\n", "s"}, {"40\n6 8\n", "t"}, source_mesh(), target_mesh()),
        {{3, 40}, {5, 6}, {7, 8}});
    EXPECT_THROW((void)read_marker_lists({"3 5", "s"}, {"4", "t"}, source_mesh(), target_mesh()),
                 InvalidInput);
    EXPECT_THROW((void)read_marker_lists({"3 99", "s"}, {"4 5", "t"}, source_mesh(), target_mesh()),
                 InvalidInput);
}

TEST(Markers, OutOfRangeAreRefusedWithAGuess) {
    EXPECT_NE(complaint("3 40\n36 5\n").find("m.cons:2: source vertex 36"), std::string::npos);
    EXPECT_NE(complaint("36 5\n").find("count from 1"), std::string::npos);
    EXPECT_NE(complaint("0 5\n", {.first_index = 1}).find("count from 0"), std::string::npos);
    EXPECT_NE(complaint("50 5\n").find("target first"), std::string::npos);
    EXPECT_NE(complaint("-1 5\n").find("source vertex -1"), std::string::npos);
    EXPECT_NE(complaint("1 500000000000\n").find("target vertex"), std::string::npos);
}

TEST(Markers, BrokenFilesAreRefusedByLine) {
    EXPECT_NE(complaint("").find("no markers"), std::string::npos);
    EXPECT_NE(complaint("3 40\nleft ear\n").find("m.cons:2"), std::string::npos);
    EXPECT_NE(complaint("3 40 5\n").find("found 3"), std::string::npos);
    EXPECT_NE(complaint("3\n4\n").find("both files"), std::string::npos);
    EXPECT_NE(complaint("3\n3 40\n5 6\n").find("promises 3"), std::string::npos);
    EXPECT_NE(complaint("3 nan\n").find("'nan'"), std::string::npos);
    EXPECT_NE(complaint("3.5 4\n").find("vertex number"), std::string::npos);
}

TEST(Markers, ThatRepeatAreLeftOutWithAWarning) {
    test::CapturedLog log;
    const auto kept = require_holdable({{3, 40, 1}, {3, 40, 2}}, source_mesh(), target_mesh());
    EXPECT_EQ(kept.size(), 1U);
    ASSERT_EQ(log.warnings.size(), 1U);
    EXPECT_NE(log.warnings[0].find("line 2"), std::string::npos);
}

TEST(Markers, ThatPutOneSourceVertexAtTwoPlacesAreRefused) {
    try {
        (void)require_holdable({{3, 40, 1}, {3, 41, 2}}, source_mesh(), target_mesh());
        FAIL();
    } catch (const InvalidInput& e) {
        EXPECT_NE(std::string(e.what()).find("(line 1)"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("(line 2)"), std::string::npos);
    }
}

TEST(Markers, AtTwoTargetVerticesOfOnePlaceHold) {
    TriangleMesh target = target_mesh();
    target.positions[41] = target.positions[40];  // a seam
    test::CapturedLog log;
    EXPECT_EQ(require_holdable({{3, 40, 1}, {3, 41, 2}}, source_mesh(), target).size(), 1U);
    EXPECT_EQ(log.warnings.size(), 1U);
}

TEST(Markers, OfTwoSourceVerticesAtOneTargetAreWarnedOf) {
    test::CapturedLog log;
    EXPECT_EQ(require_holdable({{3, 40, 1}, {4, 40, 2}}, source_mesh(), target_mesh()).size(), 2U);
    EXPECT_EQ(log.warnings.size(), 1U);
}

TEST(Markers, OnVerticesOfNoTriangleAreLeftOutWithAWarning) {
    TriangleMesh source = source_mesh();
    source.positions.emplace_back(9, 9, 9);
    test::CapturedLog log;
    EXPECT_TRUE(require_holdable({{36, 4, 1}}, source, target_mesh()).empty());
    EXPECT_EQ(log.warnings.size(), 1U);
}

TEST(Markers, OfTheFieldsFilesAreRead) {
    TOILE_REQUIRE_TEST_DATA(folder, "transfer");
    const auto count = [&](const char* file, const TriangleMesh& s, const TriangleMesh& t) {
        return read_markers({read_bytes(folder / file), file}, s, t).size();
    };
    const TriangleMesh horse = read_mesh(folder / "horse-camel/horse-reference.obj");
    const TriangleMesh camel = read_mesh(folder / "horse-camel/camel-reference.obj");
    EXPECT_EQ(count("horse-camel/markers-golevka-107.cons", horse, camel), 107U);
    EXPECT_EQ(count("horse-camel/markers-kyle.corr", horse, camel), 17U);
    EXPECT_GT(count("horse-camel/markers-mickare.yml", horse, camel), 20U);
    EXPECT_EQ(count("horse-camel/markers-yeduk3.txt", horse, camel), 124U);
    const TriangleMesh cat = read_mesh(folder / "cat-lion/cat-reference.obj");
    const TriangleMesh lion = read_mesh(folder / "cat-lion/lion-reference.obj");
    EXPECT_EQ(count("cat-lion/markers-yeduk3.txt", cat, lion), 55U);
    EXPECT_GT(count("cat-lion/pyfm-landmarks.txt", cat, lion), 5U);
    const std::string cats = read_bytes(folder / "cat-lion/markers-lzero-cat.txt");
    const std::string lions = read_bytes(folder / "cat-lion/markers-lzero-lion.txt");
    EXPECT_EQ(read_marker_lists({cats, "cat"}, {lions, "lion"}, cat, lion).size(), 55U);
}

}  // namespace
}  // namespace toile
