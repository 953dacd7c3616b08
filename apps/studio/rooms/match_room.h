// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/rooms/fitted_match.h"
#include "studio/server/room.h"
#include "studio/server/services.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace toile::studio {

/// Two surfaces, pairs of vertices that belong together, and the fit that they give.
class MatchRoom final : public Room {
  public:
    MatchRoom(Services services, std::shared_ptr<MatchBoard> board);

    [[nodiscard]] std::vector<RequestEntry> requests() override;
    [[nodiscard]] std::vector<std::string> keep_unsaved(
        const std::filesystem::path& folder) override;

  private:
    Answer open(const Request& request);
    Answer set(const Request& request);
    Answer undo();
    Answer redo();
    Answer load(const Request& request);
    Answer save(const Request& request);
    Answer fit(const Request& request);
    Answer colors();
    Answer fitted();

    void require_open() const;
    void require_pair(const Pairs& pairs) const;
    void change(Pairs pairs);
    [[nodiscard]] std::vector<Marker> markers() const;
    [[nodiscard]] const FittedMatch& last_fit() const;
    void take_fit(std::shared_ptr<const FittedMatch> fit);
    Json tell();
    [[nodiscard]] Json state_json() const;

    Services services_;
    std::shared_ptr<MatchBoard> board_;
    std::optional<int> source_, target_;  // items
    int source_body_ = 0;
    int target_body_ = 0;
    std::shared_ptr<const TriangleMesh> source_mesh_, target_mesh_;
    Pairs pairs_;
    std::vector<Pairs> undo_, redo_;
    Pairs saved_;                             // as they are in a file
    std::shared_ptr<const FittedMatch> fit_;  // of these two; null where there is none
};

}  // namespace toile::studio
