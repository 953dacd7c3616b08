// SPDX-License-Identifier: Apache-2.0
#include "toile/io/off.h"

#include "toile/core/error.h"
#include "toile/io/dropped.h"
#include "toile/io/polygons.h"
#include "toile/io/text_cursor.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace toile {
namespace {

// Three digits and the blanks or line ends after them; the last line may end without one.
constexpr size_t kLeastVertexBytes = 6;
constexpr size_t kLeastFaceBytes = 8;

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

class OffReader {
  public:
    OffReader(std::string_view bytes, const std::string& file_name)
        : cursor_(bytes, file_name), n_bytes_(bytes.size()), file_name_(file_name) {}

    TriangleMesh read();

  private:
    void read_keyword();
    void read_counts();
    void begin_line(std::string_view what, long long index, long long count);
    std::string_view value();
    void vertex(long long v);
    void values_after(long long v);
    void face(long long f);
    int corner(long long f);
    void check_count(std::string_view what, long long count, size_t least_bytes) const;
    void refuse_tail();

    TextCursor cursor_;
    size_t n_bytes_;
    const std::string& file_name_;
    bool has_uvs_ = false;
    long long n_vertices_ = 0, n_faces_ = 0;
    TriangleMesh mesh_;
    long long n_corners_ = 0;   // of the face being read
    std::vector<int> corners_;  // those read of it
    std::vector<double> more_;  // of the vertex being read, after its coordinates
    bool has_polygons_ = false;
    DroppedKinds dropped_;
};

TriangleMesh OffReader::read() {
    read_keyword();
    read_counts();
    check_count("vertices", n_vertices_, kLeastVertexBytes);
    mesh_.positions.reserve(static_cast<size_t>(n_vertices_));
    for (long long v = 0; v < n_vertices_; ++v) vertex(v);
    check_count("faces", n_faces_, kLeastFaceBytes);
    mesh_.triangles.reserve(static_cast<size_t>(n_faces_));
    for (long long f = 0; f < n_faces_; ++f) face(f);
    refuse_tail();
    if (!has_polygons_) mesh_.polygon_of_triangle.clear();
    if (has_uvs_) mesh_.uv_triangles = mesh_.triangles;
    dropped_.warn(file_name_);
    return std::move(mesh_);
}

// The next word of this line that is no comment; empty at its end.
std::string_view OffReader::value() {
    const std::string_view word = cursor_.word();
    if (!word.starts_with('#')) return word;
    cursor_.rest_of_line();
    return {};
}

void OffReader::read_keyword() {
    std::string_view word;
    while (word.empty() && cursor_.next_line()) word = value();
    std::string_view text = word;
    has_uvs_ = take_prefix(text, "ST");
    take_prefix(text, "C");
    take_prefix(text, "N");
    if (text == "OFF") return;
    if (text == "4OFF" || text == "nOFF" || text == "4nOFF") {
        cursor_.fail(fmt::format("{} has points of other than three coordinates; expected OFF.",
                                 quoted(word)));
    }
    cursor_.fail(
        fmt::format("expected the word OFF (or STOFF, COFF, NOFF), found {}.", quoted(word)));
}

void OffReader::read_counts() {
    std::string_view word = value();
    while (word.empty() && cursor_.next_line()) word = value();
    if (word == "BINARY") cursor_.fail("this is OFF in bytes; only its text form is read.");
    const auto count = [&](std::string_view text, std::string_view what) {
        const std::optional<long long> number = parse_integer(text);
        if (number && *number >= 0 && *number <= std::numeric_limits<int>::max()) return *number;
        cursor_.fail(
            fmt::format("expected the number of {} (a whole number from 0 to {}), found "
                        "{}.",
                        what, std::numeric_limits<int>::max(), quoted(text)));
    };
    n_vertices_ = count(word, "vertices");
    n_faces_ = count(value(), "faces");
    if (const std::string_view edges = value(); !edges.empty()) count(edges, "edges");
    if (const std::string_view more = value(); !more.empty()) {
        cursor_.fail(fmt::format("expected the end of the counts, found {}.", quoted(more)));
    }
}

void OffReader::check_count(std::string_view what, long long count, size_t least_bytes) const {
    const size_t left = n_bytes_ - cursor_.offset();
    if (static_cast<unsigned long long>(count) <= (left + 1) / least_bytes) return;
    cursor_.fail(
        fmt::format("the header counts {} {}, which need {} bytes or more each; only {} "
                    "bytes are left.",
                    count, what, least_bytes, left));
}

void OffReader::begin_line(std::string_view what, long long index, long long count) {
    while (cursor_.next_line()) {
        if (cursor_.at_end_of_line()) continue;
        TextCursor ahead = cursor_;
        if (!ahead.word().starts_with('#')) return;
    }
    cursor_.fail(fmt::format("the file ends after {} of its {} {}.", index, count, what));
}

void OffReader::vertex(long long v) {
    begin_line("vertices", v, n_vertices_);
    const double x = cursor_.number("the x coordinate of a vertex");
    const double y = cursor_.number("the y coordinate of a vertex");
    const double z = cursor_.number("the z coordinate of a vertex");
    mesh_.positions.emplace_back(x, y, z);

    values_after(v);
    if (!more_.empty()) dropped_.add("normals or colours of vertices", cursor_.line());
}

// Numbers after the coordinates of a vertex, less the texture coordinates, which come last.
void OffReader::values_after(long long v) {
    more_.clear();
    for (std::string_view word = value(); !word.empty(); word = value()) {
        const std::optional<double> number = parse_number(word);
        if (!number) {
            cursor_.fail(fmt::format("expected the end of vertex {}, found {}.", v, quoted(word)));
        }
        more_.push_back(*number);
    }
    if (!has_uvs_) return;
    if (more_.size() < 2 || !std::isfinite(more_.end()[-2]) || !std::isfinite(more_.back())) {
        cursor_.fail(fmt::format(
            "vertex {} of an STOFF file ends without two finite texture coordinates.", v));
    }
    mesh_.uvs.emplace_back(more_.end()[-2], more_.back());
    more_.resize(more_.size() - 2);
}

int OffReader::corner(long long f) {
    const std::string_view word = value();
    const std::optional<long long> index = parse_integer(word);
    if (!index) {
        cursor_.fail(fmt::format("expected {} corners of face {}, found {} after {}.", n_corners_,
                                 f, quoted(word), corners_.size()));
    }
    if (*index < 0 || *index >= n_vertices_) {
        cursor_.fail(fmt::format("face {} names vertex {}; the file has vertices 0 to {}.", f,
                                 *index, n_vertices_ - 1));
    }
    return static_cast<int>(*index);
}

void OffReader::face(long long f) {
    begin_line("faces", f, n_faces_);
    n_corners_ = cursor_.integer("the number of corners of a face");
    const auto left = static_cast<long long>(n_bytes_ - cursor_.offset());
    if (n_corners_ < 3 || n_corners_ > left) {
        cursor_.fail(
            fmt::format("face {} has {} corners; expected 3 or more, and as many as "
                        "follow.",
                        f, n_corners_));
    }
    corners_.clear();
    for (long long i = 0; i < n_corners_; ++i) corners_.push_back(corner(f));
    for (size_t i = 2; i < corners_.size(); ++i) {
        mesh_.triangles.push_back({corners_[0], corners_[i - 1], corners_[i]});
        mesh_.polygon_of_triangle.push_back(static_cast<int>(f));
    }
    has_polygons_ = has_polygons_ || n_corners_ > 3;
    if (!value().empty()) {
        dropped_.add("colours of faces", cursor_.line());
        cursor_.rest_of_line();
    }
}

void OffReader::refuse_tail() {
    std::string_view word;
    while (word.empty() && cursor_.next_line()) word = value();
    if (word.empty()) return;
    cursor_.fail(fmt::format("expected the end of the file after {} faces, found {}.", n_faces_,
                             quoted(word)));
}

}  // namespace

TriangleMesh read_off(std::string_view bytes, const std::string& file_name) {
    if (bytes.empty()) throw InvalidInput(fmt::format("{}: byte 0: the file is empty.", file_name));
    return OffReader(bytes, file_name).read();
}

std::string write_off(const TriangleMesh& mesh, const MeshWriteOptions&) {
    std::string out =
        fmt::format("OFF\n# Written by Toile\n{} {} 0\n", mesh.n_vertices(), count_polygons(mesh));
    for (const Vec3& p : mesh.positions) {
        fmt::format_to(std::back_inserter(out), "{} {} {}\n", p.x(), p.y(), p.z());
    }
    PolygonLoop loop;
    for (int t = 0; t < mesh.n_triangles();) {
        t = polygon_at(mesh, t, loop);
        out += std::to_string(loop.vertices.size());
        for (const int v : loop.vertices) fmt::format_to(std::back_inserter(out), " {}", v);
        out += '\n';
    }
    return out;
}

}  // namespace toile
