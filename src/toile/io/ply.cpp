// SPDX-License-Identifier: Apache-2.0
#include "toile/io/ply.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/ply_body.h"
#include "toile/io/ply_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace toile {
namespace {

constexpr std::array kUvNames = {
    std::pair<std::string_view, std::string_view>{"s", "t"},
    std::pair<std::string_view, std::string_view>{"u", "v"},
    std::pair<std::string_view, std::string_view>{"texture_u", "texture_v"},
    std::pair<std::string_view, std::string_view>{"texture_s", "texture_t"},
};

void append_name(std::string& list, std::string_view name) {
    list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
}

// Where the face properties red, green and blue stand; -1 unless all are there, as bytes or floats.
std::array<int, 3> color_properties(const PlyElement& face) {
    std::array<int, 3> found{face.find_value("red"), face.find_value("green"),
                             face.find_value("blue")};
    for (const int p : found) {
        if (p < 0) return {-1, -1, -1};
        const PlyType type = face.properties[static_cast<size_t>(p)].type;
        if (type != PlyType::Uint8 && type < PlyType::Float32) return {-1, -1, -1};
    }
    return found;
}

size_t place_in(const std::array<int, 3>& colors, int property) {
    return static_cast<size_t>(std::find(colors.begin(), colors.end(), property) - colors.begin());
}

// Reads the elements of the file in its order; Body is PlyAsciiBody or PlyBinaryBody.
template <class Body>
class PlyReader {
  public:
    PlyReader(const PlyHeader& header, const std::string& file_name, Body body)
        : header_(header), file_name_(file_name), body_(std::move(body)) {}

    TriangleMesh read() {
        find_vertex_count();
        for (const PlyElement& element : header_.elements) {
            body_.check_count(element);
            if (element.name == "vertex") {
                vertices(element);
            } else if (element.name == "face") {
                faces(element);
            } else {
                skip(element);
            }
        }
        finish_uvs();
        if (!has_polygons_) mesh_.polygon_of_triangle.clear();
        warn();
        return std::move(mesh_);
    }

  private:
    void find_vertex_count();
    void vertices(const PlyElement& element);
    void faces(const PlyElement& element);
    void polygon(const std::vector<double>& corners, const std::vector<double>& texcoords);
    int index(double value) const;
    void list(const PlyProperty& property, std::vector<double>& out_values);
    void skip(const PlyElement& element);
    void skip_property(const PlyProperty& property);
    double color_value(PlyType type);
    Vec2 uv(double u, double v) const;
    void finish_uvs();
    void warn() const;

