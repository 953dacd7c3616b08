// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace toile {

/// What a cloth is made of. All SI; independent of the mesh. Directions are those of the rest
/// coordinates: warp = u, weft = v.
struct Fabric {
    std::string name = "cotton";
    double density = 0.15;          ///< kg/m²
    double thickness = 0.001;       ///< m; kept between mid-surfaces in contact
    double stretch_warp = 1000;     ///< N/m: tension per width at strain 1
    double stretch_weft = 1000;     ///< N/m
    double shear = 300;             ///< N/m: shear force per width at shear angle 1
    double bend_warp = 1e-5;        ///< N·m: moment per width at curvature 1/m along warp
    double bend_weft = 1e-5;        ///< N·m
    double bend_twist = 1e-5;       ///< N·m: moment per width at twist 1/m
    double stretch_damping = 0.01;  ///< s: damping stiffness = this × elastic stiffness
    double shear_damping = 0.01;    ///< s
    double bend_damping = 0.01;     ///< s
    double friction = 0.3;          ///< Coulomb coefficient against itself and others
    std::string source;             ///< where the numbers come from

    bool operator==(const Fabric&) const = default;
};

/// Throws InvalidInput, naming the property, the value found and what was expected, unless density
/// and thickness are positive, all other numbers are zero or more, and all are finite.
void check_fabric(const Fabric& fabric);

/// The named fabrics, each with its source.
std::span<const Fabric> named_fabrics();

/// The fabric of that name; throws InvalidInput, suggesting the nearest, where there is none.
const Fabric& named_fabric(const std::string& name);

}  // namespace toile
