// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/rooms/fitted_match.h"
#include "studio/server/room.h"
#include "studio/server/services.h"

#include <memory>
#include <optional>

namespace toile::studio {

/// Moves one surface as another one moves.
class TransferRoom final : public Room {
  public:
    TransferRoom(Services services, std::shared_ptr<MatchBoard> board);

    [[nodiscard]] std::vector<RequestEntry> requests() override;

  private:
    Answer run(const Request& request);
    [[nodiscard]] TrianglePairs pairs_of(const Request& request, const TriangleMesh& rest,
                                         const Item& target) const;
    void tell();

    Services services_;
    std::shared_ptr<MatchBoard> board_;
    std::optional<int> source_, target_, result_;  // items
};

}  // namespace toile::studio
