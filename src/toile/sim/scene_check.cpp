// SPDX-License-Identifier: Apache-2.0
#include "toile/sim/scene_check.h"

#include "toile/cloth/strain.h"
#include "toile/core/error.h"
#include "toile/mesh/diagnosis.h"
#include "toile/sim/bodies.h"
#include "toile/sim/pin_check.h"
#include "toile/sim/world.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace toile {
namespace {

constexpr double kSmallestPlausible = 0.01;  // m, diagonal of a body
constexpr double kLargestPlausible = 100;    // m
constexpr double kMostThickness = 0.5;       // of the mean edge: above, layers hold each other off
constexpr double kMostStartStrain = 0.05;
constexpr double kMostSpacing = 0.01;      // of the mean edge, between neighbouring float32 numbers
constexpr double kFloatSpacing = 0x1p-23;  // of float32 numbers, relative to the largest
constexpr size_t kMostNamed = 5;

class Findings {
  public:
    Findings(SceneCheck& out, std::string body) : out_(out), body_(std::move(body)) {}
    void warn(const std::string& text) {
        out_.findings.push_back({Severity::Warning, body_, text});
    }
    void error(const std::string& text) { out_.findings.push_back({Severity::Error, body_, text}); }

  private:
    SceneCheck& out_;
    std::string body_;
};

/// `3, 7, 8 and 12 more`.
std::string first_of(std::span<const int> list) {
    const auto named = list.first(std::min(kMostNamed, list.size()));
    std::string text = fmt::format("{}", fmt::join(named, ", "));
    if (list.size() > kMostNamed) text += fmt::format(" and {} more", list.size() - kMostNamed);
    return text;
}

std::string count_of(size_t n, const std::string& thing, const std::string& things = {}) {
    if (n == 1) return "1 " + thing;
    return fmt::format("{} {}", n, things.empty() ? thing + "s" : things);
}

void check_scale(const MeshDiagnosis& mesh, Findings& findings) {
    const double size = mesh.box.diagonal();
    if (size < kSmallestPlausible || size > kLargestPlausible) {
        findings.warn(
            fmt::format("It is {:.3g} m across; is the mesh in metres? `scale` turns its "
                        "units into metres.",
                        size));
    }
}

void check_triangles(const MeshDiagnosis& mesh, Findings& findings) {
    if (!mesh.degenerate_triangles.empty()) {
        findings.warn(fmt::format("{} without area: {}.",
                                  count_of(mesh.degenerate_triangles.size(), "triangle"),
                                  first_of(mesh.degenerate_triangles)));
    }
    if (!mesh.triangles_naming_a_vertex_twice.empty()) {
        findings.warn(fmt::format("A vertex is named twice by {}: {}.",
                                  count_of(mesh.triangles_naming_a_vertex_twice.size(), "triangle"),
                                  first_of(mesh.triangles_naming_a_vertex_twice)));
    }
    if (!mesh.duplicate_triangles.empty()) {
        findings.warn(fmt::format("The same three vertices again in {}, the first is {}.",
                                  count_of(mesh.duplicate_triangles.size(), "triangle"),
                                  mesh.duplicate_triangles[0][0]));
    }
    if (!mesh.inconsistently_oriented_edges.empty()) {
        const Edge& edge = mesh.inconsistently_oriented_edges.front();
        findings.warn(fmt::format(
            "Neighbouring triangles face opposite ways across {}, the first is ({}, {}).",
            count_of(mesh.inconsistently_oriented_edges.size(), "edge"), edge[0], edge[1]));
    }
    if (!mesh.unreferenced_vertices.empty()) {
        findings.warn(fmt::format("{} of no triangle: {}.",
                                  count_of(mesh.unreferenced_vertices.size(), "vertex", "vertices"),
                                  first_of(mesh.unreferenced_vertices)));
    }
}

/// Seams of a garment and unwelded triangles alike: of obstacles they do no harm.
void check_seams(const MeshDiagnosis& mesh, Findings& findings) {
    if (mesh.coincident_vertices.empty()) return;
    const auto& [vertex, earlier] = mesh.coincident_vertices.front();
    findings.warn(fmt::format(
        "At the very place of an earlier vertex there {} {}, the first is {} at vertex {}: "
        "triangles "
        "do not hang together there, and count as crossing where they touch. Weld the mesh (merge "
        "vertices by distance), or move what shall be apart.",
        mesh.coincident_vertices.size() == 1 ? "is" : "are",
        count_of(mesh.coincident_vertices.size(), "vertex", "vertices"), vertex, earlier));
}

/// Files hold float32, and so does every frame once it is read again.
void check_spacing(const MeshDiagnosis& mesh, Findings& findings) {
    const double largest = mesh.box.min.cwiseAbs().cwiseMax(mesh.box.max.cwiseAbs()).maxCoeff();
    const double spacing = kFloatSpacing * largest;
    if (!(spacing > kMostSpacing * mesh.edge_lengths.mean)) return;
    findings.warn(fmt::format(
        "Its coordinates reach {:.3g} m, where float32 files keep steps of {:.2g} m: "
        "coarse against its mean edge of {:.3g} m. Move the scene nearer to the origin.",
        largest, spacing, mesh.edge_lengths.mean));
}

void check_cloth(const ClothBody& body, const MeshDiagnosis& mesh, Findings& findings) {
    const double thickness = body.cloth.fabric().thickness;
    if (thickness > kMostThickness * mesh.edge_lengths.mean) {
        findings.warn(fmt::format(
            "The thickness of {:.3g} m is {:.2g} times the mean edge of {:.3g} "
            "m; above {} folds hold each other off and cloth may crawl. Use a "
            "coarser mesh or a smaller thickness.",
            thickness, thickness / mesh.edge_lengths.mean, mesh.edge_lengths.mean, kMostThickness));
    }
    for (const std::string& warning : body.cloth.warnings()) findings.warn(warning);
    const MaxStrain strain = max_strain(body.cloth, body.mesh.positions);
    if (strain.value > kMostStartStrain) {
        findings.warn(
            fmt::format("It starts with a strain of {:.3g} in triangle {}: its rest shape "
                        "is of another size than its mesh. Check `uv_scale`, or say "
                        "`rest_from_uvs = false`.",
                        strain.value, strain.triangle));
    }
}

/// The body, or nothing and a finding where it cannot be made.
template <class Body, class Setup>
std::optional<Body> try_to_make(const Setup& setup, Body (*make)(const Setup&),
                                Findings& findings) {
    try {
        return make(setup);
    } catch (const Error& e) {
        std::string text = e.what();
        const std::string name =
            fmt::format("Body '{}': ", setup.name);  // a finding has it already
        if (text.starts_with(name)) text.erase(0, name.size());
        findings.error(text);
        return std::nullopt;
    }
}

void check_start(std::span<const CheckedBody> bodies, SceneCheck& check) {
    check.crossings = find_crossings(bodies);
    for (const Crossing& crossing : check.crossings) {
        check.crossing_sentences.push_back(crossing_sentence(bodies, crossing));
    }
    const std::vector<InsideVertex> inside = find_inside_vertices(bodies);
    check.n_inside = static_cast<int>(inside.size());
    if (!inside.empty()) {
        Findings(check, bodies[inside.front().cloth].name).warn(inside_sentence(bodies, inside));
    }
    if (!check.crossings.empty()) {
        Findings(check, "").error(fmt::format("The start holds {} of triangles: {}.",
                                              count_of(check.crossings.size(), "crossing pair"),
                                              crossings_summary(bodies, check.crossings)));
    }
}

/// Whatever else a run would refuse, in its own words: as surfaces that float32 files cannot keep
/// apart.
void try_to_start(const Scene& scene, SceneCheck& check) {
    if (check.has_errors()) return;
    try {
        const World world(scene);
    } catch (const Error& e) {
        Findings(check, "").error(e.what());
    }
}

}  // namespace

