// SPDX-License-Identifier: Apache-2.0
#include "toile/core/large_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace toile {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;

struct Free {
    void operator()(void* block) const { std::free(block); }
};
using Block = std::unique_ptr<void, Free>;

TEST(LargePages, HoldEveryByteOfBlocksOfAnySize) {
    for (const std::size_t n :
         {std::size_t{1}, kPage - 1, 2 * kPage - 1, 2 * kPage, 5 * kPage + 3}) {
        const Block block(allocate_on_large_pages(n));
        ASSERT_TRUE(block) << n;
        std::memset(block.get(), 7, n);
        EXPECT_EQ(static_cast<const char*>(block.get())[n - 1], 7);
    }
}

#ifdef __linux__
TEST(LargePages, AreWhereALargeBlockBegins) {
    for (const std::size_t n : {2 * kPage, 3 * kPage + 1}) {
        const Block block(allocate_on_large_pages(n));
        ASSERT_TRUE(block);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.get()) % kPage, 0u) << n;
    }
}
#endif

TEST(LargePages, OfMoreThanThereIsAreNull) {
    for (const std::size_t n : {SIZE_MAX, SIZE_MAX - kPage, SIZE_MAX - kPage + 1, SIZE_MAX / 2}) {
        EXPECT_EQ(allocate_on_large_pages(n), nullptr) << n;
    }
}

}  // namespace
}  // namespace toile
