// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/cloth/cloth.h"
#include "toile/cloth/edge_slopes.h"

#include <span>

namespace toile {

/// Elastic energy of a shape, J.
struct ElasticEnergy {
    double membrane = 0;
    double bending = 0;

    [[nodiscard]] double total() const { return membrane + bending; }
};

/// Solves for the edge slopes at `positions` first. The same bits on any number of threads, as all
/// of this file.
ElasticEnergy elastic_energy(EdgeSlopes& slopes, std::span<const Vec3> positions);

/// The same with no vertex held. Factorises each time: for many calls keep an EdgeSlopes.
ElasticEnergy elastic_energy(const Cloth& cloth, std::span<const Vec3> positions);

/// ½ Σ m |v|², J.
double kinetic_energy(const Cloth& cloth, std::span<const Vec3> velocities);

/// -Σ m g·x, J.
double gravity_energy(const Cloth& cloth, std::span<const Vec3> positions, const Vec3& gravity);

/// Elastic forces -∂E/∂x, N, written plainly from the energies' gradients: what the step's assembly
/// is tested against. `out_forces` has n_vertices.
void elastic_forces(EdgeSlopes& slopes, std::span<const Vec3> positions,
                    std::span<Vec3> out_forces);

}  // namespace toile
