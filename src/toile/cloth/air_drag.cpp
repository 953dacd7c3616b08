// SPDX-License-Identifier: Apache-2.0
#include "toile/cloth/air_drag.h"

#include <Eigen/Geometry>

#include <cmath>

namespace toile {
namespace {

struct FaceInAir {
    Vec3 normal;
    double area;
    double normal_speed;
};

FaceInAir face_in_air(const Environment& environment, const std::array<Vec3, 3>& p,
                      const std::array<Vec3, 3>& v) {
    const Vec3 area_vector = (p[1] - p[0]).cross(p[2] - p[0]) / 2;
    const double area = area_vector.norm();
    if (!(area > 0)) return {Vec3::Zero(), 0.0, 0.0};
    const Vec3 normal = area_vector / area;
    const Vec3 relative = (v[0] + v[1] + v[2]) / 3 - environment.wind;
    return {normal, area, normal.dot(relative)};
}

}  // namespace

Vec3 air_force(const Environment& environment, const std::array<Vec3, 3>& corners,
               const std::array<Vec3, 3>& velocities) {
    const FaceInAir face = face_in_air(environment, corners, velocities);
    return -environment.air_drag * face.area * std::abs(face.normal_speed) * face.normal_speed *
           face.normal;
}

Mat3 air_damping(const Environment& environment, const std::array<Vec3, 3>& corners,
                 const std::array<Vec3, 3>& velocities) {
    const FaceInAir face = face_in_air(environment, corners, velocities);
    const double factor = 2 * environment.air_drag * face.area * std::abs(face.normal_speed);
    return factor * face.normal * face.normal.transpose();
}

void add_air_drag(const Environment& environment, const BendingCorners& positions,
                  const BendingCorners& velocities, double h, ShellTerms& inout_terms) {
    const std::array<Vec3, 3> p = {positions[0], positions[1], positions[2]};
    const std::array<Vec3, 3> v = {velocities[0], velocities[1], velocities[2]};
    const Vec3 force = air_force(environment, p, v) / 3;
    const Mat3 damping = air_damping(environment, p, v) * (h / 9);
    for (int a = 0; a < 3; ++a) {
        inout_terms.force[a] += force;
        for (int b = a; b < 3; ++b) inout_terms.block[block_index(a, b)] += damping;
    }
}

}  // namespace toile
