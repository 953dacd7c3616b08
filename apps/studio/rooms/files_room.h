// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/room.h"
#include "studio/server/services.h"

namespace toile::studio {

/// Folders, and opening, closing and saving of items: what waits for the disk.
class FilesRoom final : public Room {
  public:
    explicit FilesRoom(Services services);

    [[nodiscard]] std::vector<RequestEntry> requests() override;

  private:
    Answer files(const Request& request);
    Answer open(const Request& request);
    Answer close(const Request& request);
    Answer save(const Request& request);

    Services services_;
};

}  // namespace toile::studio
