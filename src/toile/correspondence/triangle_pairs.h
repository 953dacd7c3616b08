// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// Which source triangles move which target triangles, many to many [Sumner04, sec. 5].
struct TrianglePairs {
    int n_source_triangles = 0;
    /// Source triangles of target triangle t, nearest first:
    /// source_list[first_source[t] … first_source[t + 1]). Empty where t is unmatched.
    std::vector<int> first_source = {0};  ///< n_target_triangles + 1
    std::vector<int> source_list = {};

    [[nodiscard]] int n_target_triangles() const {
        return static_cast<int>(first_source.size()) - 1;
    }
    [[nodiscard]] std::span<const int> sources_of(int t) const {
        const auto begin = static_cast<size_t>(first_source[static_cast<size_t>(t)]);
        const auto end = static_cast<size_t>(first_source[static_cast<size_t>(t) + 1]);
        return std::span<const int>(source_list).subspan(begin, end - begin);
    }
};

/// Every triangle paired with itself.
TrianglePairs identity_pairs(int n_triangles);

/// Toile's own text form begins with both meshes' counts and the hashes of their triangle lists;
/// Sumner's `.tricorrs` has a count and lines of `source, target` (a third column is a distance).
/// Throws InvalidInput, naming the line, for broken text, indices out of range, or meshes other
/// than those the header names.
TrianglePairs read_triangle_pairs(std::string_view bytes, const std::string& file_name,
                                  const TriangleMesh& source, const TriangleMesh& target);

/// Toile's own text form.
std::string write_triangle_pairs(const TrianglePairs& pairs, const TriangleMesh& source,
                                 const TriangleMesh& target);

}  // namespace toile
