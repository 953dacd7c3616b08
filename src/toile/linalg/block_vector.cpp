// SPDX-License-Identifier: Apache-2.0
#include "toile/linalg/block_vector.h"

#include "toile/core/parallel.h"

namespace toile {
namespace {

constexpr int kGrain = 8192;

}  // namespace

double dot(std::span<const Vec3> a, std::span<const Vec3> b, DotScratch& scratch) {
    const int n = static_cast<int>(a.size());
    scratch.assign(static_cast<size_t>(detail::chunk_count(n, kGrain)), 0.0);
    parallel_for(n, kGrain, [&](int begin, int end) {
        double sum = 0;
        for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
            sum += a[v].dot(b[v]);
        }
        scratch[static_cast<size_t>(begin / kGrain)] = sum;
    });
    double total = 0;
    for (const double part : scratch) total += part;
    return total;
}

void add_scaled(double factor, std::span<const Vec3> x, std::span<Vec3> inout_y) {
    parallel_for(static_cast<int>(x.size()), kGrain, [&](int begin, int end) {
        for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
            inout_y[v] += factor * x[v];
        }
    });
}

void scale_and_add(std::span<const Vec3> x, double factor, std::span<Vec3> inout_y) {
    parallel_for(static_cast<int>(x.size()), kGrain, [&](int begin, int end) {
        for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
            inout_y[v] = x[v] + factor * inout_y[v];
        }
    });
}

void set_zero(std::span<Vec3> out_x) {
    for (Vec3& value : out_x) value.setZero();
}

}  // namespace toile
