// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/contact_trace.h"

#include "toile/collision/bvh.h"

namespace toile {
namespace {

Aabb box_of(const BvhNode& node) {
    return {Vec3(node.min[0], node.min[1], node.min[2]),
            Vec3(node.max[0], node.max[1], node.max[2])};
}

/// Adds the subtree that begins at `node`. Recursion is as deep as the tree.
void add_subtree(std::span<const BvhNode> nodes, int node, TracedBox parent,
                 std::vector<TracedBox>& out) {
    const BvhNode& n = nodes[node];
    parent.box = box_of(n);
    parent.leaf = n.is_leaf();
    out.push_back(parent);
    if (n.is_leaf()) return;
    ++parent.depth;
    add_subtree(nodes, node + 1, parent, out);
    add_subtree(nodes, n.right, parent, out);
}

}  // namespace

TracedContact traced_contact(const ContactStencil& stencil, std::span<const Vec3> positions) {
    const StencilPoints points = gather(stencil, positions);
    const StencilGap gap = measure_gap(stencil.kind, points);
    TracedContact contact = {.stencil = stencil,
                             .first_point = Vec3::Zero(),
                             .second_point = Vec3::Zero(),
                             .normal = gap.normal,
                             .gap = gap.distance};
    for (int i = 0; i < 4; ++i) {
        if (i < stencil.second_side()) {
            contact.first_point += gap.weights[i] * points[i];
        } else {
            contact.second_point -= gap.weights[i] * points[i];
        }
    }
    return contact;
}

StencilPoints points_at_hit(const TracedCollision& collision, std::span<const Vec3> start,
                            std::span<const Vec3> ends) {
    StencilPoints points;
    for (int i = 0; i < 4; ++i) {
        const int v = collision.stencil.vertices[i];
        points[i] = start[v] + collision.time * (ends[v] - start[v]);
    }
    return points;
}

std::vector<TracedBox> traced_boxes(const ContactSurface& surface, std::span<const Vec3> positions,
                                    BoxKind kind) {
    std::vector<TracedBox> out;
    std::vector<Aabb> boxes;
    for (int b = 0; b < surface.n_bodies(); ++b) {
        const ContactBody& body = surface.bodies[b];
        boxes.clear();
        for (int t = body.first_triangle; t < body.first_triangle + body.n_triangles; ++t) {
            Aabb& box = boxes.emplace_back();
            for (const int v : surface.triangles[t]) box.extend(positions[v]);
            if (kind == BoxKind::Proximity) box.enlarge(0.5 * body.thickness);
        }
        const Bvh tree(boxes);
        if (!tree.nodes().empty()) add_subtree(tree.nodes(), 0, {.box = {}, .body = b}, out);
    }
    return out;
}

}  // namespace toile
