// SPDX-License-Identifier: Apache-2.0
#include "toile/io/obj.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/dropped.h"
#include "toile/io/polygons.h"
#include "toile/io/text_cursor.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace toile {
namespace {

constexpr int kNone = -1;

// The name that statements such as `g` give to the faces after them.
class NameTrack {
  public:
    explicit NameTrack(TriangleNames& names) : names_(names) {}

    void set(std::string_view name, int n_triangles) {
        names_.of_triangle.resize(static_cast<size_t>(n_triangles), current_);
        if (name.empty()) {
            current_ = kNone;
            return;
        }
        const auto [place, is_new] =
            index_.try_emplace(std::string(name), static_cast<int>(names_.names.size()));
        if (is_new) names_.names.emplace_back(name);
        current_ = place->second;
    }

    void extend(int n_triangles) {
        if (names_.names.empty()) return;
        names_.of_triangle.resize(static_cast<size_t>(n_triangles), current_);
    }

    void finish() {
        if (names_.names.empty()) names_.of_triangle.clear();
    }

  private:
    TriangleNames& names_;
    std::map<std::string, int, std::less<>> index_;
    int current_ = kNone;
};

// A face may name a point that the file defines later.
struct ForwardReference {
    long long index;
    int line;
};

class ObjReader {
  public:
    ObjReader(std::string_view bytes, const std::string& file_name)
        : cursor_(bytes, file_name, TextCursor::Continuations::Yes), file_name_(file_name) {}

    TriangleMesh read() {
        while (cursor_.next_line()) statement(cursor_.word());
        finish();
        return std::move(mesh_);
    }

  private:
    void statement(std::string_view keyword);
    void vertex();
    void texture_coordinate();
    void face();
    void corner(std::string_view word);
    int index(std::string_view& text, size_t count, std::vector<ForwardReference>& out_forward);
    void add_triangles();
    void drop(std::string_view keyword);
    void finish();
    void check_forward(const std::vector<ForwardReference>& forward, size_t count,
                       std::string_view what) const;
    void fill_missing_uvs();

