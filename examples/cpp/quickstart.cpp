// SPDX-License-Identifier: Apache-2.0
// Steps a scene frame by frame, as a planner or a tool of your own would.
#include "toile/scene/scene_file.h"
#include "toile/sim/world.h"

#include <fmt/format.h>

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    toile::World world(toile::load_scene(argv[1]));
    for (int frame = 0; frame < 5; ++frame) {
        const toile::FrameReport report = world.step();
        if (report.failure) return 1;
        const toile::Vec3 middle = world.positions(0)[world.positions(0).size() / 2];
        fmt::print("{:.2f} s: middle at {:.3f} m, strain {:.3f}\n", world.time(), middle.y(),
                   report.largest_strain);
        if (!(middle.y() < 1)) return 1;  // it falls
    }
}
