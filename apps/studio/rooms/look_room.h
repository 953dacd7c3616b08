// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/room.h"
#include "studio/server/services.h"
#include "toile/mesh/geodesic.h"

#include <memory>

namespace toile::studio {

/// Everything that is only looked at: the state of the studio, meshes, frames and differences.
class LookRoom final : public Room {
  public:
    explicit LookRoom(Services services);

    [[nodiscard]] std::vector<RequestEntry> requests() override;

  private:
    Answer hello(const Request& request);
    Answer mesh(const Request& request);
    Answer frame(const Request& request);
    Answer difference(const Request& request);
    Answer geodesic(const Request& request);
    Answer cancel_job(const Request& request);

    Services services_;
    /// Of the surface that distances were asked on last.
    std::shared_ptr<const TriangleMesh> distance_mesh_;
    std::unique_ptr<SurfaceDistance> distance_;
};

}  // namespace toile::studio
