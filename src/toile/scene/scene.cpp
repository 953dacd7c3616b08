// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/scene.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace toile {

bool is_body_name(const std::string& name) {
    constexpr size_t kMostBytes = 200;  // file systems keep 255, and temporary names are longer
    const auto allowed = [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-' || c == '.';
    };
    return !name.empty() && name.size() <= kMostBytes && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), allowed);
}

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
