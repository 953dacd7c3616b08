// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/run_paraview.h"

#include "toile/core/error.h"
#include "toile/io/pvd.h"
#include "toile/sim/run_arrays.h"

#include <fmt/format.h>

namespace toile {

RunParaviewReport write_run_for_paraview(const std::filesystem::path& run,
                                         const std::filesystem::path& pvd,
                                         const RunParaviewOptions& options) {
    RunArrays arrays(run);
    PvdWriter writer(pvd, {.overwrite = options.overwrite, .frame_rate = arrays.frame_rate()});
    RunParaviewReport report{.n_bodies = static_cast<int>(arrays.bodies().size())};
    for (const BodyArrays& body : arrays.bodies()) report.n_vertices += body.mesh.n_vertices();
    while (arrays.next()) {
        if (options.cancellation && options.cancellation->requested()) {
            throw Interrupted(fmt::format("Stopped after {} of {} frames; nothing was written.",
                                          report.n_frames, arrays.n_frames()));
        }
        for (const BodyArrays& body : arrays.bodies()) {
            writer.write(report.n_frames, body.name,
                         {.positions = body.positions,
                          .triangles = body.mesh.triangles,
                          .of_vertices = {{"speed", body.speed}, {"gap", body.gap}},
                          .of_triangles = {{"strain", body.strain}}});
        }
        ++report.n_frames;
        if (options.progress) options.progress(report.n_frames, arrays.n_frames(), "written");
    }
    writer.finish();
    return report;
}

}  // namespace toile
