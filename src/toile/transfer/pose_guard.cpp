// SPDX-License-Identifier: Apache-2.0
#include "toile/transfer/pose_guard.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/mesh/topology.h"

#include <fmt/format.h>

namespace toile {

PoseGuard::PoseGuard(std::unique_ptr<FrameSource> frames, const TriangleMesh& rest,
                     PoseGuardOptions options)
    : FrameOperator(std::move(frames)),
      rest_(rest.positions),
      edges_(build_edges(rest.triangles, rest.n_vertices()).edges),
      options_(std::move(options)) {
    if (input().n_vertices() != rest.n_vertices()) {
        throw InvalidInput(
            fmt::format("{}: its frames have {} vertices; the source at rest has "
                        "{}.",
                        options_.sequence_name, input().n_vertices(), rest.n_vertices()));
    }
}

bool PoseGuard::next(std::span<Vec3> out_positions) {
    if (!input().next(out_positions)) return false;
    for (size_t v = 0; v < out_positions.size(); ++v) {
        if (out_positions[v].allFinite()) continue;
        throw InvalidInput(
            fmt::format("{}: frame {}: vertex {} has a coordinate that is not "
                        "finite.",
                        options_.sequence_name, frame_, v));
    }
    judge(check_pose(edges_, rest_, out_positions));
    ++frame_;
    return true;
}

void PoseGuard::judge(const PoseCheck& check) {
    const std::string found = fmt::format(
        "{}: frame {}: {} of {} edges changed their length more than fourfold, {} of them more "
        "than sixteenfold: {}.",
        options_.sequence_name, frame_, check.n_stretched, check.n_edges, check.n_leaps,
        check.worst_edges());
    if (!check.belongs()) {
        ++n_bad_;
        if (!options_.allow_bad_poses) {
            throw InvalidInput(found +
                               " Its vertices are in another order than those of the rest "
                               "mesh, it seems; --allow-bad-pose takes it all the same.");
        }
        log_warning(found);
    } else if (check.is_doubtful()) {
        ++n_doubtful_;
        if (n_doubtful_ == 1) log_warning(found);
    }
}

}  // namespace toile
