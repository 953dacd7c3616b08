// SPDX-License-Identifier: Apache-2.0
#include "studio/rooms/look_room.h"

#include "toile/io/polygons.h"
#include "toile/mesh/difference.h"
#include "toile/sequence/vertex_field.h"
#include "toile/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace toile::studio {
namespace {

/// Red, green, blue of every vertex: of the first triangle that has it.
std::vector<Vec3> vertex_colors(const TriangleMesh& mesh) {
    std::vector<Vec3> colors(mesh.positions.size(), Vec3::Ones());
    for (int t = mesh.n_triangles() - 1; t >= 0; --t) {
        const auto triangle = static_cast<size_t>(t);
        for (const int v : mesh.triangles[triangle]) {
            colors[static_cast<size_t>(v)] = mesh.triangle_colors[triangle];
        }
    }
    return colors;
}

/// The edges of the polygons that the file had, each once, two numbers an edge.
std::vector<std::uint32_t> polygon_edges(const TriangleMesh& mesh) {
    std::set<std::pair<int, int>> edges;
    PolygonLoop loop;
    for (int t = 0; t < mesh.n_triangles();) {
        t = polygon_at(mesh, t, loop);
        for (size_t i = 0; i < loop.vertices.size(); ++i) {
            edges.insert(
                std::minmax(loop.vertices[i], loop.vertices[(i + 1) % loop.vertices.size()]));
        }
    }
    std::vector<std::uint32_t> numbers;
    numbers.reserve(2 * edges.size());
    for (const auto& [a, b] : edges) {
        numbers.push_back(static_cast<std::uint32_t>(a));
        numbers.push_back(static_cast<std::uint32_t>(b));
    }
    return numbers;
}

}  // namespace

LookRoom::LookRoom(Services services) : services_(services) {}

std::vector<RequestEntry> LookRoom::requests() {
    return {{"hello", [this](const Request& request) { return hello(request); }},
            {"mesh", [this](const Request& request) { return mesh(request); }},
            {"frame", [this](const Request& request) { return frame(request); }},
            {"difference", [this](const Request& request) { return difference(request); }},
            {"geodesic", [this](const Request& request) { return geodesic(request); }, true},
            {"job.cancel", [this](const Request& request) { return cancel_job(request); }}};
}

Answer LookRoom::hello(const Request&) {
    const Json published = services_.hub.published();
    Json state = {{"version", TOILE_VERSION},
                  {"items", published.at("items").at("items")},
                  {"roots", services_.workspace.roots().names()}};
    for (const char* part : {"sim", "match", "transfer", "edit", "job"}) {
        state[part] = published.contains(part) ? published.at(part) : Json(nullptr);
    }
    return state;
}

Answer LookRoom::mesh(const Request& request) {
    const Item item = services_.workspace.item(request.integer("item"));
    const int index = request.integer("body");
    const TriangleMesh& mesh = *item.content->body(index).mesh;
    BinaryMessage message;
    message.header["positions"] = message.add_points(*item.content->positions(index, 0));
    message.header["triangles"] = message.add_triangles(mesh.triangles);
    if (!mesh.triangle_colors.empty()) {
        message.header["colors"] = message.add_points(vertex_colors(mesh));
    }
    if (!mesh.polygon_of_triangle.empty()) {
        message.header["edges"] = message.add(std::span<const std::uint32_t>(polygon_edges(mesh)));
    }
    return message;
}

Answer LookRoom::frame(const Request& request) {
    const Item item = services_.workspace.item(request.integer("item"));
    const ItemContent& content = *item.content;
    const int number = request.integer("frame");
    const std::vector<std::string> fields = request.texts("fields");
    content.require_frame(number);
    std::optional<ItemFrame> computed;
    if (!fields.empty()) computed = content.frame(number);
    BinaryMessage message;
    message.header["frame"] = number;
    message.header["time"] = number / content.facts().frame_rate;
    Json bodies = Json::array();
    for (size_t b = 0; b < content.facts().bodies.size(); ++b) {
        Json body = {{"body", b}};
        if (content.facts().bodies[b].motion) {
            body["positions"] = message.add_points(*content.positions(static_cast<int>(b), number));
        }
        if (computed) {
            Json values = content.fields().add(fields, b, computed->view(), message);
            if (!values.empty()) body["fields"] = std::move(values);
        }
        if (body.size() > 1) bodies.push_back(std::move(body));
    }
    message.header["bodies"] = std::move(bodies);
    return message;
}

Answer LookRoom::difference(const Request& request) {
    const Item item = services_.workspace.item(request.integer("item"));
    const Item other = services_.workspace.item(request.integer("other"));
    const int frame = request.integer("frame");
    const size_t n_bodies =
        std::min(item.content->facts().bodies.size(), other.content->facts().bodies.size());
    BinaryMessage message;
    Json bodies = Json::array();
    for (int b = 0; b < static_cast<int>(n_bodies); ++b) {
        const auto own = item.content->positions(b, frame);
        const bool stands = other.content->facts().n_frames == 1;
        const auto others = other.content->positions(b, stands ? 0 : frame);
        const VertexDifference difference = vertex_difference(*own, *others);
        bodies.push_back({{"body", b},
                          {"values", message.add_numbers(displacement_field(*own, *others).values)},
                          {"mean", difference.mean},
                          {"maximum", difference.max}});
    }
    message.header["frame"] = frame;
    message.header["bodies"] = std::move(bodies);
    return message;
}

Answer LookRoom::geodesic(const Request& request) {
    const Item item = services_.workspace.item(request.integer("item"));
    const int body = request.integer("body");
    const auto& mesh = item.content->body(body).mesh;
    if (mesh != distance_mesh_) {
        distance_ = std::make_unique<SurfaceDistance>(mesh->triangles, mesh->n_vertices());
        distance_mesh_ = mesh;
    }
    const int sources[] = {request.integer("vertex")};
    const auto positions = item.content->positions(body, request.integer_if("frame").value_or(0));
    const GeodesicDistances found =
        distance_->within(*positions, sources, request.number("radius"));
    BinaryMessage message;
    const std::vector<std::uint32_t> vertices(found.vertices.begin(), found.vertices.end());
    message.header["vertices"] = message.add(std::span<const std::uint32_t>(vertices));
    message.header["distances"] = message.add_numbers(found.distances);
    return message;
}

Answer LookRoom::cancel_job(const Request&) {
    services_.jobs.cancel();
    return Json::object();
}

}  // namespace toile::studio
