// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene.h"

#include <cmath>

namespace toile {

Transform placement(const BodySetup& body) {
    return {.rotation = rotation_matrix(rotation_vector(body.rotation)),
            .translation = body.translation,
            .scale = body.scale};
}

double pair_friction(std::span<const FrictionSetup> table, const MaterialFriction& a,
                     const MaterialFriction& b) {
    for (const FrictionSetup& entry : table) {
        const std::string& first = entry.between.front();
        const std::string& last = entry.between.back();
        if ((first == a.material && last == b.material) ||
            (first == b.material && last == a.material)) {
            return entry.coefficient;
        }
    }
    return std::sqrt(a.coefficient * b.coefficient);
}

}  // namespace toile
