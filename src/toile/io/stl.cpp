// SPDX-License-Identifier: Apache-2.0
#include "toile/io/stl.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/binary.h"
#include "toile/io/file_bytes.h"
#include "toile/io/text_cursor.h"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <unordered_map>

namespace toile {
namespace {

constexpr size_t kHeaderBytes = 84;  // 80 of free text, then the count
constexpr size_t kFacetBytes = 50;   // normal, three corners, two bytes of attributes
constexpr size_t kLongestKeyword = 16;

struct ExactPosition {
    Vec3 value;
    bool operator==(const ExactPosition& other) const { return value == other.value; }
};

struct HashOfPosition {
    size_t operator()(const ExactPosition& p) const {
        std::uint64_t mixed = 0;
        for (int i = 0; i < 3; ++i) {
            const double without_sign_of_zero = p.value[i] + 0.0;
            mixed ^= std::bit_cast<std::uint64_t>(without_sign_of_zero);
            mixed *= 0x9E3779B97F4A7C15ULL;
            mixed ^= mixed >> 32;
        }
        return static_cast<size_t>(mixed);
    }
};

// Gives equal corners one vertex, in order of first appearance.
class Welder {
  public:
    explicit Welder(StlMesh& out) : out_(out) {}

    void reserve(size_t n_triangles) {
        out_.mesh.triangles.reserve(n_triangles);
        out_.mesh.positions.reserve(n_triangles / 2);
        vertex_.reserve(n_triangles / 2);
    }

    void add_facet(const std::array<Vec3, 3>& corners) {
        Triangle triangle;
        for (size_t i = 0; i < 3; ++i) {
            const auto corner = static_cast<int>(3 * out_.mesh.triangles.size() + i);
            const auto [place, is_new] =
                vertex_.try_emplace(ExactPosition{corners[i]}, out_.mesh.n_vertices());
            if (is_new) {
                out_.mesh.positions.push_back(corners[i]);
                out_.first_corner_of_vertex.push_back(corner);
            }
            triangle[i] = place->second;
        }
        out_.mesh.triangles.push_back(triangle);
    }

