// SPDX-License-Identifier: Apache-2.0
#include "studio/server/item_writer.h"

#include "toile/io/atomic_file.h"
#include "toile/io/hidden_folder.h"
#include "toile/io/mesh_file.h"
#include "toile/io/point_cache.h"
#include "toile/io/sequence_file.h"
#include "toile/sim/run_folder.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile::studio {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> write_sequence(const ItemContent& content, const fs::path& target,
                                     bool overwrite) {
    const TriangleMesh& mesh = *content.body(0).mesh;
    MeshWriteOptions options;
    options.overwrite = overwrite;
    options.frame_rate = content.facts().frame_rate;
    const bool is_cache = find_point_cache_format(target) != nullptr;
    const fs::path mesh_path = fs::path(target).replace_extension(".obj");
    if (is_cache) check_output(mesh_path, {.overwrite = overwrite});
    const auto frames = content.play(0);
    const auto sink = create_sequence(target.string(), mesh.n_vertices(), &mesh, options);
    copy_frames(*frames, *sink);
    sink->finish();
    if (!is_cache) return {target};
    write_mesh(mesh_path, mesh, options);
    return {target, mesh_path};
}

bool is_inside(const fs::path& path, const fs::path& folder) {
    const auto [end, ignored] =
        std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end == folder.end();
}

/// A copy in itself would never end; a run that holds the other would go with it.
void require_apart(const fs::path& run, const fs::path& target) {
    const fs::path from = fs::canonical(run), to = fs::weakly_canonical(target);
    if (!is_inside(to, from) && !is_inside(from, to)) return;
    throw InvalidInput(
        fmt::format("'{}' lies in the run that is to be copied, or holds it; choose another place.",
                    target.filename().string()));
}

/// Copied beside the target, then renamed: whole or not at all. A run that is replaced is there
/// until the other one is.
void copy_run(const fs::path& run, fs::path target, bool overwrite) {
    if (target.filename().empty()) target = target.parent_path();
    const bool exists = fs::exists(target);
    if (exists && (!overwrite || !is_run_folder(target))) {
        throw IoError(fmt::format("'{}' exists already.", target.string()));
    }
    if (exists && fs::equivalent(target, run)) return;
    require_apart(run, target);
    const std::string name = target.filename().string();
    HiddenFolder half(target.parent_path(), name);
    fs::copy(run, half.path(), fs::copy_options::recursive | fs::copy_options::skip_symlinks);
    if (!exists) return half.become(target);
    const HiddenFolder old(target.parent_path(), name);
    const fs::path aside = old.path() / name;
    fs::rename(target, aside);
    try {
        half.become(target);
    } catch (...) {
        fs::rename(aside, target);
        throw;
    }
}

}  // namespace

std::vector<fs::path> write_item(const Item& item, const fs::path& target, bool overwrite) {
    switch (item.kind) {
        case ItemKind::Mesh:
            write_mesh(target, *item.content->body(0).mesh, {.overwrite = overwrite});
            return {target};
        case ItemKind::Sequence:
            return write_sequence(*item.content, target, overwrite);
        case ItemKind::Run:
            copy_run(item.content->facts().run, target, overwrite);
            return {target};
        case ItemKind::Scene:
            break;
    }
    throw UsageError("A scene is saved by 'sim.save'.");
}

}  // namespace toile::studio
