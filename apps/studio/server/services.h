// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/downloads.h"
#include "studio/server/hub.h"
#include "studio/server/job_runner.h"
#include "studio/server/workspace.h"

namespace toile::studio {

/// What every room is made with. All of it may be used from any thread.
struct Services {
    Hub& hub;
    Workspace& workspace;
    JobRunner& jobs;
    Downloads& downloads;
};

}  // namespace toile::studio
