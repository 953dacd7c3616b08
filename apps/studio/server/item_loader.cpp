// SPDX-License-Identifier: Apache-2.0
#include "studio/server/item_loader.h"

#include "toile/core/error.h"
#include "toile/io/mesh_file.h"
#include "toile/io/numbered.h"
#include "toile/io/point_cache.h"
#include "toile/io/sequence_file.h"
#include "toile/scene/environment_folder.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/bodies.h"
#include "toile/sim/run_files.h"
#include "toile/sim/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace toile::studio {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const TriangleMesh> shared(TriangleMesh mesh) {
    return std::make_shared<const TriangleMesh>(std::move(mesh));
}

Item made_item(ItemKind kind, std::string name, ItemContent::Facts facts) {
    Item item;
    item.kind = kind;
    item.name = std::move(name);
    item.content = std::make_shared<const ItemContent>(std::move(facts));
    return item;
}

std::string plain_name(const fs::path& path) {
    const fs::path name = path.filename().empty() ? path.parent_path() : path;
    return fs::is_directory(path) ? name.filename().string() : name.stem().string();
}

int count_frames(FrameSource& source) {
    if (const std::optional<int> known = source.n_frames()) return *known;
    int n = 0;
    while (source.skip()) ++n;
    return n;
}

Item mesh_item(const fs::path& path) {
    ItemContent::Facts facts;
    ItemBody& body = facts.bodies.emplace_back();
    body.name = path.stem().string();
    body.mesh = shared(read_mesh(path));
    facts.source = path;
    return made_item(ItemKind::Mesh, path.stem().string(), std::move(facts));
}

std::optional<Vec3> up_of(const Scene& scene) {
    const Vec3& gravity = scene.settings.gravity;
    if (gravity.isZero(0)) return std::nullopt;
    return -gravity.stableNormalized();
}

/// The cloth as it lies at rest, for what it is strained by.
std::shared_ptr<const Cloth> shared_cloth(const ClothSetup& setup) {
    return std::make_shared<const Cloth>(make_cloth_body(setup).cloth);
}

/// A run's scene may have been changed since: its cloth is then another than the frames are of.
void require_same_mesh(const Cloth& cloth, const TriangleMesh& mesh, const RunFiles& files,
                       const std::string& name) {
    const auto triangles = cloth.triangles();
    const bool same = cloth.n_vertices() == mesh.n_vertices() &&
                      std::equal(triangles.begin(), triangles.end(), mesh.triangles.begin(),
                                 mesh.triangles.end());
    if (same) return;
    throw InvalidInput(fmt::format(
        "{}: the cloth '{}' has {} vertices and {} triangles, {} has {} and {}, or others; the "
        "scene was changed after the run was made.",
        files.scene().string(), name, cloth.n_vertices(), cloth.n_triangles(),
        files.mesh(name).string(), mesh.n_vertices(), mesh.n_triangles()));
}

Item run_item(const fs::path& folder) {
    const RunFiles files{folder};
    const Scene scene = load_scene(files.scene());
    ItemContent::Facts facts;
    std::vector<std::string> names;
    const auto add = [&](const BodySetup& setup, BodyRole role) -> ItemBody& {
        ItemBody& body = facts.bodies.emplace_back();
        body.name = setup.name;
        body.role = role;
        body.color = setup.colour;
        body.mesh = shared(read_mesh(files.mesh(setup.name)));
        body.motion = SequenceFiles{files.positions(setup.name).string(), files.mesh(setup.name)};
        body.moves = true;
        names.push_back(setup.name);
        return body;
    };
    for (const ClothSetup& setup : scene.cloths) {
        ItemBody& body = add(setup, BodyRole::Cloth);
        body.cloth = shared_cloth(setup);
        require_same_mesh(*body.cloth, *body.mesh, files, setup.name);
    }
    for (const ObstacleSetup& obstacle : scene.obstacles) add(obstacle, BodyRole::Obstacle);
    facts.n_frames = whole_frames(folder, names);
    if (facts.n_frames == 0) {
        throw InvalidInput(fmt::format("The run {} has no whole frame.", folder.string()));
    }
    facts.frame_rate = scene.settings.frame_rate;
    facts.up = up_of(scene);
    facts.run = folder;
    facts.source = folder;
    return made_item(ItemKind::Run, plain_name(folder), std::move(facts));
}