bool SceneCheck::has_errors() const {
    return std::ranges::any_of(findings,
                               [](const Finding& f) { return f.severity == Severity::Error; });
}

SceneCheck check_scene(const Scene& scene) {
    SceneCheck check;
    std::vector<ClothBody> cloths;
    std::vector<ObstacleBody> obstacles;
    for (const ClothSetup& setup : scene.cloths) {
        Findings findings(check, setup.name);
        auto body = try_to_make(setup, make_cloth_body, findings);
        if (!body) continue;
        const MeshDiagnosis mesh = diagnose(body->mesh.positions, body->mesh.triangles);
        check_scale(mesh, findings);
        check_spacing(mesh, findings);
        check_triangles(mesh, findings);
        check_seams(mesh, findings);
        check_cloth(*body, mesh, findings);
        cloths.push_back(std::move(*body));
    }
    for (const ObstacleSetup& setup : scene.obstacles) {
        Findings findings(check, setup.name);
        auto body = try_to_make(setup, make_obstacle_body, findings);
        if (!body) continue;
        const MeshDiagnosis mesh = diagnose(body->mesh.positions, body->mesh.triangles);
        check_scale(mesh, findings);
        check_spacing(mesh, findings);
        check_triangles(mesh, findings);
        obstacles.push_back(std::move(*body));
    }
    for (const ClothBody& cloth : cloths) {
        Findings findings(check, cloth.name);
        for (const std::string& sentence : unmet_pins(scene, cloth, obstacles)) {
            findings.warn(sentence);
        }
    }
    for (ObstacleBody& b : obstacles) place_obstacle(b, 0, b.mesh.positions);
    std::vector<CheckedBody> bodies;
    for (const ClothBody& b : cloths) {
        bodies.push_back({b.name, b.mesh.triangles, b.mesh.positions, false});
    }
    for (const ObstacleBody& b : obstacles) {
        bodies.push_back({b.name, b.mesh.triangles, b.mesh.positions, true});
    }
    check_start(bodies, check);
    try_to_start(scene, check);
    return check;
}

SceneCheck check_mesh_alone(const std::string& name, const TriangleMesh& mesh) {
    SceneCheck check;
    Findings findings(check, name);
    const MeshDiagnosis diagnosis = diagnose(mesh.positions, mesh.triangles);
    check_scale(diagnosis, findings);
    check_spacing(diagnosis, findings);
    check_triangles(diagnosis, findings);
    check_seams(diagnosis, findings);
    const std::vector<CheckedBody> bodies = {{name, mesh.triangles, mesh.positions, false}};
    check_start(bodies, check);
    return check;
}

}  // namespace toile
