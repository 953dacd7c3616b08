// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/fabric.h"
#include "toile/core/types.h"
#include "toile/linalg/linear_operator.h"
#include "toile/mesh/triangle_mesh.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace toile {

/// Where a cloth is and how it moves: n_vertices each, metres and m/s.
struct ClothState {
    std::vector<Vec3> positions;
    std::vector<Vec3> velocities;
};

/// How the rest shape of every triangle is found.
struct RestShapeOptions {
    /// Use the mesh's UVs as the flat pattern, where it has them.
    bool from_uvs = true;
    double uv_scale = 1;  ///< metres per UV unit
};

/// What acts on a cloth from outside and is not contact.
struct Environment {
    Vec3 gravity = {0, -9.81, 0};  ///< m/s²
    Vec3 wind = {0, 0, 0};         ///< m/s, velocity of the air
    double air_drag = 0;     ///< N·s²/m⁴ or see the scene reference: pressure of moving air
    double linear_drag = 0;  ///< 1/s: velocity-proportional loss per mass
};

/// A vertex whose velocity is prescribed, wholly or in some directions [Baraff98, §5.3].
struct VelocityConstraint {
    int vertex = 0;
    Vec3 velocity = {0, 0, 0};            ///< m/s at the end of the step
    Mat3 free_directions = Mat3::Zero();  ///< projection on what stays free; zero = all prescribed
};

struct StepOptions {
    double step = 0.01;                ///< s
    double relative_tolerance = 1e-3;  ///< of the filtered residual, in the preconditioner's norm
    int max_iterations = 1500;
    double max_strain_change =
        0.1;  ///< a step that changes a stretch by more has failed; 0 = no test
};

enum class StepStatus { Done, SolverDidNotConverge, StrainChangedTooMuch, NotFinite };

/// What one implicit step did; the state is changed only when `status` is Done.
struct StepReport {
    StepStatus status = StepStatus::Done;
    int iterations = 0;
    double relative_residual = 0;
    double max_strain_change = 0;
    int worst_triangle = -1;  ///< where the strain changed most
};

}  // namespace toile
