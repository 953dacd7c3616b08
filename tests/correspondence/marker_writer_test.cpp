// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/marker_writer.h"

#include "toile/mesh/shapes/sphere.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

TEST(MarkerWriter, IsReadBackAsItWas) {
    const TriangleMesh mesh = make_sphere({.subdivisions = 2});
    const std::vector<Marker> markers = {{.source = 3, .target = 161}, {.source = 0, .target = 7}};
    const std::string text = write_markers(markers);
    EXPECT_EQ(text, "2\n3, 161\n0, 7\n");
    const std::vector<Marker> read = read_markers({text, "a.cons"}, mesh, mesh);
    ASSERT_EQ(read.size(), 2u);
    for (size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(read[k].source, markers[k].source);
        EXPECT_EQ(read[k].target, markers[k].target);
    }
}

TEST(MarkerWriter, WritesNoneAsTheirNumber) {
    EXPECT_EQ(write_markers({}), "0\n");
}

}  // namespace
}  // namespace toile
