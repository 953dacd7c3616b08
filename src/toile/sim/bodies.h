// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth.h"
#include "toile/cloth/environment.h"
#include "toile/mesh/triangle_mesh.h"
#include "toile/scene/scene.h"
#include "toile/sim/constraints.h"
#include "toile/sim/mesh_sequence.h"

#include <optional>
#include <string>
#include <vector>

namespace toile {

/// A piece of cloth of a world, as it is at the start. Never changes.
struct ClothBody {
    std::string name;
    TriangleMesh mesh;  ///< in its place
    Cloth cloth;
    std::vector<PinGroup> pins;
    std::vector<Vec3> velocities;  ///< m/s, at the start
};

/// An obstacle of a world. Never changes.
struct ObstacleBody {
    std::string name;
    TriangleMesh mesh;  ///< in its place at time 0, before any keyframe moves it
    KeyframePath path;
    VelocityPath velocities;
    Vec3 pivot;                            ///< m
    std::optional<MeshSequence> sequence;  ///< of one whose shape changes

    /// As the scene tells it to move, relative to its place.
    [[nodiscard]] RigidDisplacement displacement(double time) const;
};

/// The mesh of a body as its file or its shape gives it. A file without an extension is STL, as in
/// an `environment` folder. Throws IoError or InvalidInput where there is no such mesh.
TriangleMesh unplaced_mesh(const BodySetup& setup);

/// The mesh of a body in its place: read from its file or made as its shape says. UVs of shapes are
/// metres and are scaled with the shape; those of files are left alone. Throws IoError or
/// InvalidInput, naming the body, where there is no such mesh or it has no triangle.
TriangleMesh body_mesh(const BodySetup& setup);

ClothBody make_cloth_body(const ClothSetup& setup);
ObstacleBody make_obstacle_body(const ObstacleSetup& setup);

/// Writes the obstacle's vertices at `time` (s): as the scene tells it to move, or displaced
/// otherwise.
void place_obstacle(const ObstacleBody& obstacle, double time, std::span<Vec3> out_positions);
void place_obstacle(const ObstacleBody& obstacle, double time,
                    const RigidDisplacement& displacement, std::span<Vec3> out_positions);

/// Air and gravity as the cloth sees them.
Environment environment_of(const Scene& scene);

}  // namespace toile
