// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/body_track.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/mesh/shapes/sphere.h"

#include <cmath>
#include <vector>

namespace toile::test {

/// A cloth with waves that wander, over a ball that stands still.
struct MovingBodies {
    explicit MovingBodies(int n_frames) {
        tracks = {{.name = "cloth",
                   .mesh = make_rectangle({.width_divisions = 6, .length_divisions = 5})},
                  {.name = "ball",
                   .mesh = make_sphere({.radius = 0.2, .subdivisions = 2}),
                   .moves = false}};
        for (int k = 0; k < n_frames; ++k) {
            std::vector<Vec3>& frame = cloth.emplace_back(tracks[0].mesh.positions);
            for (Vec3& p : frame) p += Vec3(0.1 * k, 0.3 * std::sin(3 * p.x() + k), 0);
        }
    }

    std::vector<BodyTrack> tracks;
    std::vector<std::vector<Vec3>> cloth;  ///< of every frame

    template <class Writer>
    void write_all(Writer& writer) const {
        for (const std::vector<Vec3>& frame : cloth) {
            const std::span<const Vec3> all[] = {frame, tracks[1].mesh.positions};
            writer.write(all);
        }
        writer.finish();
    }
};

}  // namespace toile::test
