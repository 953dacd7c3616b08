// SPDX-License-Identifier: Apache-2.0
#include "toile/io/vtp.h"

#include "toile/core/error.h"
#include "toile/io/binary.h"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>

namespace toile {
namespace {

constexpr int kCorners = 3;

/// Writes array elements into the XML and their bytes behind it.
class VtpText {
  public:
    void line(std::string_view text) {
        xml_ += text;
        xml_ += '\n';
    }

    /// `values` holds the bytes of one array.
    void array(std::string_view type, std::string_view name, int n_components,
               std::string_view values) {
        fmt::format_to(std::back_inserter(xml_),
                       "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
                       "format=\"appended\" offset=\"{}\"/>\n",
                       type, xml_escaped(name), n_components, bytes_.size());
        append_value(static_cast<std::uint64_t>(values.size()), bytes_);
        bytes_ += values;
    }

    [[nodiscard]] std::string finish() {
        line("<AppendedData encoding=\"raw\">");
        return xml_ + '_' + bytes_ + "\n</AppendedData>\n</VTKFile>\n";
    }

  private:
    std::string xml_, bytes_;
};

void check_length(const NamedValues& array, size_t expected, std::string_view what,
                  std::string_view name) {
    if (array.values.size() == expected) return;
    throw InvalidInput(fmt::format("{}: '{}' has {} values for {} {}; not written.", name,
                                   array.name, array.values.size(), expected, what));
}

void write_values(VtpText& text, const std::vector<NamedValues>& arrays) {
    for (const NamedValues& array : arrays) {
        std::string bytes;
        for (const double value : array.values) append_value(static_cast<float>(value), bytes);
        text.array("Float32", array.name, 1, bytes);
    }
}

void write_points(VtpText& text, std::span<const Vec3> positions) {
    std::string bytes;
    for (const Vec3& p : positions) {
        for (const double coordinate : p) append_value(coordinate, bytes);
    }
    text.line("<Points>");
    text.array("Float64", "Points", kCorners, bytes);
    text.line("</Points>");
}

void write_triangles(VtpText& text, std::span<const Triangle> triangles) {
    std::string corners, ends;
    std::int64_t end = 0;
    for (const Triangle& triangle : triangles) {
        for (const int v : triangle) append_value(static_cast<std::int64_t>(v), corners);
        append_value(end += kCorners, ends);
    }
    text.line("<Polys>");
    text.array("Int64", "connectivity", 1, corners);
    text.array("Int64", "offsets", 1, ends);
    text.line("</Polys>");
}

}  // namespace

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string format_vtp(const VtpSurface& surface, std::string_view name) {
    for (const NamedValues& array : surface.of_vertices) {
        check_length(array, surface.positions.size(), "vertices", name);
    }
    for (const NamedValues& array : surface.of_triangles) {
        check_length(array, surface.triangles.size(), "triangles", name);
    }
    VtpText text;
    text.line("<?xml version=\"1.0\"?>");
    text.line(
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<PolyData>");
    text.line(
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
                    "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">",
                    surface.positions.size(), surface.triangles.size()));
    text.line("<PointData>");
    write_values(text, surface.of_vertices);
    text.line("</PointData>\n<CellData>");
    write_values(text, surface.of_triangles);
    text.line("</CellData>");
    write_points(text, surface.positions);
    write_triangles(text, surface.triangles);
    text.line("</Piece>\n</PolyData>");
    return text.finish();
}

}  // namespace toile
