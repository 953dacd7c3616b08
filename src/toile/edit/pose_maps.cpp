// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/pose_maps.h"

#include "toile/core/parallel.h"
#include "toile/deformation/rotation.h"

#include <algorithm>

namespace toile::detail {
namespace {

constexpr int kGrain = 256;
constexpr double kCrumpled = 50;  // condition of F above which a rotation says little

int n_triangles(const EditSetup& setup) {
    return static_cast<int>(setup.hats.size());
}

void map_triangles(const EditSetup& setup, std::span<const Vec3> positions, PoseMaps& out) {
    parallel_for(n_triangles(setup), kGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            out.gradients[k].setIdentity();
            out.rotations[k].setIdentity();
            if (!setup.changes[k] || setup.hats[k].degenerate) continue;
            out.gradients[k] =
                frame_of(setup.region.local_triangles[k], positions) * setup.inverse_frames[k];
            out.rotations[k] = nearest_rotation(out.gradients[k]);
        }
    });
}

CarryReport count_crumpled(const EditSetup& setup, std::span<const Mat3> gradients) {
    CarryReport report;
    for (size_t k = 0; k < gradients.size(); ++k) {
        if (!setup.changes[k] || setup.hats[k].degenerate) continue;
        ++report.n_triangles;
        if (!(condition(gradients[k]) <= kCrumpled)) ++report.n_crumpled;
    }
    return report;
}

Mat3 rotation_round(const EditSetup& setup, std::span<const Mat3> rotations, int vertex) {
    Mat3 sum = Mat3::Zero();
    for (const int k : setup.region.around.triangles_of_vertex(vertex)) {
        sum += setup.hats[k].area * rotations[k];
    }
    return nearest_rotation(sum);
}

void rotate_vertices(const EditSetup& setup, PoseMaps& out) {
    const int n = static_cast<int>(setup.region.vertices.size());
    parallel_for(n, kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            out.vertex_rotations[i].setIdentity();
            if (setup.is_moved[i]) {
                out.vertex_rotations[i] = rotation_round(setup, out.rotations, i);
            }
        }
    });
}

// Each triangle takes the mean of its corners' rotations. At corners that do not move that is its
// own rotation, since those of triangles without edit are not known.
void smooth_triangles(const EditSetup& setup, PoseMaps& out) {
    parallel_for(n_triangles(setup), kGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            if (!setup.changes[k]) continue;
            Mat3 sum = Mat3::Zero();
            for (const int i : setup.region.local_triangles[k]) {
                sum += setup.is_moved[i] ? out.vertex_rotations[i] : out.rotations[k];
            }
            out.rotations[k] = nearest_rotation(sum);
        }
    });
}

}  // namespace

void map_pose(const EditSetup& setup, std::span<const Vec3> positions, PoseMaps& out_maps) {
    out_maps.gradients.resize(setup.hats.size());
    out_maps.rotations.resize(setup.hats.size());
    out_maps.vertex_rotations.resize(setup.region.vertices.size());
    map_triangles(setup, positions, out_maps);
    out_maps.report = count_crumpled(setup, out_maps.gradients);
    rotate_vertices(setup, out_maps);
    for (int pass = 0; pass < setup.options.smoothing_passes; ++pass) {
        smooth_triangles(setup, out_maps);
        rotate_vertices(setup, out_maps);
    }
}

void glue_loose_parts(const EditSetup& setup, const RealisedEdit& edit, const PoseMaps& maps,
                      std::span<Vec3> inout_offsets) {
    for (const LoosePart& part : setup.loose) {
        Mat3 sum = Mat3::Zero();
        for (const int i : part.neighbours) sum += maps.vertex_rotations[i];
        const Vec3 apart =
            mean_at(part.vertices, edit.offsets) - mean_at(part.neighbours, edit.offsets);
        const Vec3 shift = mean_at(part.neighbours, inout_offsets) + nearest_rotation(sum) * apart -
                           mean_at(part.vertices, inout_offsets);
        for (const int i : part.vertices) inout_offsets[i] += shift;
    }
}

}  // namespace toile::detail
