// SPDX-License-Identifier: Apache-2.0
#include "toile/render/scene_view.h"

#include "toile/collision/aabb.h"
#include "toile/core/error.h"
#include "toile/core/near_miss.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace toile {
namespace {

constexpr double kMuchLarger = 3;  // diagonals, of a body that the camera need not show whole
constexpr double kGap = 0.1;       // between bodies side by side, in diagonals
constexpr double kFlat = 1e-3;     // height of a floor, in diagonals of its box
constexpr double kObstacleCrease = 35 * std::numbers::pi / 180;

struct ColorPair {
    Color front, back;
};

Aabb box_of(const RenderBody& body) {
    Aabb box;
    for (const Vec3& p : body.positions) box.extend(p);
    return box;
}

void require_indices(std::span<const Triangle> triangles, size_t n, const std::string& body,
                     std::string_view what) {
    for (size_t t = 0; t < triangles.size(); ++t) {
        for (const int v : triangles[t]) {
            if (v >= 0 && static_cast<size_t>(v) < n) continue;
            throw InvalidInput(fmt::format(
                "Triangle {} of body '{}' names {} {}, but there are {}.", t, body, what, v, n));
        }
    }
}

void require_valid(const RenderBody& body) {
    for (size_t v = 0; v < body.positions.size(); ++v) {
        if (body.positions[v].allFinite()) continue;
        throw InvalidInput(
            fmt::format("Vertex {} of body '{}' has a position that is not finite.", v, body.name));
    }
    require_indices(body.triangles, body.positions.size(), body.name, "vertex");
    require_indices(body.uv_triangles, body.uvs.size(), body.name, "texture coordinate");
    const bool has_uvs = !body.uv_triangles.empty();
    if (has_uvs && body.uv_triangles.size() != body.triangles.size()) {
        throw InvalidInput(fmt::format("Body '{}' has {} triangles but texture coordinates for {}.",
                                       body.name, body.triangles.size(), body.uv_triangles.size()));
    }
    if (!body.triangle_colors.empty() && body.triangle_colors.size() != body.triangles.size()) {
        throw InvalidInput(fmt::format("Body '{}' has {} triangles but colours for {}.", body.name,
                                       body.triangles.size(), body.triangle_colors.size()));
    }
    if (body.look.pattern == Pattern::None) return;
    if (!has_uvs && !body.triangles.empty()) {
        throw InvalidInput(fmt::format(
            "Body '{}' has no texture coordinates, which its pattern needs.", body.name));
    }
    if (!(body.look.pattern_size > 0)) {
        throw InvalidInput(fmt::format("The pattern size {} of body '{}' is not above zero.",
                                       body.look.pattern_size, body.name));
    }
}

}  // namespace

Pattern parse_pattern(std::string_view name) {
    const std::array<std::pair<std::string, Pattern>, 3> known = {
        {{"none", Pattern::None}, {"checker", Pattern::Checker}, {"weave", Pattern::Weave}}};
    std::vector<std::string> names;
    for (const auto& [word, pattern] : known) {
        if (word == name) return pattern;
        names.push_back(word);
    }
    throw InvalidInput(fmt::format("There is no pattern '{}'; expected {}.{}", name,
                                   fmt::join(names, ", "), did_you_mean(name, names)));
}

SurfaceLook cloth_look(int i) {
    static const std::array<ColorPair, 5> palette = {{
        {parse_color("#c4523a"), parse_color("#ecc9a0")},  // brick and straw
        {parse_color("#2f7f8c"), parse_color("#bcdcd2")},  // petrol and mint
        {parse_color("#d9a035"), parse_color("#f3e3bd")},  // ochre and cream
        {parse_color("#55508f"), parse_color("#c9c3e2")},  // plum and lavender
        {parse_color("#5f8a4c"), parse_color("#d7e0b4")},  // moss and lime
    }};
    const ColorPair& colors = palette[static_cast<size_t>(i) % palette.size()];
    SurfaceLook look;
    look.front = colors.front;
    look.back = colors.back;
    return look;
}

SurfaceLook obstacle_look(int i) {
    static const std::array<Color, 3> palette = {parse_color("#b9b6b0"), parse_color("#a8b0b5"),
                                                 parse_color("#b8aa98")};
    SurfaceLook look;
    look.front = look.back = palette[static_cast<size_t>(i) % palette.size()];
    look.sheen = look.translucency = 0;
    look.crease_angle = kObstacleCrease;
    return look;
}

