// SPDX-License-Identifier: Apache-2.0
#include "mesh_report.h"

#include "toile/io/polygons.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace toile::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostNumbersShown = 10;
constexpr double kLargestFloat = std::numeric_limits<float>::max();

std::string element_text(int element) {
    return fmt::format("{}", element);
}

std::string element_text(const std::array<int, 2>& pair) {
    return fmt::format("{}-{}", pair[0], pair[1]);
}

/// The first element numbers, and how many more there are.
template <class Element>
std::string numbers(const std::vector<Element>& elements) {
    std::string text;
    for (size_t i = 0; i < std::min(elements.size(), kMostNumbersShown); ++i) {
        text += (i ? ", " : "") + element_text(elements[i]);
    }
    if (elements.size() > kMostNumbersShown) {
        text += fmt::format(" and {} more", elements.size() - kMostNumbersShown);
    }
    return text;
}

std::string line(const std::string& label, const std::string& text) {
    return fmt::format("  {:<13} {}\n", label, text);
}

template <class Element>
std::string problem(const std::string& one, const std::string& many,
                    const std::vector<Element>& elements) {
    if (elements.empty()) return {};
    const auto n = static_cast<long long>(elements.size());
    return line("problem", fmt::format("{}: {}", counted(n, one, many), numbers(elements)));
}

std::string general_problems(const MeshDiagnosis& d) {
    std::string text;
    if (d.n_triangles == 0) text += line("problem", "no triangles");
    if (!std::isfinite(d.box.diagonal()) || d.box.size().maxCoeff() > kLargestFloat) {
        text += line("problem", "larger than float32, in which sequences are kept, can hold");
    }
    return text;
}

std::string problems(const MeshDiagnosis& d) {
    std::string text =
        general_problems(d) +
        problem("vertex that is not finite", "vertices that are not finite",
                d.non_finite_vertices) +
        problem("vertex of no triangle", "vertices of no triangle", d.unreferenced_vertices) +
        problem("triangle that names a vertex twice", "triangles that name a vertex twice",
                d.triangles_naming_a_vertex_twice) +
        problem("triangle without area", "triangles without area", d.degenerate_triangles) +
        problem("triangle that repeats another", "triangles that repeat another",
                d.duplicate_triangles) +
        problem("edge of more than two triangles", "edges of more than two triangles",
                d.non_manifold_edges) +
        problem("edge whose triangles disagree in orientation",
                "edges whose triangles disagree in orientation", d.inconsistently_oriented_edges) +
        problem("vertex where parts of the surface only touch",
                "vertices where parts of the surface only touch", d.non_manifold_vertices);
    if (text.empty()) text = line("problems", "none");
    if (!d.coincident_vertices.empty()) {
        text +=
            line("note", fmt::format("{} exactly on another: {}",
                                     counted(static_cast<long long>(d.coincident_vertices.size()),
                                             "vertex stands", "vertices stand"),
                                     numbers(d.coincident_vertices)));
    }
    return text;
}

std::vector<int> counts_of_names(const TriangleNames& names) {
    std::vector<int> counts(names.names.size(), 0);
    for (const int name : names.of_triangle) {
        if (name >= 0) ++counts[name];
    }
    return counts;
}

std::string names_line(const std::string& label, const TriangleNames& names) {
    if (names.empty()) return {};
    const auto counts = counts_of_names(names);
    std::vector<std::string> parts;
    for (size_t i = 0; i < names.names.size(); ++i) {
        parts.push_back(
            fmt::format("{} ({})", names.names[i], counted(counts[i], "triangle", "triangles")));
    }
    return line(label, fmt::format("{}", fmt::join(parts, ", ")));
}

Json to_json(const Vec3& v) {
    return {v.x(), v.y(), v.z()};
}

Json names_json(const TriangleNames& names) {
    Json result = Json::array();
    const auto counts = counts_of_names(names);
    for (size_t i = 0; i < names.names.size(); ++i) {
        result.push_back({{"name", names.names[i]}, {"triangles", counts[i]}});
    }
    return result;
}

Json problems_json(const MeshDiagnosis& d) {
    return {{"non_finite_vertices", d.non_finite_vertices},
            {"unreferenced_vertices", d.unreferenced_vertices},
            {"triangles_naming_a_vertex_twice", d.triangles_naming_a_vertex_twice},
            {"degenerate_triangles", d.degenerate_triangles},
            {"duplicate_triangles", d.duplicate_triangles},
            {"non_manifold_edges", d.non_manifold_edges},
            {"inconsistently_oriented_edges", d.inconsistently_oriented_edges},
            {"non_manifold_vertices", d.non_manifold_vertices}};
}

