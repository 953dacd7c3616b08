// SPDX-License-Identifier: Apache-2.0
#include "mesh_report.h"
#include "toile/io/mesh_file.h"
#include "verb.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace toile::app {
namespace {

void describe(const std::string& path) {
    const TriangleMesh mesh = read_mesh(path);
    fmt::print("{}\n{}", path, mesh_report(mesh, diagnose(mesh.positions, mesh.triangles)));
}

nlohmann::ordered_json description(const std::string& path) {
    const TriangleMesh mesh = read_mesh(path);
    nlohmann::ordered_json result = {{"file", path}};
    result.update(mesh_report_json(mesh, diagnose(mesh.positions, mesh.triangles)));
    return result;
}

void info(const Session& session, const std::vector<std::string>& paths) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const std::string& path : paths) {
        if (session.json) {
            all.push_back(description(path));
        } else {
            describe(path);
        }
    }
    if (session.json) fmt::print("{}\n", all.dump(2));
}

}  // namespace

void add_verb_info(CLI::App& app, Session& session) {
    CLI::App* info_app = app.add_subcommand("info", "Say what meshes and sequences hold");
    auto paths = std::make_shared<std::vector<std::string>>();
    info_app->add_option("path", *paths, "Meshes or sequences")->required()->type_name("PATH");
    info_app->callback([paths, &session] { info(session, *paths); });
}

}  // namespace toile::app
