// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/box.h"

#include "toile/mesh/shapes/shape_checks.h"

#include <fmt/format.h>

#include <map>

namespace toile {
namespace {

using LatticePoint = std::array<int, 3>;

void check(const BoxOptions& options) {
    constexpr char kAxes[] = "xyz";
    for (int axis = 0; axis < 3; ++axis) {
        detail::require_length(options.size[axis], fmt::format("box's size along {}", kAxes[axis]));
        detail::require_count(options.divisions[axis], 1,
                              fmt::format("box's divisions along {}", kAxes[axis]));
    }
}

class BoxMaker {
  public:
    explicit BoxMaker(const BoxOptions& options) : options_(options) {}

    /// The face of smallest or largest coordinate along `axis`.
    void add_face(int axis, bool largest) {
        // (axis, u, v) is right-handed, so that u, v turn counter-clockwise seen from +axis.
        const int u = (axis + 1) % 3;
        const int v = (axis + 2) % 3;
        LatticePoint p{};
        p[axis] = largest ? options_.divisions[axis] : 0;
        for (p[v] = 0; p[v] < options_.divisions[v]; ++p[v]) {
            for (p[u] = 0; p[u] < options_.divisions[u]; ++p[u]) add_cell(p, u, v, largest);
        }
    }

    TriangleMesh take() { return std::move(mesh_); }

  private:
    void add_cell(const LatticePoint& p, int u, int v, bool largest) {
        const auto corner = [&](int du, int dv) {
            LatticePoint q = p;
            q[u] += du;
            q[v] += dv;
            return vertex(q);
        };
        const int a = corner(0, 0);
        const int b = corner(1, 0);
        const int c = corner(1, 1);
        const int d = corner(0, 1);
        if (largest) {
            mesh_.triangles.insert(mesh_.triangles.end(), {{a, b, c}, {a, c, d}});
        } else {
            mesh_.triangles.insert(mesh_.triangles.end(), {{a, c, b}, {a, d, c}});
        }
    }

    int vertex(const LatticePoint& p) {
        const auto [found, is_new] = vertices_.emplace(p, mesh_.n_vertices());
        if (is_new) {
            Vec3 fraction;
            for (int i = 0; i < 3; ++i) fraction[i] = 1.0 * p[i] / options_.divisions[i] - 0.5;
            mesh_.positions.push_back(options_.center + fraction.cwiseProduct(options_.size));
        }
        return found->second;
    }

    const BoxOptions& options_;
    TriangleMesh mesh_;
    std::map<LatticePoint, int> vertices_;
};

}  // namespace

TriangleMesh make_box(const BoxOptions& options) {
    check(options);
    BoxMaker maker(options);
    for (int axis = 0; axis < 3; ++axis) {
        maker.add_face(axis, false);
        maker.add_face(axis, true);
    }
    return maker.take();
}

}  // namespace toile
