// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/triangle_pairs.h"

#include "toile/core/error.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

TriangleMesh strip(int n_triangles) {
    TriangleMesh mesh;
    for (int v = 0; v < n_triangles + 2; ++v) mesh.positions.emplace_back(v / 2, v % 2, 0);
    for (int t = 0; t < n_triangles; ++t) mesh.triangles.push_back({t, t + 1, t + 2});
    return mesh;
}

TrianglePairs some_pairs() {
    return {.n_source_triangles = 4, .first_source = {0, 2, 2, 3}, .source_list = {3, 1, 0}};
}

/// What reading says of `text`, for a source of 4 and a target of 3 triangles.
std::string complaint(const std::string& text) {
    try {
        (void)read_triangle_pairs(text, "p.pairs", strip(4), strip(3));
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return "";
}

TEST(TrianglePairs, IdentityPairsEveryTriangleWithItself) {
    const TrianglePairs pairs = identity_pairs(3);
    EXPECT_EQ(pairs.n_source_triangles, 3);
    ASSERT_EQ(pairs.n_target_triangles(), 3);
    for (int t = 0; t < 3; ++t) {
        ASSERT_EQ(pairs.sources_of(t).size(), 1U);
        EXPECT_EQ(pairs.sources_of(t)[0], t);
    }
}

TEST(TrianglePairs, WhatIsWrittenIsReadBack) {
    const TrianglePairs pairs = some_pairs();
    const std::string text = write_triangle_pairs(pairs, strip(4), strip(3));
    const TrianglePairs read = read_triangle_pairs(text, "p.pairs", strip(4), strip(3));
    EXPECT_EQ(read.n_source_triangles, 4);
    EXPECT_EQ(read.first_source, pairs.first_source);
    EXPECT_EQ(read.source_list, pairs.source_list);
}

TEST(TrianglePairs, CarriageReturnsDoNotMatter) {
    std::string text;
    for (const char c : write_triangle_pairs(some_pairs(), strip(4), strip(3))) {
        if (c == '\n') text += '\r';
        text += c;
    }
    EXPECT_EQ(read_triangle_pairs(text, "p", strip(4), strip(3)).source_list,
              some_pairs().source_list);
}

TEST(TrianglePairs, OtherMeshesAreRefused) {
    const std::string text = write_triangle_pairs(some_pairs(), strip(4), strip(3));
    EXPECT_THROW((void)read_triangle_pairs(text, "p", strip(5), strip(3)), InvalidInput);
    EXPECT_THROW((void)read_triangle_pairs(text, "p", strip(4), strip(4)), InvalidInput);
    TriangleMesh turned = strip(3);
    std::swap(turned.triangles[0], turned.triangles[1]);
    EXPECT_THROW((void)read_triangle_pairs(text, "p", strip(4), turned), InvalidInput);
    EXPECT_THROW((void)write_triangle_pairs(some_pairs(), strip(3), strip(3)), InvalidInput);
}

TEST(TrianglePairs, AnotherPoseOfTheMeshIsTaken) {
    const std::string text = write_triangle_pairs(some_pairs(), strip(4), strip(3));
    TriangleMesh moved = strip(3);
    for (Vec3& p : moved.positions) p *= 7;
    EXPECT_EQ(read_triangle_pairs(text, "p", strip(4), moved).source_list.size(), 3U);
}

TEST(TrianglePairs, TricorrsAreReadInAnyOrderAndNearestComesFirst) {
    const TrianglePairs read = read_triangle_pairs(
        "4\n1, 2, 0.5\n3, 0, 0.25\n0, 2, 0.125\n1, 2, 0.75\n", "p.tricorrs", strip(4), strip(3));
    EXPECT_EQ(read.first_source, (std::vector<int>{0, 1, 1, 3}));
    EXPECT_EQ(read.source_list, (std::vector<int>{3, 0, 1}));
}

TEST(TrianglePairs, BrokenFilesAreRefusedByLine) {
    EXPECT_NE(complaint("").find("empty"), std::string::npos);
    EXPECT_NE(complaint("hello\n").find("p.pairs:1"), std::string::npos);
    EXPECT_NE(complaint("2\n0, 0\n").find("promises 2 pairs, but holds 1"), std::string::npos);
    EXPECT_NE(complaint("1\n4, 0\n").find("p.pairs:2: a source triangle is 4"), std::string::npos);
    EXPECT_NE(complaint("1\n0, -1\n").find("target triangle is -1"), std::string::npos);
    EXPECT_NE(complaint("1\n0, x\n").find("'x'"), std::string::npos);
    EXPECT_NE(complaint("toile-pairs 2\n").find("version"), std::string::npos);
    const std::string whole = write_triangle_pairs(some_pairs(), strip(4), strip(3));
    EXPECT_NE(complaint(whole.substr(0, whole.size() - 4)).find("cut off"), std::string::npos);
    EXPECT_NE(complaint(whole + "2 1\n").find("comes after"), std::string::npos);
    EXPECT_NE(complaint(whole + "1\n").find("comes after"), std::string::npos);
}

TEST(TrianglePairs, NoCutOfAFileIsTakenForAWholeOne) {
    const std::string whole = write_triangle_pairs(some_pairs(), strip(4), strip(3));
    for (size_t n = 0; n + 1 < whole.size(); ++n) {
        EXPECT_NE(complaint(whole.substr(0, n)), "") << n;
    }
}

}  // namespace
}  // namespace toile