    const PlyHeader& header_;
    const std::string& file_name_;
    Body body_;
    TriangleMesh mesh_;
    std::uint64_t n_vertices_ = 0;
    bool has_vertex_uvs_ = false;
    bool has_polygons_ = false;
    std::string dropped_properties_, dropped_elements_;
    std::vector<double> ignored_;
};

template <class Body>
void PlyReader<Body>::find_vertex_count() {
    for (const PlyElement& element : header_.elements) {
        if (element.name != "vertex") continue;
        n_vertices_ = element.count;
        if (n_vertices_ > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
            body_.fail(fmt::format("the header counts {} vertices; at most {} can be read.",
                                   n_vertices_, std::numeric_limits<int>::max()));
        }
        for (const char* name : {"x", "y", "z"}) {
            if (element.find_value(name) >= 0) continue;
            body_.fail(fmt::format("element 'vertex' has no property '{}'.", name));
        }
        return;
    }
    body_.fail("the header has no element 'vertex'.");
}

template <class Body>
void PlyReader<Body>::vertices(const PlyElement& element) {
    // Where each property goes: x y z u v, or nowhere.
    constexpr size_t kNowhere = 5;
    std::vector<size_t> place(element.properties.size(), kNowhere);
    place[static_cast<size_t>(element.find_value("x"))] = 0;
    place[static_cast<size_t>(element.find_value("y"))] = 1;
    place[static_cast<size_t>(element.find_value("z"))] = 2;
    for (const auto& [first, second] : kUvNames) {
        const int u = element.find_value(first), v = element.find_value(second);
        if (u < 0 || v < 0) continue;
        place[static_cast<size_t>(u)] = 3;
        place[static_cast<size_t>(v)] = 4;
        has_vertex_uvs_ = true;
        break;
    }
    for (size_t i = 0; i < place.size(); ++i) {
        if (place[i] == kNowhere) append_name(dropped_properties_, element.properties[i].name);
    }

    mesh_.positions.reserve(n_vertices_);
    std::array<double, kNowhere + 1> values{};
    for (std::uint64_t row = 0; row < element.count; ++row) {
        body_.begin_row(element);
        for (size_t i = 0; i < place.size(); ++i) {
            const PlyProperty& property = element.properties[i];
            if (property.is_list) {
                list(property, ignored_);
                continue;
            }
            values[place[i]] = body_.value(property.type);
            if (place[i] != kNowhere && !std::isfinite(values[place[i]])) {
                body_.fail(fmt::format("vertex {} has {} = {}; expected a finite number.", row,
                                       property.name, values[place[i]]));
            }
        }
        body_.end_row();
        mesh_.positions.emplace_back(values[0], values[1], values[2]);
        if (has_vertex_uvs_) mesh_.uvs.emplace_back(values[3], values[4]);
    }
}

template <class Body>
void PlyReader<Body>::list(const PlyProperty& property, std::vector<double>& out_values) {
    const double length = body_.value(property.count_type);
    if (!(length >= 0.0 && length <= 4294967295.0) || length != std::floor(length)) {
        body_.fail(fmt::format("the list '{}' has the length {}.", property.name, length));
    }
    const auto n = static_cast<std::uint64_t>(length);
    body_.check_list(n, property.type);
    out_values.clear();
    for (std::uint64_t i = 0; i < n; ++i) out_values.push_back(body_.value(property.type));
}

template <class Body>
void PlyReader<Body>::skip_property(const PlyProperty& property) {
    if (property.is_list) {
        list(property, ignored_);
    } else {
        body_.value(property.type);
    }
}

template <class Body>
void PlyReader<Body>::skip(const PlyElement& element) {
    append_name(dropped_elements_, element.name);
    if (element.properties.empty()) return;
    for (std::uint64_t row = 0; row < element.count; ++row) {
        body_.begin_row(element);
        for (const PlyProperty& property : element.properties) skip_property(property);
        body_.end_row();
    }
}

template <class Body>
void PlyReader<Body>::faces(const PlyElement& element) {
    int indices = element.find_list("vertex_indices");
    if (indices < 0) indices = element.find_list("vertex_index");
    if (indices < 0 && element.count > 0) {
        body_.fail("element 'face' has no list 'vertex_indices'.");
    }
    const int texcoord = element.find_list("texcoord");
    const std::array<int, 3> colors = color_properties(element);
    for (size_t i = 0; i < element.properties.size(); ++i) {
        const int p = static_cast<int>(i);
        if (p == indices || p == texcoord || place_in(colors, p) < colors.size()) continue;
        append_name(dropped_properties_, element.properties[i].name);
    }
    std::vector<double> corners, texcoords;
    Vec3 color = Vec3::Zero();
    for (std::uint64_t row = 0; row < element.count; ++row) {
        body_.begin_row(element);
        for (size_t i = 0; i < element.properties.size(); ++i) {
            const int p = static_cast<int>(i);
            if (p == indices) {
                list(element.properties[i], corners);
            } else if (p == texcoord) {
                list(element.properties[i], texcoords);
            } else if (const size_t channel = place_in(colors, p); channel < colors.size()) {
                color[static_cast<Eigen::Index>(channel)] = color_value(element.properties[i].type);
            } else {
                skip_property(element.properties[i]);
            }
        }
        body_.end_row();
        polygon(corners, texcoords);
        if (colors[0] >= 0) mesh_.triangle_colors.resize(mesh_.triangles.size(), color);
    }
}

template <class Body>
double PlyReader<Body>::color_value(PlyType type) {
    const double value = body_.value(type);
    const double scaled = type == PlyType::Uint8 ? value / 255 : value;
    if (scaled >= 0 && scaled <= 1) return scaled;
    body_.fail(fmt::format("a face has {} in its colour; expected 0 to 1.", value));
}

template <class Body>
int PlyReader<Body>::index(double value) const {
    if (!(value >= 0.0 && value < static_cast<double>(n_vertices_)) || value != std::floor(value)) {
        body_.fail(fmt::format("a face names vertex {}, but the file has vertices 0 to {}.", value,
                               static_cast<long long>(n_vertices_) - 1));
    }
    return static_cast<int>(value);
}

template <class Body>
Vec2 PlyReader<Body>::uv(double u, double v) const {
    if (!std::isfinite(u) || !std::isfinite(v)) {
        body_.fail(
            fmt::format("a face has the texture coordinate ({}, {}); expected finite "
                        "numbers.",
                        u, v));
    }
    return {u, v};
}

template <class Body>
void PlyReader<Body>::polygon(const std::vector<double>& corners,
                              const std::vector<double>& texcoords) {
    if (corners.size() < 3) {
        body_.fail(fmt::format("a face needs 3 corners or more, this one has {}.", corners.size()));
    }
    const bool has_texcoords = !texcoords.empty();
    if (has_texcoords && texcoords.size() != 2 * corners.size()) {
        body_.fail(fmt::format("a face with {} corners has {} numbers in 'texcoord'; expected {}.",
                               corners.size(), texcoords.size(), 2 * corners.size()));
    }
    const bool keep_texcoords = has_texcoords && !has_vertex_uvs_;
    const bool had_texcoords = !mesh_.uv_triangles.empty();
    if (!has_vertex_uvs_ && keep_texcoords != had_texcoords && !mesh_.triangles.empty()) {
        body_.fail("some faces have 'texcoord' and others have none; expected all or none.");
    }
    const int first_uv = static_cast<int>(mesh_.uvs.size());
    for (size_t i = 0; keep_texcoords && i < corners.size(); ++i) {
        mesh_.uvs.push_back(uv(texcoords[2 * i], texcoords[2 * i + 1]));
    }
    const int id = mesh_.triangles.empty() ? 0 : mesh_.polygon_of_triangle.back() + 1;
    const int first = index(corners[0]);
    for (size_t i = 2; i < corners.size(); ++i) {
        mesh_.triangles.push_back({first, index(corners[i - 1]), index(corners[i])});
        mesh_.polygon_of_triangle.push_back(id);
        const int corner = first_uv + static_cast<int>(i);
        if (keep_texcoords) mesh_.uv_triangles.push_back({first_uv, corner - 1, corner});
    }
    has_polygons_ = has_polygons_ || corners.size() > 3;
}

template <class Body>
void PlyReader<Body>::finish_uvs() {
    if (has_vertex_uvs_) mesh_.uv_triangles = mesh_.triangles;
}

template <class Body>
void PlyReader<Body>::warn() const {
    if (!dropped_properties_.empty()) {
        log_warning(fmt::format("{}: properties {} left out.", file_name_, dropped_properties_));
    }
    if (!dropped_elements_.empty()) {
        log_warning(fmt::format("{}: elements {} left out.", file_name_, dropped_elements_));
    }
}

}  // namespace

TriangleMesh read_ply(std::string_view bytes, const std::string& file_name) {
    if (bytes.empty()) throw InvalidInput(fmt::format("{}: byte 0: the file is empty.", file_name));
    const PlyHeader header = read_ply_header(bytes, file_name);
    if (header.encoding == PlyEncoding::Ascii) {
        return PlyReader(header, file_name, PlyAsciiBody(bytes, header, file_name)).read();
    }
    return PlyReader(header, file_name, PlyBinaryBody(bytes, header, file_name)).read();
}

}  // namespace toile
