// SPDX-License-Identifier: Apache-2.0
#include "toile/core/parallel.h"

#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace toile {
namespace {

double sum_of_sines(int n) {
    return parallel_reduce(
        n, 64, 0.0,
        [](int begin, int end) {
            double sum = 0;
            for (int i = begin; i < end; ++i) sum += std::sin(i) * 1e-3 * i;
            return sum;
        },
        [](double a, double b) { return a + b; });
}

TEST(Parallel, ReduceGivesTheSameBitsOnAnyNumberOfThreads) {
    double expected = 0;
    {
        const ThreadLimit one(1);
        expected = sum_of_sines(100000);
    }
    for (const int n_threads : {2, 3, 8}) {
        const ThreadLimit limit(n_threads);
        EXPECT_EQ(thread_count(), n_threads);
        for (int repeat = 0; repeat < 10; ++repeat) EXPECT_EQ(sum_of_sines(100000), expected);
    }
}

TEST(Parallel, ForTouchesEveryElementOnce) {
    for (const int n : {0, 1, 63, 64, 65, 1000}) {
        std::vector<int> count(static_cast<size_t>(n), 0);
        parallel_for(n, 64, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) ++count[static_cast<size_t>(i)];
        });
        EXPECT_EQ(std::accumulate(count.begin(), count.end(), 0), n);
    }
}

TEST(Parallel, CollectKeepsTheOrderOfTheElements) {
    const ThreadLimit limit(3);
    std::vector<int> odd;
    parallel_collect(
        1000, 10,
        [](int begin, int end, std::vector<int>& piece) {
            for (int i = begin; i < end; ++i) {
                if (i % 2) piece.push_back(i);
            }
        },
        odd);
    ASSERT_EQ(odd.size(), 500u);
    for (size_t i = 0; i < odd.size(); ++i) EXPECT_EQ(odd[i], static_cast<int>(2 * i + 1));
}

TEST(Parallel, AnExceptionOfABodyReachesTheCaller) {
    const ThreadLimit limit(2);
    const auto throwing = [](int begin, int) {
        if (begin >= 500) throw InvalidInput("No.");
    };
    EXPECT_THROW(parallel_for(1000, 10, throwing), InvalidInput);
}

}  // namespace
}  // namespace toile
