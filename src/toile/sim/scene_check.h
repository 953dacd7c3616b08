// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"
#include "toile/scene/scene.h"
#include "toile/sim/crossing_check.h"

#include <string>
#include <vector>

namespace toile {

enum class Severity {
    Warning,  ///< will run, perhaps not as meant
    Error     ///< will not run
};

/// Something that was found, as a sentence.
struct Finding {
    Severity severity = Severity::Warning;
    std::string body;  ///< name, or empty where it concerns all
    std::string text;
};

/// What was found in a scene or a mesh before anything has moved.
struct SceneCheck {
    std::vector<Finding> findings;
    std::vector<Crossing> crossings;  ///< at the start
    std::vector<std::string> crossing_sentences;
    int n_inside = 0;  ///< cloth vertices inside closed obstacles

    [[nodiscard]] bool has_errors() const;
};

/// Looks at scale, triangles, thickness against edge length, the rest shape, pins, and a start that
/// already crosses. A scene without errors is one that a run will start. What a body's mesh cannot
/// be read for, or a pin cannot be met for, is a finding.
SceneCheck check_scene(const Scene& scene);

/// Looks at scale, triangles and self-crossings of one mesh.
SceneCheck check_mesh_alone(const std::string& name, const TriangleMesh& mesh);

}  // namespace toile
