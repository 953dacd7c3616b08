// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/primitive_boxes.h"

#include "toile/core/parallel.h"

namespace toile {
namespace {

constexpr int kGrain = 4096;

/// Adding a margin rounds; this much of the sides' size makes up for it.
constexpr double kRounding = 2 * std::numeric_limits<double>::epsilon();

void enlarge_outwards(double margin, Aabb& inout_box) {
    if (margin == 0) return;
    for (int k = 0; k < 3; ++k) {
        inout_box.min[k] -= margin + kRounding * (std::abs(inout_box.min[k]) + margin);
        inout_box.max[k] += margin + kRounding * (std::abs(inout_box.max[k]) + margin);
    }
}

template <size_t N>
Aabb box_of(std::span<const Vec3> positions, const std::array<int, N>& vertices) {
    const Vec3& first = positions[static_cast<size_t>(vertices[0])];
    Aabb box{first, first};
    for (size_t k = 1; k < N; ++k) box.extend(positions[static_cast<size_t>(vertices[k])]);
    return box;
}

/// `vertices_of(i)` lists the vertices of element i.
template <class VerticesOf>
void boxes(size_t n, std::span<const Vec3> positions, double margin, const VerticesOf& vertices_of,
           std::vector<Aabb>& out_boxes) {
    out_boxes.resize(n);
    parallel_for(static_cast<int>(n), kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Aabb& box = out_boxes[static_cast<size_t>(i)];
            box = box_of(positions, vertices_of(i));
            enlarge_outwards(margin, box);
        }
    });
}

template <class VerticesOf>
void swept_boxes(size_t n, const SurfaceMotion& motion, double margin,
                 const VerticesOf& vertices_of, std::vector<Aabb>& out_boxes) {
    out_boxes.resize(n);
    parallel_for(static_cast<int>(n), kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Aabb& box = out_boxes[static_cast<size_t>(i)];
            box = box_of(motion.start, vertices_of(i));
            box.extend(box_of(motion.end, vertices_of(i)));
            enlarge_outwards(margin, box);
        }
    });
}

std::array<int, 1> point(int i) {
    return {i};
}

/// The vertex lists of `elements`, by index.
template <class Element>
auto listed(std::span<const Element> elements) {
    return [elements](int i) -> const Element& { return elements[static_cast<size_t>(i)]; };
}

}  // namespace

void point_boxes(std::span<const Vec3> positions, double margin, std::vector<Aabb>& out_boxes) {
    boxes(positions.size(), positions, margin, point, out_boxes);
}

void edge_boxes(std::span<const Vec3> positions, std::span<const Edge> edges, double margin,
                std::vector<Aabb>& out_boxes) {
    boxes(edges.size(), positions, margin, listed(edges), out_boxes);
}

void triangle_boxes(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                    double margin, std::vector<Aabb>& out_boxes) {
    boxes(triangles.size(), positions, margin, listed(triangles), out_boxes);
}

void swept_point_boxes(const SurfaceMotion& motion, double margin, std::vector<Aabb>& out_boxes) {
    swept_boxes(motion.start.size(), motion, margin, point, out_boxes);
}

void swept_edge_boxes(const SurfaceMotion& motion, std::span<const Edge> edges, double margin,
                      std::vector<Aabb>& out_boxes) {
    swept_boxes(edges.size(), motion, margin, listed(edges), out_boxes);
}

void swept_triangle_boxes(const SurfaceMotion& motion, std::span<const Triangle> triangles,
                          double margin, std::vector<Aabb>& out_boxes) {
    swept_boxes(triangles.size(), motion, margin, listed(triangles), out_boxes);
}

}  // namespace toile
