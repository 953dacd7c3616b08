// SPDX-License-Identifier: Apache-2.0
#include "studio/opened_studio.h"

#include "sim/small_scenes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/pc2.h"
#include "toile/mesh/shapes/rectangle.h"
#include "toile/scene/scene_file.h"
#include "toile/sim/simulate.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

TriangleMesh sheet() {
    return make_rectangle({.width_divisions = 8, .length_divisions = 8});
}

void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

/// Every frame lifts the vertices by a hundredth more than the last.
void write_wave(const fs::path& folder) {
    TriangleMesh mesh = sheet();
    write_mesh(folder / "wave.obj", mesh);
    Pc2Sink sink(folder / "wave.pc2", {.n_points = mesh.n_vertices()});
    for (int frame = 0; frame < 6; ++frame) {
        std::vector<Vec3> positions = mesh.positions;
        for (Vec3& p : positions) p.y() += 0.01 * frame;
        sink.write(positions);
    }
    sink.finish();
}

void write_numbered(const fs::path& folder) {
    fs::create_directories(folder);
    TriangleMesh mesh = sheet();
    for (int frame = 0; frame < 3; ++frame) {
        write_mesh(folder / fmt::format("f_{}.obj", frame), mesh);
        for (Vec3& p : mesh.positions) p.x() += 1;
    }
}

Scene drape(int frames) {
    Scene scene;
    scene.settings.frames = frames;
    scene.cloths = {square_cloth(1, 8, {0, 0.27, 0})};
    scene.obstacles = {obstacle("ball", sphere(0.25, 2))};
    return scene;
}

/// Simulated once, and copied.
void write_run(const fs::path& folder) {
    static const TemporaryFolder first;
    const fs::path made = first / "run";
    if (fs::exists(made)) return fs::copy(made, folder, fs::copy_options::recursive);
    World world(drape(3));
    {
        RunFolder run(made, world);
        const SimulateResult result = simulate(world, run);
        if (result.failure) throw std::runtime_error(result.failure->message());
    }
    write_run(folder);
}

}  // namespace

StudioFolder::StudioFolder() {
    const fs::path inside = opened();
    fs::create_directories(inside);
    write_mesh(inside / "sheet.obj", sheet());
    write_mesh(outside() / "secret.obj", sheet());
    write_wave(inside);
    write_numbered(inside / "frames");
    write(inside / "drape.toml", scene_text(drape(4), inside));
    write(outside() / "secret.toml", scene_text(drape(4), outside()));
    write_run(inside / "run");
    fs::copy(fs::path(TOILE_SOURCE_DIR) / "examples/clothontable/environment",
             inside / "environment", fs::copy_options::recursive);
}

OpenedStudio::OpenedStudio(const std::vector<std::string>& paths) {
    studio::StudioOptions options;
    for (const std::string& path : paths) options.paths.push_back((files.opened() / path).string());
    if (paths.empty()) options.paths.push_back((files.opened() / "sheet.obj").string());
    studio = std::make_unique<studio::Studio>(options);
    page = std::make_unique<StudioClient>(studio->port(), studio->token());
}

OpenedStudio::~OpenedStudio() {
    page.reset();
    const std::string kept = studio ? studio->end() : std::string();
    std::error_code ignored;
    if (!kept.empty()) fs::remove_all(kept, ignored);
}

Json OpenedStudio::open(const std::string& path) {
    return page->ok("open", {{"root", 0}, {"path", path}});
}

}  // namespace toile::test
