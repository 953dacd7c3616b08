// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

namespace toile {

/// A commented scene to start from, which runs as it is.
struct SceneTemplate {
    std::string name;
    std::string doc;  ///< a phrase without a full stop
    std::string text;
};

std::span<const SceneTemplate> scene_templates();

/// The template of that name; throws InvalidInput with the nearest name where there is none.
const SceneTemplate& scene_template(const std::string& name);

}  // namespace toile
