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
    struct Chosen {
        std::optional<int> source = {}, target = {}, rest = {}, result = {};  ///< items
        int source_body = 0;
        int target_body = 0;
        int rest_body = 0;
    };

    Answer run(const Request& request);
    [[nodiscard]] TrianglePairs pairs_of(const Request& request, const TriangleMesh& rest,
                                         const TriangleMesh& target) const;
    void tell();

    Services services_;
    std::shared_ptr<MatchBoard> board_;
    Chosen chosen_;  // for the last result
};

}  // namespace toile::studio
