// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/sequence/frame_operator.h"
#include "toile/transfer/deformation_transfer.h"

#include <memory>
#include <span>
#include <vector>

namespace toile {

/// Frames of the target for the frames of a source. Reads a few frames ahead and works on them side
/// by side; memory does not grow with their number.
class TransferOperator final : public FrameOperator {
  public:
    /// `transfer` must outlive it. Throws InvalidInput where the frames are not of its source.
    TransferOperator(std::unique_ptr<FrameSource> input, const DeformationTransfer& transfer);

    [[nodiscard]] int n_vertices() const override { return transfer_.n_target_vertices(); }
    bool next(std::span<Vec3> out_positions) override;

  private:
    struct Job {
        std::vector<Vec3> pose;
        std::vector<Vec3> result;
        DeformationTransfer::Workspace workspace;
    };
    void work();

    const DeformationTransfer& transfer_;
    std::vector<Job> jobs_;
    size_t n_ready_ = 0;
    size_t next_ = 0;
};

}  // namespace toile
