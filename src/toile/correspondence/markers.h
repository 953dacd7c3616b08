// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// A source and a target vertex that belong together.
struct Marker {
    int source = -1;
    int target = -1;
    int line = 0;  ///< of the file that named it; 0 where none did
};

struct MarkerReadOptions {
    int first_index = 0;   ///< number that the file gives the first vertex: 0 or 1
    bool swapped = false;  ///< the file names the target first
};

/// A text and the name of its file, for messages.
struct NamedText {
    std::string_view bytes;
    std::string name;
};

/// Markers of one text, whatever its form:
/// - lines `source target`, with blanks, tabs, commas or colons between, and perhaps their count
///   first (`.cons`, `.corr`, landmarks);
/// - lines of six numbers, two positions: the vertices nearest to them;
/// - a YAML text with a list `markers:` of such pairs (`- "750:3386"`, `- [750, 3386]`); of YAML
///   no more than this shape is understood.
/// Comments begin with `#`, `;` or `//`. Throws InvalidInput that names the line for what is broken
/// and for an index out of range, with a guess where other options would put it in range.
std::vector<Marker> read_markers(const NamedText& text, const TriangleMesh& source,
                                 const TriangleMesh& target, const MarkerReadOptions& options = {});

/// Markers of two texts that list vertices in the same order, as whole numbers anywhere on the
/// lines, or as positions, three numbers a line. Throws as read_markers, and where the lists are
/// not equally long.
std::vector<Marker> read_marker_lists(const NamedText& source_text, const NamedText& target_text,
                                      const TriangleMesh& source, const TriangleMesh& target,
                                      const MarkerReadOptions& options = {});

/// Markers that a fit can hold: exact repetitions, and those on vertices of no triangle, are left
/// out with a warning. Throws InvalidInput, naming the lines, where one source vertex is to be at
/// two target vertices that are apart. Two source vertices at one target vertex are warned of.
std::vector<Marker> require_holdable(std::vector<Marker> markers, const TriangleMesh& source,
                                     const TriangleMesh& target);

}  // namespace toile
