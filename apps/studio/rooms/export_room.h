// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/rooms/picture_export.h"
#include "studio/server/room.h"
#include "studio/server/services.h"

#include <functional>
#include <string>

namespace toile::studio {

/// Makes files of an item for somebody to take away.
class ExportRoom final : public Room {
  public:
    explicit ExportRoom(Services services);

    [[nodiscard]] std::vector<RequestEntry> requests() override;

  private:
    /// Makes the file at a path.
    using Make = std::function<void(const std::filesystem::path&, const JobContext&)>;

    Answer glb(const Request& request);
    Answer html(const Request& request);
    Answer pictures(const Request& request, PictureExport::Kind kind);
    Answer start(const Request& request, const Item& item, const std::string& extension, Make make);

    Services services_;
};

}  // namespace toile::studio
