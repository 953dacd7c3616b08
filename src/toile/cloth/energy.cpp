// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/energy.h"

#include "toile/core/parallel.h"

namespace toile {
namespace {

constexpr int kGrain = 512;

ElasticEnergy sum(const ElasticEnergy& a, const ElasticEnergy& b) {
    return {.membrane = a.membrane + b.membrane, .bending = a.bending + b.bending};
}

}  // namespace

ElasticEnergy elastic_energy(const Cloth& cloth, std::span<const Vec3> positions) {
    EdgeSlopes slopes(cloth);
    return elastic_energy(slopes, positions);
}

ElasticEnergy elastic_energy(EdgeSlopes& slopes, std::span<const Vec3> positions) {
    const Cloth& cloth = slopes.cloth();
    const auto splits = slopes.solve(positions);
    const MembraneStiffness stiffness = cloth.membrane_stiffness();
    const auto map = [&](int begin, int end) {
        ElasticEnergy part;
        for (int t = begin; t < end; ++t) {
            const ShellTriangle& shell = cloth.shells()[t];
            const BendingCorners p = gather(shell, positions);
            part.membrane += membrane_value(shell.membrane, stiffness, {p[0], p[1], p[2]});
            part.bending += bending_value(shell.bending, splits[t], p);
        }
        return part;
    };
    return parallel_reduce(cloth.n_triangles(), kGrain, ElasticEnergy{}, map, sum);
}

double kinetic_energy(const Cloth& cloth, std::span<const Vec3> velocities) {
    double energy = 0;
    for (int v = 0; v < cloth.n_vertices(); ++v) {
        energy += 0.5 * cloth.masses()[v] * velocities[v].squaredNorm();
    }
    return energy;
}

double gravity_energy(const Cloth& cloth, std::span<const Vec3> positions, const Vec3& gravity) {
    double energy = 0;
    for (int v = 0; v < cloth.n_vertices(); ++v) {
        energy -= cloth.masses()[v] * gravity.dot(positions[v]);
    }
    return energy;
}

void elastic_forces(EdgeSlopes& slopes, std::span<const Vec3> positions,
                    std::span<Vec3> out_forces) {
    const Cloth& cloth = slopes.cloth();
    const auto splits = slopes.solve(positions);
    for (Vec3& force : out_forces) force.setZero();
    const MembraneStiffness stiffness = cloth.membrane_stiffness();
    for (int t = 0; t < cloth.n_triangles(); ++t) {
        const ShellTriangle& shell = cloth.shells()[t];
        const BendingCorners p = gather(shell, positions);
        const auto membrane = membrane_gradient(shell.membrane, stiffness, {p[0], p[1], p[2]});
        const auto bending = bending_gradient(shell.bending, splits[t], p);
        for (size_t i = 0; i < 3; ++i) out_forces[shell.vertices[i]] -= membrane[i];
        for (size_t i = 0; i < 6; ++i) out_forces[shell.vertices[i]] -= bending[i];
    }
}

}  // namespace toile