std::string boundary_text(const MeshDiagnosis& d) {
    if (d.is_closed()) return "none (closed)";
    return fmt::format("{}, {}", counted(d.n_boundary_loops, "loop", "loops"),
                       counted(d.n_boundary_edges, "edge", "edges"));
}

std::string size_lines(const MeshDiagnosis& d) {
    if (d.box.empty()) return {};
    return line("size", fmt::format("{} m, diagonal {:.9g} m", vector_text(d.box.size()),
                                    d.box.diagonal())) +
           line("box", fmt::format("{} to {} m", vector_text(d.box.min), vector_text(d.box.max)));
}

std::string measure_lines(const MeshDiagnosis& d) {
    if (d.n_triangles == 0) return {};
    std::string text = line("area", fmt::format("{:.9g} m2", d.area));
    if (d.volume) text += line("volume", fmt::format("{:.9g} m3", *d.volume));
    text += line("edge length", fmt::format("{:.9g} to {:.9g} m, mean {:.9g} m", d.edge_lengths.min,
                                            d.edge_lengths.max, d.edge_lengths.mean));
    if (d.worst_aspect_triangle >= 0) {
        text += line("aspect ratio",
                     fmt::format("mean {:.4g}, worst {:.4g} (triangle {}){}; 1 is equilateral",
                                 d.mean_aspect_ratio, d.max_aspect_ratio, d.worst_aspect_triangle,
                                 d.degenerate_triangles.empty() ? "" : ", of those with area"));
    }
    return text;
}

}  // namespace

std::string vector_text(const Vec3& v) {
    return fmt::format("{:.9g} {:.9g} {:.9g}", v.x(), v.y(), v.z());
}

std::string counted(long long n, const std::string& one, const std::string& many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string mesh_report(const TriangleMesh& mesh, const MeshDiagnosis& d) {
    std::string text = line("vertices", fmt::format("{}", d.n_vertices)) +
                       line("edges", fmt::format("{}", d.n_edges)) +
                       line("triangles", fmt::format("{}", d.n_triangles));
    if (!mesh.polygon_of_triangle.empty()) {
        text += line("polygons", fmt::format("{}", count_polygons(mesh)));
    }
    text += line("components", fmt::format("{}", d.n_components));
    if (d.n_triangles > 0) text += line("boundary", boundary_text(d));
    text += line("Euler number", d.genus ? fmt::format("{} (genus {})", d.euler_number, *d.genus)
                                         : fmt::format("{}", d.euler_number));
    text += size_lines(d) + measure_lines(d);
    text += line("UVs", mesh.has_uvs() ? fmt::format("{}", mesh.uvs.size()) : "none");
    text += names_line("objects", mesh.objects) + names_line("groups", mesh.groups) +
            names_line("materials", mesh.materials);
    return text + problems(d);
}

Json mesh_report_json(const TriangleMesh& mesh, const MeshDiagnosis& d) {
    Json result = {{"vertices", d.n_vertices},
                   {"edges", d.n_edges},
                   {"triangles", d.n_triangles},
                   {"components", d.n_components},
                   {"boundary_edges", d.n_boundary_edges},
                   {"boundary_loops", d.n_boundary_loops},
                   {"euler_number", d.euler_number}};
    result["genus"] = d.genus ? Json(*d.genus) : Json();
    if (!d.box.empty()) {
        result["box"] = {{"min", to_json(d.box.min)}, {"max", to_json(d.box.max)}};
        result["size"] = to_json(d.box.size());
        result["diagonal"] = d.box.diagonal();
    }
    result["area"] = d.area;
    result["volume"] = d.volume ? Json(*d.volume) : Json();
    result["edge_length"] = {
        {"min", d.edge_lengths.min}, {"mean", d.edge_lengths.mean}, {"max", d.edge_lengths.max}};
    result["aspect_ratio"] = {{"mean", d.mean_aspect_ratio},
                              {"max", d.max_aspect_ratio},
                              {"worst_triangle", d.worst_aspect_triangle}};
    result["uvs"] = mesh.uvs.size();
    result["polygons"] = count_polygons(mesh);
    result["objects"] = names_json(mesh.objects);
    result["groups"] = names_json(mesh.groups);
    result["materials"] = names_json(mesh.materials);
    result["problems"] = problems_json(d);
    result["coincident_vertices"] = d.coincident_vertices;
    return result;
}

}  // namespace toile::app