    TextCursor cursor_;
    const std::string& file_name_;
    TriangleMesh mesh_;
    NameTrack objects_{mesh_.objects};
    NameTrack groups_{mesh_.groups};
    NameTrack materials_{mesh_.materials};
    std::vector<int> corners_, corner_uvs_;  // of the face being read
    std::vector<ForwardReference> forward_vertices_, forward_uvs_;
    int n_polygons_ = 0;
    bool has_polygons_ = false;
    int n_without_uvs_ = 0;
    int first_without_uvs_ = 0;
    DroppedKinds dropped_;
};

void ObjReader::statement(std::string_view keyword) {
    if (keyword.empty() || keyword[0] == '#') return;
    if (keyword == "v") return vertex();
    if (keyword == "vt") return texture_coordinate();
    if (keyword == "f") return face();
    if (keyword == "o") return objects_.set(cursor_.rest_of_line(), mesh_.n_triangles());
    if (keyword == "g") return groups_.set(cursor_.rest_of_line(), mesh_.n_triangles());
    if (keyword == "usemtl") return materials_.set(cursor_.rest_of_line(), mesh_.n_triangles());
    if (keyword == "mtllib") {
        if (!mesh_.material_library.empty()) mesh_.material_library += ' ';
        mesh_.material_library += cursor_.rest_of_line();
        return;
    }
    drop(keyword);
}

void ObjReader::drop(std::string_view keyword) {
    if (keyword == "vn") {
        dropped_.add("'vn' (vertex normals)", cursor_.line());
    } else if (keyword == "s") {
        dropped_.add("'s' (smoothing groups)", cursor_.line());
    } else if (keyword == "l") {
        dropped_.add("'l' (line elements)", cursor_.line());
    } else if (keyword == "p") {
        dropped_.add("'p' (point elements)", cursor_.line());
    } else {
        dropped_.add(fmt::format("unknown statement {}", quoted(keyword)), cursor_.line());
    }
    while (!cursor_.word().empty()) {
    }
}

void ObjReader::vertex() {
    const double x = cursor_.number("the x coordinate of a vertex");
    const double y = cursor_.number("the y coordinate of a vertex");
    const double z = cursor_.number("the z coordinate of a vertex");
    mesh_.positions.emplace_back(x, y, z);

    int n_more = 0;
    for (std::string_view word = cursor_.word(); !word.empty() && word[0] != '#';
         word = cursor_.word(), ++n_more) {
        if (!parse_number(word)) {
            cursor_.fail(fmt::format("expected the end of the vertex, found {}.", quoted(word)));
        }
    }
    if (n_more == 1 || n_more == 4) dropped_.add("weights of 'v'", cursor_.line());
    if (n_more >= 3) dropped_.add("colours of 'v'", cursor_.line());
}

void ObjReader::texture_coordinate() {
    const double u = cursor_.number("the first texture coordinate");
    const std::string_view word = cursor_.word();
    double v = 0.0;
    if (!word.empty() && word[0] != '#') {
        const std::optional<double> number = parse_number(word);
        if (!number || !std::isfinite(*number)) {
            cursor_.fail(
                fmt::format("expected the second texture coordinate (a finite number), found {}.",
                            quoted(word)));
        }
        v = *number;
    }
    mesh_.uvs.emplace_back(u, v);
}

void ObjReader::face() {
    corners_.clear();
    corner_uvs_.clear();
    for (std::string_view word = cursor_.word(); !word.empty() && word[0] != '#';
         word = cursor_.word()) {
        corner(word);
    }
    if (corners_.size() < 3) {
        cursor_.fail(
            fmt::format("a face needs 3 corners or more, this one has {}.", corners_.size()));
    }
    if (!corner_uvs_.empty() && corner_uvs_.size() != corners_.size()) {
        cursor_.fail(
            fmt::format("{} of the {} corners of a face have texture coordinates; "
                        "expected all or none.",
                        corner_uvs_.size(), corners_.size()));
    }
    add_triangles();
}

// One of v, v/vt, v//vn, v/vt/vn; the normal must be a number and is not used.
void ObjReader::corner(std::string_view word) {
    std::string_view text = word;
    corners_.push_back(index(text, mesh_.positions.size(), forward_vertices_));
    if (text.empty()) return;
    text.remove_prefix(1);
    if (!text.empty() && text[0] != '/') {
        corner_uvs_.push_back(index(text, mesh_.uvs.size(), forward_uvs_));
    }
    if (text.empty()) return;
    text.remove_prefix(1);
    if (!text.empty() && !parse_integer(text)) {
        cursor_.fail(
            fmt::format("expected a corner as v, v/vt, v//vn or v/vt/vn, found {}.", quoted(word)));
    }
}

// Reads the index at the start of `text`, up to a slash, and moves `text` there.
int ObjReader::index(std::string_view& text, size_t count,
                     std::vector<ForwardReference>& out_forward) {
    long long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto length = static_cast<size_t>(end - text.data());
    if (error != std::errc() || (length != text.size() && *end != '/')) {
        cursor_.fail(fmt::format("expected an index of a corner, found {}.", quoted(text)));
    }
    const auto n = static_cast<long long>(count);
    if (value == 0) cursor_.fail("a corner has index 0; indices start at 1.");
    if (value < -n || value > std::numeric_limits<int>::max()) {
        cursor_.fail(
            fmt::format("a corner has index {}, but there are only {} before it.", value, count));
    }
    if (value > n) out_forward.push_back({value, cursor_.line()});
    text.remove_prefix(length);
    return static_cast<int>(value > 0 ? value - 1 : n + value);
}

void ObjReader::add_triangles() {
    const bool with_uvs = !corner_uvs_.empty();
    if (!with_uvs && n_without_uvs_++ == 0) first_without_uvs_ = cursor_.line();
    // Nothing is kept of UVs until the first face that has them.
    const bool keep_uvs = with_uvs || !mesh_.uv_triangles.empty();
    if (keep_uvs) mesh_.uv_triangles.resize(mesh_.triangles.size(), {kNone, kNone, kNone});
    for (size_t i = 2; i < corners_.size(); ++i) {
        mesh_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
        mesh_.polygon_of_triangle.push_back(n_polygons_);
        if (with_uvs) {
            mesh_.uv_triangles.push_back({corner_uvs_[0], corner_uvs_[i - 1], corner_uvs_[i]});
        } else if (keep_uvs) {
            mesh_.uv_triangles.push_back({kNone, kNone, kNone});
        }
    }
    ++n_polygons_;
    has_polygons_ = has_polygons_ || corners_.size() > 3;
    objects_.extend(mesh_.n_triangles());
    groups_.extend(mesh_.n_triangles());
    materials_.extend(mesh_.n_triangles());
}

void ObjReader::check_forward(const std::vector<ForwardReference>& forward, size_t count,
                              std::string_view what) const {
    for (const ForwardReference& reference : forward) {
        if (reference.index <= static_cast<long long>(count)) continue;
        cursor_.fail_at(reference.line, fmt::format("a face names {} {}, but the file has only {}.",
                                                    what, reference.index, count));
    }
}

void ObjReader::fill_missing_uvs() {
    if (mesh_.uv_triangles.empty() || n_without_uvs_ == 0) return;
    const int origin = static_cast<int>(mesh_.uvs.size());
    mesh_.uvs.emplace_back(0.0, 0.0);
    for (Triangle& triangle : mesh_.uv_triangles) {
        if (triangle[0] == kNone) triangle = {origin, origin, origin};
    }
    log_warning(fmt::format(
        "{}:{}: {} of {} faces have no texture coordinates; these get one more at (0, 0).",
        file_name_, first_without_uvs_, n_without_uvs_, n_polygons_));
}

void ObjReader::finish() {
    if (mesh_.positions.empty() && !dropped_.empty()) {
        cursor_.fail_at(dropped_.first_line(), "found no vertex; this is no OBJ file.");
    }
    check_forward(forward_vertices_, mesh_.positions.size(), "vertex");
    check_forward(forward_uvs_, mesh_.uvs.size(), "texture coordinate");
    fill_missing_uvs();
    if (!has_polygons_) mesh_.polygon_of_triangle.clear();
    objects_.finish();
    groups_.finish();
    materials_.finish();
    dropped_.warn(file_name_);
}

using Buffer = std::string;

// Writes `keyword NAME` where the name of triangle t is not the one in force.
void write_name(Buffer& out, std::string_view keyword, const TriangleNames& names, size_t t,
                int& current) {
    if (names.empty() || names.of_triangle[t] == current) return;
    current = names.of_triangle[t];
    out += keyword;
    if (current != kNone) {
        out += ' ';
        out += names.names[static_cast<size_t>(current)];
    }
    out += '\n';
}

void write_face(Buffer& out, const PolygonLoop& loop) {
    out += 'f';
    for (size_t i = 0; i < loop.vertices.size(); ++i) {
        if (loop.uvs.empty()) {
            fmt::format_to(std::back_inserter(out), " {}", loop.vertices[i] + 1);
        } else {
            fmt::format_to(std::back_inserter(out), " {}/{}", loop.vertices[i] + 1,
                           loop.uvs[i] + 1);
        }
    }
    out += '\n';
}

void write_faces(Buffer& out, const TriangleMesh& mesh) {
    PolygonLoop loop;
    int object = kNone, group = kNone, material = kNone;
    for (int t = 0; t < mesh.n_triangles();) {
        write_name(out, "o", mesh.objects, static_cast<size_t>(t), object);
        write_name(out, "g", mesh.groups, static_cast<size_t>(t), group);
        write_name(out, "usemtl", mesh.materials, static_cast<size_t>(t), material);
        t = polygon_at(mesh, t, loop);
        write_face(out, loop);
    }
}

}  // namespace

TriangleMesh read_obj(std::string_view bytes, const std::string& file_name) {
    if (bytes.empty()) throw InvalidInput(fmt::format("{}: byte 0: the file is empty.", file_name));
    if (const size_t zero = bytes.find('\0'); zero != std::string_view::npos) {
        throw InvalidInput(fmt::format(
            "{}: byte {} is zero, so this is no text; expected an OBJ file.", file_name, zero));
    }
    return ObjReader(bytes, file_name).read();
}

std::string write_obj(const TriangleMesh& mesh, const MeshWriteOptions&) {
    Buffer out = "# Written by Toile\n";
    if (!mesh.material_library.empty()) {
        fmt::format_to(std::back_inserter(out), "mtllib {}\n", mesh.material_library);
    }
    for (const Vec3& p : mesh.positions) {
        fmt::format_to(std::back_inserter(out), "v {} {} {}\n", p.x(), p.y(), p.z());
    }
    for (const Vec2& uv : mesh.uvs) {
        fmt::format_to(std::back_inserter(out), "vt {} {}\n", uv.x(), uv.y());
    }
    write_faces(out, mesh);
    return out;
}

}  // namespace toile
