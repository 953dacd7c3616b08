// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/shapes/cylinder.h"
#include "toile/mesh/transform.h"
#include "toile/sequence/frames_in_memory.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace toile::test {

/// A standing tube of about 1 m.
inline TriangleMesh tube(double scale = 1) {
    return make_cylinder({.radius = 0.1 * scale,
                          .height = scale,
                          .segments = 16,
                          .height_divisions = 24,
                          .cap_rings = 2});
}

/// The tube bent in the xy plane so that its end has turned by `angle` radians, and turned about
/// the y axis and shifted besides.
inline std::vector<Vec3> bent(const TriangleMesh& mesh, double angle, double height = 1) {
    std::vector<Vec3> result;
    const Mat3 turn = rotation_about_axis(Vec3(1, 2, 0.5), 0.7 * angle);
    for (const Vec3& p : mesh.positions) {
        const double s = p.y() / height + 0.5;  // 0 at the foot, 1 at the end
        const double here = angle * s;
        const double sinc = std::abs(here) < 1e-9 ? 1 : std::sin(here) / here;
        const double cosc = std::abs(here) < 1e-9 ? 0 : (1 - std::cos(here)) / here;
        const Vec3 axis_point(-height * s * cosc, height * s * sinc, 0);
        const Vec3 across(std::cos(here) * p.x(), std::sin(here) * p.x(), p.z());
        result.emplace_back(turn * (axis_point + across) + height * angle * Vec3(0.1, 0, 0.3));
    }
    return result;
}

/// `n_frames` frames from straight to bent by `last_angle` radians.
inline FramesInMemory bending(const TriangleMesh& mesh, int n_frames, double last_angle = 1.5) {
    FramesInMemory motion;
    for (int k = 0; k < n_frames; ++k) {
        motion.frames.push_back(bent(mesh, last_angle * k / (n_frames - 1)));
    }
    return motion;
}

/// The upper end of a frame turned about z by `angle` radians at three quarters of the height of
/// `mesh`, with a band in which the turn grows; vertices are chosen by their place at rest.
inline std::vector<Vec3> with_turned_end(const TriangleMesh& mesh, std::vector<Vec3> frame,
                                         double angle, double height = 1) {
    Vec3 hinge = Vec3::Zero();
    int n = 0;
    for (size_t v = 0; v < frame.size(); ++v) {
        if (std::abs(mesh.positions[v].y() - 0.25 * height) > 0.03 * height) continue;
        hinge += frame[v];
        ++n;
    }
    hinge /= n;
    for (size_t v = 0; v < frame.size(); ++v) {
        const double above = (mesh.positions[v].y() / height - 0.2) / 0.1;
        if (above <= 0) continue;
        const double here = angle * std::min(1.0, above);
        frame[v] = hinge + rotation_about_axis(Vec3::UnitZ(), here) * (frame[v] - hinge);
    }
    return frame;
}

inline double largest_distance(std::span<const Vec3> a, std::span<const Vec3> b) {
    double largest = 0;
    for (size_t v = 0; v < a.size(); ++v) largest = std::max(largest, (a[v] - b[v]).norm());
    return largest;
}

}  // namespace toile::test
