// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/correspondence/correspondence.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace toile::studio {

/// Of a vertex of the source and one of the target.
using Pairs = std::vector<std::pair<int, int>>;

/// A fit and what it was made of. Never changes.
struct FittedMatch {
    int source = 0;  ///< items
    int target = 0;
    std::shared_ptr<const TriangleMesh> source_mesh;
    std::shared_ptr<const TriangleMesh> target_mesh;
    Pairs asked;                  ///< as they were when the fit began
    std::vector<Marker> markers;  ///< those of them that a fit can hold
    Correspondence correspondence;
};

/// Where the room that fits leaves the last fit for the one that transfers. From any thread.
class MatchBoard {
  public:
    void put(std::shared_ptr<const FittedMatch> match) {
        const std::lock_guard lock(mutex_);
        match_ = std::move(match);
    }
    /// Null where nothing was fitted.
    [[nodiscard]] std::shared_ptr<const FittedMatch> get() const {
        const std::lock_guard lock(mutex_);
        return match_;
    }

  private:
    mutable std::mutex mutex_;
    std::shared_ptr<const FittedMatch> match_;
};

}  // namespace toile::studio
