// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// A number for every vertex or every triangle.
struct NamedValues {
    std::string_view name;
    std::span<const double> values;
};

/// One surface with arrays on it, as VTK's PolyData keeps it.
struct VtpSurface {
    std::span<const Vec3> positions;
    std::span<const Triangle> triangles;
    std::vector<NamedValues> of_vertices = {};
    std::vector<NamedValues> of_triangles = {};
};

/// The bytes of a VTP file: XML with the arrays behind it as raw little-endian bytes; positions in
/// float64, arrays in float32. NaN stands for no value. Throws InvalidInput, beginning with `name`,
/// where an array is not as long as the surface has vertices or triangles. [VTK]
std::string format_vtp(const VtpSurface& surface, std::string_view name);

/// `text` for between quotes in XML.
std::string xml_escaped(std::string_view text);

}  // namespace toile
