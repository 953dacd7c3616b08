// SPDX-License-Identifier: Apache-2.0
#include "toile/io/vertex_list.h"

#include "toile/core/error.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

TEST(VertexList, ReadsIndicesInAnyLayout) {
    const std::vector<char> expected = {1, 0, 1, 1, 0, 1};
    for (const char* text :
         {"0 2 3 5", "5\n3\r\n2\n0\n", "0,2, 3 ,5,,", "# some\n0 2 # two\n3 5", "0 0 2 2 3 5 5"}) {
        EXPECT_EQ(parse_vertex_list(text, "mask", 6), expected) << text;
    }
}

TEST(VertexList, RefusesWhatIsNoIndexWithItsLine) {
    for (const char* text : {"0\n1 x", "0\n6", "0\n-1", "0\n1.5", "0\n99999999999999999999"}) {
        try {
            parse_vertex_list(text, "mask.txt", 6);
            ADD_FAILURE() << text;
        } catch (const InvalidInput& e) {
            EXPECT_TRUE(std::string(e.what()).starts_with("mask.txt:2: ")) << e.what();
        }
    }
    for (const char* text : {"", "# none\n", ","}) {
        EXPECT_THROW(parse_vertex_list(text, "mask", 6), InvalidInput) << text;
    }
}

}  // namespace
}  // namespace toile
