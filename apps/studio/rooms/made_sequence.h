// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/job_runner.h"
#include "studio/server/workspace.h"
#include "toile/sequence/frame_stream.h"

#include <string>

namespace toile::studio {

/// What a job makes of frames.
struct MadeSequence {
    std::string stem;     ///< of its name: "horse"
    std::string made_by;  ///< "transfer", "edit"
    double frame_rate = kDefaultFrameRate;
};

/// Writes all frames into the workspace's scratch folder, as a point cache with its mesh beside it,
/// with progress, and adds the item. Throws Interrupted where the job was cancelled; then nothing
/// is left.
Item make_sequence(FrameSource& frames, const TriangleMesh& mesh, const MadeSequence& made,
                   const JobContext& context, Workspace& workspace);

}  // namespace toile::studio
