// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/cancellation.h"
#include "toile/core/progress.h"

#include <filesystem>

namespace toile {

struct RunParaviewOptions {
    bool overwrite = false;
    const Cancellation* cancellation = nullptr;
    ProgressCallback progress = {};
};

struct RunParaviewReport {
    int n_bodies = 0;
    int n_frames = 0;
    int n_vertices = 0;  ///< of all bodies
};

/// Writes all bodies of a run for ParaView (io/pvd.h) with the arrays `speed` and `gap` of vertices
/// and `strain` of triangles (sim/run_arrays.h). Throws as RunArrays and PvdWriter do, Interrupted
/// on request; then nothing is written.
RunParaviewReport write_run_for_paraview(const std::filesystem::path& run,
                                         const std::filesystem::path& pvd,
                                         const RunParaviewOptions& options = {});

}  // namespace toile
