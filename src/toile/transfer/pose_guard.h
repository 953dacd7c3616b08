// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/deformation/pose_check.h"
#include "toile/mesh/triangle_mesh.h"
#include "toile/sequence/frame_operator.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace toile {

struct PoseGuardOptions {
    bool allow_bad_poses = false;    ///< tell the log, and pass them on
    std::string sequence_name = {};  ///< for messages
};

/// Passes frames on that belong to their rest mesh (check_pose). Throws InvalidInput, naming the
/// frame and its longest edges, at one that does not or that holds a coordinate that is not finite;
/// tells the log of doubtful ones.
class PoseGuard final : public FrameOperator {
  public:
    PoseGuard(std::unique_ptr<FrameSource> input, const TriangleMesh& rest,
              PoseGuardOptions options = {});

    bool next(std::span<Vec3> out_positions) override;

    [[nodiscard]] int n_bad() const { return n_bad_; }
    [[nodiscard]] int n_doubtful() const { return n_doubtful_; }

  private:
    void judge(const PoseCheck& check);

    std::vector<Vec3> rest_;
    std::vector<Edge> edges_;
    PoseGuardOptions options_;
    int frame_ = 0;
    int n_bad_ = 0;
    int n_doubtful_ = 0;
};

}  // namespace toile
