// SPDX-License-Identifier: Apache-2.0
#include "toile/core/near_miss.h"

#include <gtest/gtest.h>

#include <vector>

namespace toile {
namespace {

TEST(NearMiss, CountsInsertionsDeletionsChangesAndSwaps) {
    EXPECT_EQ(edit_distance("", "abc"), 3);
    EXPECT_EQ(edit_distance("stretch", "stretch"), 0);
    EXPECT_EQ(edit_distance("strech", "stretch"), 1);
    EXPECT_EQ(edit_distance("sterch", "strech"), 1);
}

TEST(NearMiss, SuggestsTheNearestWordOnlyWhereOneIsNear) {
    const std::vector<std::string> words = {"gravity", "density", "thickness"};
    EXPECT_EQ(did_you_mean("gravty", words), " Did you mean 'gravity'?");
    EXPECT_EQ(did_you_mean("velocity", words), "");
}

}  // namespace
}  // namespace toile
