// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene_templates.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace toile {
namespace {

constexpr const char* kDrape = R"(# A cloth falls on a ball and a floor.
#   toile check scene.toml              looks for trouble first
#   toile simulate scene.toml -o run/   simulates
#   toile check run/                    proves every frame free of crossings
# Units are SI; y is up. docs/scene.md lists every key.

[scene]
frame_rate = 25
duration = 2                # s

[[cloth]]
name = "cloth"
# A mesh of your own instead: mesh = "cloth.obj"
shape = { type = "rectangle", width = 1, length = 1, divisions = [40, 40] }
translation = [0, 0.27, 0]
fabric = "cotton"           # any of its numbers can be given here: density = 0.2
colour = [0.75, 0.2, 0.2]

[[obstacle]]
name = "ball"
shape = { type = "sphere", radius = 0.25, subdivisions = 3 }
friction = 0.4

[[obstacle]]
name = "floor"
shape = { type = "rectangle", width = 4, length = 4, divisions = [1, 1] }
translation = [0, -0.25, 0]
)";

constexpr const char* kHanging = R"(# A cloth hangs from two corners, falls and folds.
# Units are SI; y is up. docs/scene.md lists every key.

[scene]
frame_rate = 25
duration = 2                # s

[[cloth]]
name = "cloth"
shape = { type = "rectangle", width = 1, length = 1, divisions = [40, 40] }
fabric = "cotton"
colour = [0.2, 0.4, 0.75]

# Vertices are counted row by row from one corner. These two corners are held.
[[cloth.pin]]
vertices = [0, 40]
)";

constexpr const char* kTurning =
    R"(# A cloth falls on a ball that begins to turn; friction carries it round.
# Units are SI; y is up. docs/scene.md lists every key.

[scene]
frame_rate = 25
duration = 3                # s

[[cloth]]
name = "cloth"
shape = { type = "rectangle", width = 1, length = 1, divisions = [40, 40] }
translation = [0, 0.27, 0]
fabric = "cotton"
colour = [0.9, 0.7, 0.2]

[[obstacle]]
name = "ball"
shape = { type = "sphere", radius = 0.25, subdivisions = 4 }
material = "rubber"

# Relative to the start; smooth in between, at rest before and after.
[[obstacle.keyframe]]
time = 1
[[obstacle.keyframe]]
time = 3
rotation = [0, 1, 0, 360]   # axis, degrees

[[friction]]
between = ["cotton", "rubber"]
coefficient = 0.8
)";

}  // namespace

std::span<const SceneTemplate> scene_templates() {
    static const std::vector<SceneTemplate> templates = {
        {"drape", "a cloth falls on a ball and a floor", kDrape},
        {"hanging", "a cloth hangs from two corners and folds", kHanging},
        {"turning", "a ball turns and carries a cloth round by friction", kTurning},
    };
    return templates;
}

const SceneTemplate& scene_template(const std::string& name) {
    std::vector<std::string> names;
    for (const SceneTemplate& t : scene_templates()) {
        if (t.name == name) return t;
        names.push_back(t.name);
    }
    throw InvalidInput(fmt::format("There is no scene template '{}'.{} Templates: {}.", name,
                                   did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace toile
