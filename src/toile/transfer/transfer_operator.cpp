// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/transfer_operator.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

constexpr int kMostJobs = 8;
/// Vertices of source and target together that the frames at work may have: some 100 MB.
constexpr int kVerticesAtWork = 400'000;

}  // namespace

TransferOperator::TransferOperator(std::unique_ptr<FrameSource> frames,
                                   const DeformationTransfer& transfer)
    : FrameOperator(std::move(frames)), transfer_(transfer) {
    if (input().n_vertices() != transfer_.n_source_vertices()) {
        throw InvalidInput(fmt::format("The frames have {} vertices; the source at rest has {}.",
                                       input().n_vertices(), transfer_.n_source_vertices()));
    }
    const int size = transfer_.n_source_vertices() + transfer_.n_target_vertices();
    const int n_jobs = std::clamp(kVerticesAtWork / std::max(size, 1), 1, kMostJobs);
    jobs_.resize(static_cast<size_t>(n_jobs));
}

void TransferOperator::work() {
    next_ = 0;
    for (n_ready_ = 0; n_ready_ < jobs_.size(); ++n_ready_) {
        Job& job = jobs_[n_ready_];
        job.pose.resize(static_cast<size_t>(transfer_.n_source_vertices()));
        if (!input().next(job.pose)) break;
    }
    parallel_for(static_cast<int>(n_ready_), 1, [&](int begin, int end) {
        for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
            jobs_[i].result.resize(static_cast<size_t>(transfer_.n_target_vertices()));
            transfer_.apply(jobs_[i].pose, jobs_[i].result, jobs_[i].workspace);
        }
    });
}

bool TransferOperator::next(std::span<Vec3> out_positions) {
    if (next_ == n_ready_) work();
    if (next_ == n_ready_) return false;
    std::copy(jobs_[next_].result.begin(), jobs_[next_].result.end(), out_positions.begin());
    ++next_;
    return true;
}

}  // namespace toile
