// SPDX-License-Identifier: Apache-2.0
#include "toile/core/parallel.h"
#include "toile/deformation/rotation.h"
#include "toile/edit/edit_setup.h"

#include <Eigen/Geometry>

#include <vector>

namespace toile::detail {
namespace {

constexpr int kGrain = 256;

// exp(t log R) (I + t (U - I)) of E = R U.
Mat3 partial_map(const Mat3& map, double strength) {
    const Mat3 rotation = nearest_rotation(map);
    const Mat3 stretch = rotation.transpose() * map;
    const Eigen::AngleAxisd turn(rotation);
    const Mat3 partial_turn =
        Eigen::AngleAxisd(strength * turn.angle(), turn.axis()).toRotationMatrix();
    return partial_turn * (Mat3::Identity() + strength * (stretch - Mat3::Identity()));
}

struct Maps {
    std::vector<Mat3> full;     // E of each triangle
    std::vector<Mat3> partial;  // E^t
};

Maps maps_of(const EditSetup& setup, double strength) {
    const std::vector<Vec3> after = gather(setup.region, setup.edited);
    const size_t n = setup.hats.size();
    Maps maps{std::vector<Mat3>(n, Mat3::Identity()), std::vector<Mat3>(n, Mat3::Identity())};
    parallel_for(static_cast<int>(n), kGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            if (!setup.changes[k] || setup.hats[k].degenerate) continue;
            maps.full[k] =
                frame_of(setup.region.local_triangles[k], after) * setup.inverse_frames[k];
            maps.partial[k] = partial_map(maps.full[k], strength);
        }
    });
    return maps;
}

std::vector<Mat3> wanted_gradients(const EditSetup& setup, const Maps& maps) {
    std::vector<Mat3> gradients(setup.hats.size(), Mat3::Zero());
    for (size_t k = 0; k < gradients.size(); ++k) {
        const Edges edges = edges_of(setup.region.local_triangles[k], setup.positions);
        gradients[k] = gradient_of(setup.hats[k], (maps.partial[k] - Mat3::Identity()) * edges);
    }
    return gradients;
}

// Of the triangles round the vertices, weighted by area; the identity where there is none.
Mat3 mean_map(const EditSetup& setup, std::span<const int> vertices, std::span<const Mat3> maps) {
    Mat3 sum = Mat3::Zero();
    double area = 0;
    for (const int i : vertices) {
        for (const int k : setup.region.around.triangles_of_vertex(i)) {
            sum += setup.hats[k].area * maps[k];
            area += setup.hats[k].area;
        }
    }
    return area > 0 ? Mat3(sum / area) : Mat3(Mat3::Identity());
}

// A loose part goes with the partial map of what it sits in, and what that does not explain of its
// place at full strength grows evenly.
void glue(const EditSetup& setup, const Maps& maps, double strength,
          std::span<Vec3> inout_offsets) {
    for (const LoosePart& part : setup.loose) {
        const Vec3 arm =
            mean_at(part.vertices, setup.positions) - mean_at(part.neighbours, setup.positions);
        const auto moved_arm = [&](std::span<const Mat3> of) {
            return Vec3(mean_map(setup, part.neighbours, of) * arm - arm);
        };
        const Vec3 unexplained = mean_at(part.vertices, setup.full.offsets) -
                                 mean_at(part.neighbours, setup.full.offsets) -
                                 moved_arm(maps.full);
        const Vec3 shift = mean_at(part.neighbours, inout_offsets) + moved_arm(maps.partial) +
                           strength * unexplained - mean_at(part.vertices, inout_offsets);
        for (const int i : part.vertices) inout_offsets[i] += shift;
    }
}

}  // namespace

RealisedEdit realise_edit(const EditSetup& setup, const OffsetSystem& weakly_pulled,
                          double strength) {
    const Maps maps = maps_of(setup, strength);
    std::vector<Mat3> wanted = wanted_gradients(setup, maps);
    std::vector<Vec3> targets = setup.full.offsets;
    for (Vec3& target : targets) target *= strength;
    RealisedEdit edit{.strength = strength,
                      .offsets = std::vector<Vec3>(setup.region.vertices.size(), Vec3::Zero()),
                      .gradients = {}};
    const auto n_free = static_cast<size_t>(setup.region.n_free);
    weakly_pulled.solve(wanted, targets, std::span(edit.offsets).first(n_free));
    glue(setup, maps, strength, edit.offsets);
    edit.gradients = gradients_of(setup, edit.offsets);
    return edit;
}

}  // namespace toile::detail