RenderBody make_render_body(std::string name, const TriangleMesh& mesh, const SurfaceLook& look) {
    RenderBody body{std::move(name), mesh.positions,    mesh.triangles,
                    mesh.uvs,        mesh.uv_triangles, look};
    for (const Vec3& c : mesh.triangle_colors) {
        const Eigen::Vector3f srgb = c.cast<float>();
        body.triangle_colors.push_back(from_srgb(srgb.x(), srgb.y(), srgb.z()));
    }
    if (look.pattern != Pattern::None) give_flat_coordinates(body);
    return body;
}

void give_flat_coordinates(RenderBody& body) {
    if (!body.uv_triangles.empty()) return;
    body.uvs = flat_coordinates(body.positions);
    body.uv_triangles = body.triangles;
}

std::vector<Vec2> flat_coordinates(std::span<const Vec3> positions) {
    Aabb box;
    for (const Vec3& p : positions) box.extend(p);
    int least = 0;
    if (!positions.empty()) (box.max - box.min).minCoeff(&least);
    std::vector<Vec2> coordinates;
    coordinates.reserve(positions.size());
    for (const Vec3& p : positions)
        coordinates.emplace_back(p[(least + 1) % 3], p[(least + 2) % 3]);
    return coordinates;
}

void require_valid(const SceneView& view) {
    if (!view.up.allFinite() || view.up.isZero(0)) {
        throw InvalidInput("The up direction of a picture must be finite and not zero.");
    }
    for (const RenderBody& body : view.bodies) require_valid(body);
}

std::vector<int> bodies_to_frame(const SceneView& view) {
    Aabb subjects;
    for (const RenderBody& body : view.bodies) {
        if (body.is_subject) subjects.extend(box_of(body));
    }
    const double largest = subjects.empty() ? std::numeric_limits<double>::infinity()
                                            : kMuchLarger * subjects.diagonal();
    std::vector<int> bodies;
    for (size_t i = 0; i < view.bodies.size(); ++i) {
        const RenderBody& body = view.bodies[i];
        if (body.is_subject || box_of(body).diagonal() <= largest)
            bodies.push_back(static_cast<int>(i));
    }
    return bodies;
}

std::vector<Vec3> points_to_frame(const SceneView& view) {
    std::vector<Vec3> points;
    for (const int i : bodies_to_frame(view)) {
        const std::vector<Vec3>& positions = view.bodies[static_cast<size_t>(i)].positions;
        points.insert(points.end(), positions.begin(), positions.end());
    }
    return points;
}

void replace_floors(SceneView& view) {
    const Vec3 up = view.up.normalized();
    const std::vector<int> framed = bodies_to_frame(view);
    for (size_t i = 0; i < view.bodies.size(); ++i) {
        RenderBody& body = view.bodies[i];
        if (std::ranges::binary_search(framed, static_cast<int>(i)) || body.positions.empty())
            continue;
        const auto height = [&](const Vec3& p) { return up.dot(p); };
        const auto [low, high] = std::ranges::minmax_element(body.positions, {}, height);
        if (height(*high) - height(*low) > kFlat * box_of(body).diagonal()) continue;
        view.floor_height = std::max(view.floor_height.value_or(height(*high)), height(*high));
        body.triangles.clear();
        body.uv_triangles.clear();
    }
}

std::vector<Transform> side_by_side(const SceneView& view, const Vec3& direction_to_camera) {
    const Vec3 up = view.up.normalized();
    const Vec3 right = up.cross(direction_to_camera).normalized();
    Mat3 axes;
    axes << right, up, right.cross(up);
    const auto turned_box = [&](const RenderBody& body) {
        Aabb box;
        for (const Vec3& p : body.positions) box.extend(axes.transpose() * p);
        return box;
    };
    std::vector<Transform> places(view.bodies.size());
    double diagonal = 0;
    double reached = 0;
    for (size_t i = 0; i < places.size(); ++i) {
        const Aabb box = turned_box(view.bodies[i]);
        if (!(box.diagonal() > 0)) continue;
        if (diagonal == 0) diagonal = box.diagonal();
        places[i].scale = diagonal / box.diagonal();
        const Vec3 middle = box.center();
        const Vec3 from(box.min.x(), box.min.y(), middle.z());
        places[i].translation = axes * (Vec3(reached, 0, 0) - places[i].scale * from);
        reached += places[i].scale * (box.max.x() - box.min.x()) + kGap * diagonal;
    }
    return places;
}

std::optional<double> lowest_height(const SceneView& view) {
    const std::vector<Vec3> points = points_to_frame(view);
    if (points.empty()) return std::nullopt;
    const Vec3 up = view.up.normalized();
    const auto height = [&](const Vec3& p) { return up.dot(p); };
    return height(*std::ranges::min_element(points, {}, height));
}

}  // namespace toile
