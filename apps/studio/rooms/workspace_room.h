// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/room.h"
#include "studio/server/services.h"

namespace toile::studio {

/// Folders, items, their meshes and frames: everything that is only looked at.
class WorkspaceRoom final : public Room {
  public:
    explicit WorkspaceRoom(Services services);

    [[nodiscard]] std::vector<RequestEntry> requests() override;

  private:
    Answer hello(const Request& request);
    Answer files(const Request& request);
    Answer open(const Request& request);
    Answer close(const Request& request);
    Answer mesh(const Request& request);
    Answer cancel_job(const Request& request);

    Services services_;
};

}  // namespace toile::studio