  private:
    StlMesh& out_;
    std::unordered_map<ExactPosition, int, HashOfPosition> vertex_;
};

std::string lower(std::string_view word) {
    std::string text(word.substr(0, kLongestKeyword));
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

class AsciiStlReader {
  public:
    AsciiStlReader(std::string_view bytes, const std::string& file_name)
        : cursor_(bytes, file_name) {}

    StlMesh read() {
        for (std::string_view word = cursor_.word_anywhere(); !word.empty();
             word = cursor_.word_anywhere()) {
            if (lower(word) != "solid") fail_expecting("'solid'", word);
            solid();
        }
        if (names().names.empty()) names().of_triangle.clear();
        return std::move(result_);
    }

  private:
    TriangleNames& names() { return result_.mesh.objects; }

    void solid() {
        const std::string name(cursor_.rest_of_line());
        if (!name.empty()) names().names.push_back(name);
        const int index = name.empty() ? -1 : static_cast<int>(names().names.size()) - 1;
        while (true) {
            const std::string_view word = cursor_.word_anywhere();
            const std::string keyword = lower(word);
            if (keyword == "endsolid") break;
            if (keyword != "facet") fail_expecting("'facet' or 'endsolid'", word);
            facet();
            names().of_triangle.push_back(index);
        }
        cursor_.rest_of_line();
    }

    void facet() {
        expect("normal");
        for (int i = 0; i < 3; ++i) normal_coordinate();
        expect("outer");
        expect("loop");
        std::array<Vec3, 3> corners;
        for (Vec3& corner : corners) {
            expect("vertex");
            corner.x() = cursor_.number("the x coordinate of a corner");
            corner.y() = cursor_.number("the y coordinate of a corner");
            corner.z() = cursor_.number("the z coordinate of a corner");
        }
        expect("endloop");
        expect("endfacet");
        welder_.add_facet(corners);
    }

    // A facet without area may come with a normal that is not finite; it is not used.
    void normal_coordinate() {
        const std::string_view word = cursor_.word_anywhere();
        if (!parse_number(word)) fail_expecting("a coordinate of the normal", word);
    }

    void expect(std::string_view keyword) {
        const std::string_view word = cursor_.word_anywhere();
        if (lower(word) != keyword) fail_expecting(fmt::format("'{}'", keyword), word);
    }

    [[noreturn]] void fail_expecting(const std::string& expected, std::string_view found) {
        cursor_.fail(fmt::format("expected {}, found {}.", expected,
                                 found.empty() ? "the end of the file" : quoted(found)));
    }

    TextCursor cursor_;
    StlMesh result_;
    Welder welder_{result_};
};

std::uint32_t facet_count(std::string_view bytes) {
    return load_value<std::uint32_t>(bytes.data() + 80, std::endian::little);
}

bool begins_with_solid(std::string_view bytes) {
    const size_t begin = bytes.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && lower(bytes.substr(begin, 5)) == "solid";
}

bool is_binary(std::string_view bytes) {
    if (bytes.size() >= kHeaderBytes &&
        bytes.size() == kHeaderBytes + kFacetBytes * facet_count(bytes)) {
        return true;
    }
    return !begins_with_solid(bytes) || bytes.find('\0') != std::string_view::npos;
}

void check_binary_size(std::string_view bytes, const std::string& file_name) {
    if (bytes.size() < kHeaderBytes) {
        throw InvalidInput(fmt::format(
            "{}: byte {}: the file ends; it is no ASCII STL, and binary STL has at least {} bytes.",
            file_name, bytes.size(), kHeaderBytes));
    }
    const size_t expected = kHeaderBytes + kFacetBytes * facet_count(bytes);
    if (bytes.size() < expected) {
        throw InvalidInput(
            fmt::format("{}: byte 80: the header counts {} facets, which need {} bytes; found {}.",
                        file_name, facet_count(bytes), expected, bytes.size()));
    }
    if (bytes.size() > expected) {
        log_warning(fmt::format("{}: {} bytes after the last facet left out.", file_name,
                                bytes.size() - expected));
    }
}

Vec3 corner_at(std::string_view bytes, size_t offset, const std::string& file_name) {
    Vec3 position;
    for (size_t i = 0; i < 3; ++i) {
        const auto value = load_value<float>(bytes.data() + offset + 4 * i, std::endian::little);
        if (!std::isfinite(value)) {
            throw InvalidInput(fmt::format(
                "{}: byte {}: facet {} has the coordinate {}; expected a finite number.", file_name,
                offset + 4 * i, (offset - kHeaderBytes) / kFacetBytes, value));
        }
        position[static_cast<Eigen::Index>(i)] = static_cast<double>(value);
    }
    return position;
}

StlMesh read_binary(std::string_view bytes, const std::string& file_name) {
    check_binary_size(bytes, file_name);
    StlMesh result;
    Welder welder(result);
    const size_t n_facets = facet_count(bytes);
    welder.reserve(n_facets);
    for (size_t t = 0; t < n_facets; ++t) {
        const size_t at = kHeaderBytes + kFacetBytes * t + 12;
        welder.add_facet({corner_at(bytes, at, file_name), corner_at(bytes, at + 12, file_name),
                          corner_at(bytes, at + 24, file_name)});
    }
    return result;
}

std::array<Vec3, 3> corners_of(const TriangleMesh& mesh, const Triangle& triangle) {
    return {mesh.positions[static_cast<size_t>(triangle[0])],
            mesh.positions[static_cast<size_t>(triangle[1])],
            mesh.positions[static_cast<size_t>(triangle[2])]};
}

Eigen::Vector3f normal_of(const std::array<Vec3, 3>& corners) {
    // Normalised edges keep tiny triangles from vanishing in their own product.
    const Vec3 a = (corners[1] - corners[0]).stableNormalized();
    const Vec3 b = (corners[2] - corners[0]).stableNormalized();
    return a.cross(b).stableNormalized().cast<float>();
}

std::string solid_name(const TriangleMesh& mesh, size_t t, const MeshWriteOptions& options) {
    if (!options.solid_name.empty()) return options.solid_name;
    const bool named = !mesh.objects.empty() && mesh.objects.of_triangle[t] >= 0;
    return named ? mesh.objects.names[static_cast<size_t>(mesh.objects.of_triangle[t])] : "toile";
}

std::string write_ascii(const TriangleMesh& mesh, const MeshWriteOptions& options) {
    std::string out;
    auto to = std::back_inserter(out);
    std::string name = mesh.triangles.empty()
                           ? (options.solid_name.empty() ? "toile" : options.solid_name)
                           : solid_name(mesh, 0, options);
    fmt::format_to(to, "solid {}\n", name);
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (const std::string next = solid_name(mesh, t, options); next != name) {
            fmt::format_to(to, "endsolid {}\nsolid {}\n", name, next);
            name = next;
        }
        const auto corners = corners_of(mesh, mesh.triangles[t]);
        const Eigen::Vector3f normal = normal_of(corners);
        fmt::format_to(to, "  facet normal {} {} {}\n    outer loop\n", normal.x(), normal.y(),
                       normal.z());
        for (const Vec3& p : corners) {
            fmt::format_to(to, "      vertex {} {} {}\n", p.x(), p.y(), p.z());
        }
        out += "    endloop\n  endfacet\n";
    }
    fmt::format_to(to, "endsolid {}\n", name);
    return out;
}

void append_position(const Vec3& position, std::string& out) {
    for (const double coordinate : position) {
        append_value(to_float32(coordinate, "binary STL"), out);
    }
}

std::string write_binary(const TriangleMesh& mesh) {
    std::string out = "Binary STL written by Toile";
    out.resize(80, ' ');  // must not begin with `solid`
    append_value(static_cast<std::uint32_t>(mesh.triangles.size()), out);
    for (const Triangle& triangle : mesh.triangles) {
        const auto corners = corners_of(mesh, triangle);
        append_position(normal_of(corners).cast<double>(), out);
        for (const Vec3& corner : corners) append_position(corner, out);
        append_value(std::uint16_t{0}, out);
    }
    return out;
}

}  // namespace

StlMesh read_stl_with_corners(std::string_view bytes, const std::string& file_name) {
    if (bytes.empty()) throw InvalidInput(fmt::format("{}: byte 0: the file is empty.", file_name));
    return is_binary(bytes) ? read_binary(bytes, file_name)
                            : AsciiStlReader(bytes, file_name).read();
}

TriangleMesh read_stl(std::string_view bytes, const std::string& file_name) {
    return read_stl_with_corners(bytes, file_name).mesh;
}

TriangleMesh read_stl_file(const std::filesystem::path& path) {
    return read_stl(read_bytes(path), path.string());
}

std::string write_stl(const TriangleMesh& mesh, const MeshWriteOptions& options) {
    return options.encoding == MeshEncoding::Binary ? write_binary(mesh)
                                                    : write_ascii(mesh, options);
}

}  // namespace toile
