// SPDX-License-Identifier: Apache-2.0
#include "fuzz/table_readers.h"

#include "fuzz/promise.h"
#include "support/strips.h"
#include "toile/core/error.h"
#include "toile/correspondence/markers.h"
#include "toile/correspondence/triangle_pairs.h"
#include "toile/io/vertex_list.h"

namespace toile::test {
namespace {

constexpr std::string_view kTargetMark = "=== target\n";

void demand_in_range(const std::vector<Marker>& markers) {
    demand(!markers.empty(), "there is no marker");
    for (const Marker& marker : markers) {
        demand(marker.source >= 0 && marker.source < kept_source().n_vertices(),
               "a source vertex is out of range");
        demand(marker.target >= 0 && marker.target < kept_target().n_vertices(),
               "a target vertex is out of range");
        demand(marker.line > 0, "a marker has no line");
    }
}

/// All ways of reading; the sentence is that of the first.
template <class Read>
std::string refusal_of_all(const Read& read) {
    std::string refusal;
    for (const bool swapped : {false, true}) {
        for (const int first_index : {0, 1}) {
            try {
                demand_in_range(read({.first_index = first_index, .swapped = swapped}));
            } catch (const InvalidInput& e) {
                if (!swapped && first_index == 0) refusal = e.what();
            }
        }
    }
    return refusal;
}

}  // namespace

std::string read_pairs_bytes(std::string_view bytes) {
    static const TriangleMesh source = kept_source(), target = kept_target();
    TrianglePairs pairs;
    try {
        pairs = read_triangle_pairs(bytes, "fuzz.pairs", source, target);
    } catch (const InvalidInput& e) {
        return e.what();
    }
    demand(pairs.n_target_triangles() == target.n_triangles(), "not every target has its list");
    for (const int s : pairs.source_list) {
        demand(s >= 0 && s < source.n_triangles(), "a source is out of range");
    }
    const std::string text = write_triangle_pairs(pairs, source, target);
    const TrianglePairs again = read_triangle_pairs(text, "again.pairs", source, target);
    demand(again.first_source == pairs.first_source && again.source_list == pairs.source_list,
           "pairs change when written and read");
    return {};
}

std::string read_marker_bytes(std::string_view bytes) {
    static const TriangleMesh source = kept_source(), target = kept_target();
    return refusal_of_all([&](const MarkerReadOptions& options) {
        return read_markers({bytes, "fuzz.cons"}, source, target, options);
    });
}

std::string read_marker_list_bytes(std::string_view bytes) {
    static const TriangleMesh source = kept_source(), target = kept_target();
    const size_t mark = bytes.find(kTargetMark);
    const std::string_view first = bytes.substr(0, mark);
    const std::string_view second = mark == std::string_view::npos
                                        ? std::string_view()
                                        : bytes.substr(mark + kTargetMark.size());
    return refusal_of_all([&](const MarkerReadOptions& options) {
        return read_marker_lists({first, "source.txt"}, {second, "target.txt"}, source, target,
                                 options);
    });
}

std::string read_vertex_list_bytes(std::string_view bytes) {
    constexpr int kVertices = 6;
    try {
        const std::vector<char> flags = parse_vertex_list(bytes, "fuzz.txt", kVertices);
        demand(flags.size() == kVertices, "not every vertex has a flag");
    } catch (const InvalidInput& e) {
        return e.what();
    }
    return {};
}

}  // namespace toile::test