bool is_scene(const fs::path& path) {
    return lower_extension(path) == ".toml" || is_environment_folder(path);
}

bool holds_numbered_meshes(const fs::path& folder) {
    try {
        static_cast<void>(find_numbered_pattern(folder));
        return true;
    } catch (const Error&) {
        return false;
    }
}

FileKind folder_kind(const fs::path& path) {
    if (is_run_folder(path)) return FileKind::Run;
    if (is_environment_folder(path)) return FileKind::Scene;
    return holds_numbered_meshes(path) ? FileKind::Sequence : FileKind::Other;
}

}  // namespace

const char* file_kind_name(FileKind kind) {
    switch (kind) {
        case FileKind::Mesh:
            return "mesh";
        case FileKind::Sequence:
            return "sequence";
        case FileKind::Scene:
            return "scene";
        case FileKind::Run:
            return "run";
        case FileKind::Markers:
            return "markers";
        case FileKind::Pairs:
            return "pairs";
        case FileKind::Other:
            break;
    }
    return "other";
}

FileKind file_kind(const fs::path& path) {
    if (fs::is_directory(path)) return folder_kind(path);
    const std::string extension = lower_extension(path);
    if (extension == ".toml") return FileKind::Scene;
    if (extension == ".cons" || extension == ".corr" || extension == ".yml") {
        return FileKind::Markers;
    }
    if (extension == ".tricorrs" || extension == ".pairs") return FileKind::Pairs;
    if (find_point_cache_format(path)) return FileKind::Sequence;
    return find_mesh_format(path) ? FileKind::Mesh : FileKind::Other;
}

ItemContent::Facts scene_facts(const Scene& scene) {
    ItemContent::Facts facts;
    for (const ClothSetup& setup : scene.cloths) {
        ItemBody& body = facts.bodies.emplace_back();
        ClothBody cloth = make_cloth_body(setup);
        body.name = setup.name;
        body.role = BodyRole::Cloth;
        body.color = setup.colour;
        body.mesh = shared(std::move(cloth.mesh));
        body.cloth = std::make_shared<const Cloth>(std::move(cloth.cloth));
        body.moves = true;
    }
    for (const ObstacleSetup& setup : scene.obstacles) {
        ItemBody& body = facts.bodies.emplace_back();
        body.name = setup.name;
        body.role = BodyRole::Obstacle;
        body.color = setup.colour;
        body.mesh = shared(make_obstacle_body(setup).mesh);
        body.moves =
            !setup.keyframes.empty() || !setup.pieces.empty() || !setup.frames.path.empty();
    }
    facts.frame_rate = scene.settings.frame_rate;
    facts.up = up_of(scene);
    return facts;
}

Item sequence_item(const SequenceFiles& files, std::string name) {
    OpenedSequence opened = open_sequence(files.frames, {.mesh = files.mesh});
    if (!opened.mesh) {
        throw InvalidInput(fmt::format(
            "{} has positions but no triangles; name the mesh that it moves.", files.frames));
    }
    ItemContent::Facts facts;
    facts.n_frames = count_frames(*opened.frames);
    if (facts.n_frames == 0) throw InvalidInput(fmt::format("{} has no frames.", files.frames));
    facts.frame_rate = opened.frames->frame_rate().value_or(kDefaultFrameRate);
    ItemBody& body = facts.bodies.emplace_back();
    body.name = name;
    body.mesh = shared(*std::move(opened.mesh));
    body.motion = files;
    body.moves = true;
    facts.source = files.frames;
    return made_item(ItemKind::Sequence, std::move(name), std::move(facts));
}

Item load_item(const fs::path& path, const std::optional<fs::path>& rest) {
    if (is_scene(path)) {
        ItemContent::Facts facts = scene_facts(load_scene(path));
        facts.source = path;
        return made_item(ItemKind::Scene, plain_name(path), std::move(facts));
    }
    if (is_run_folder(path)) return run_item(path);
    const bool is_mesh = !fs::is_directory(path) && find_mesh_format(path) &&
                         (fs::exists(path) || !parse_numbered_pattern(path.string()));
    if (is_mesh) return mesh_item(path);
    return sequence_item({path.string(), rest}, plain_name(path));
}

}  // namespace toile::studio
