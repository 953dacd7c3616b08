// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/made_sequence.h"

#include "studio/server/item_loader.h"
#include "toile/io/mesh_file.h"
#include "toile/io/sequence_file.h"

#include <vector>

namespace toile::studio {

Item make_sequence(FrameSource& frames, const TriangleMesh& mesh, const MadeSequence& made,
                   const JobContext& context, Workspace& workspace) {
    const std::filesystem::path path = workspace.scratch_path(made.stem, ".pc2");
    const auto sink =
        create_sequence(path.string(), frames.n_vertices(), &mesh, {.frame_rate = made.frame_rate});
    std::vector<Vec3> positions = frame_buffer(frames);
    const int n_frames = frames.n_frames().value_or(0);
    for (int done = 0; frames.next(positions);) {
        context.check();
        sink->write(positions);
        context.progress(++done, n_frames, "frames");
    }
    context.check();
    std::filesystem::path mesh_path = path;
    mesh_path.replace_extension(".obj");
    write_mesh(mesh_path, mesh);
    sink->finish();
    Item item = sequence_item({.frames = path.string(), .mesh = mesh_path}, path.stem().string());
    item.made_by = made.made_by;
    item.unsaved = true;
    return workspace.add(std::move(item));
}

}  // namespace toile::studio
