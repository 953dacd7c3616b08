// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/scene/scene.h"
#include "toile/sim/world.h"
#include "toile/validation/validation.h"

namespace toile {

inline constexpr double kStandardGravity = 9.81;  ///< m/s²

/// An empty scene for the solver that is asked for, 25 frames a second.
Scene experiment_scene(const ValidationOptions& options);

/// A rectangle along the scene's axes.
ShapeSpec rectangle_shape(double width, double length, int cells_along_width,
                          int cells_along_length);

/// A box that holds every point of a range along one axis (0, 1, 2) and all of the others.
Box slab(int axis, double from, double to);

/// Holds the vertices in the box for ever.
PinSetup holding(const Box& box);

/// Makes frames. Throws ComputationFailed where one cannot be made.
void run_frames(World& world, int frames);

/// When cloth counts as at rest.
struct RestOptions {
    double speed = 1e-5;  ///< m/s, root mean square, in a whole frame
    double seconds = 30;  ///< of the scene, at most
};
/// Makes frames until the cloth is at rest. Throws ComputationFailed where it does not come to it.
void settle(World& world, const RestOptions& options = {});

/// Those vertices of the first cloth that the box held at the start, ascending.
std::vector<int> vertices_in(const World& world, const Box& box);

/// Mean of the positions of vertices of the first cloth, m.
Vec3 mean_position(const World& world, std::span<const int> vertices);

}  // namespace toile
