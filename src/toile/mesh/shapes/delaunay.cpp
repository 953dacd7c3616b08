// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/delaunay.h"

#include "toile/core/error.h"
#include "toile/mesh/shapes/shape_checks.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

/// Twice the signed area of (a, b, c).
double orient(const Vec2& a, const Vec2& b, const Vec2& c) {
    return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// How far rounding may move the in-circle determinant, relative to the sum of its terms' sizes.
constexpr double kInCircleRounding = 1e-14;

/// Whether d lies inside the circle through a, b, c (counter-clockwise), and not just by rounding.
bool in_circle(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    const Vec2 ad = a - d;
    const Vec2 bd = b - d;
    const Vec2 cd = c - d;
    const double ta = ad.squaredNorm() * (bd.x() * cd.y() - bd.y() * cd.x());
    const double tb = bd.squaredNorm() * (cd.x() * ad.y() - cd.y() * ad.x());
    const double tc = cd.squaredNorm() * (ad.x() * bd.y() - ad.y() * bd.x());
    const double size = ad.squaredNorm() * bd.norm() * cd.norm() +
                        bd.squaredNorm() * cd.norm() * ad.norm() +
                        cd.squaredNorm() * ad.norm() * bd.norm();
    return ta + tb + tc > kInCircleRounding * size;
}

}  // namespace

DelaunayRectangle::DelaunayRectangle(double width, double length) {
    detail::require_length(width, "rectangle's width");
    detail::require_length(length, "rectangle's length");
    points_ = {{0, 0}, {width, 0}, {width, length}, {0, length}};
    triangles_ = {{0, 1, 2}, {0, 2, 3}};
    neighbors_ = {{-1, 1, -1}, {-1, -1, 0}};
}

int DelaunayRectangle::insert(const Vec2& point) {
    const bool inside = (point.array() >= 0).all() && (point.array() <= points_[2].array()).all();
    if (!inside) {
        throw InvalidInput(fmt::format("Point ({}, {}) lies outside the rectangle of {} by {} m.",
                                       point.x(), point.y(), points_[2].x(), points_[2].y()));
    }
    const int t = locate(point);
    for (const int v : triangles_[t]) {
        if (points_[v] == point) return v;
    }
    const int p = static_cast<int>(points_.size());
    points_.push_back(point);
    int touched = -1;
    for (int i = 0; i < 3; ++i) {
        if (orientation(t, i, point) <= 0) touched = i;
    }
    if (touched >= 0) {
        split_side({t, touched}, p);
    } else {
        split_triangle(t, p);
    }
    legalize();
    last_triangle_ = t;
    return p;
}

double DelaunayRectangle::orientation(int t, int corner, const Vec2& p) const {
    const Triangle& corners = triangles_[t];
    return orient(points_[corners[(corner + 1) % 3]], points_[corners[(corner + 2) % 3]], p);
}

int DelaunayRectangle::locate(const Vec2& p) const {
    int t = last_triangle_;
    for (size_t step = 0; step <= triangles_.size(); ++step) {
        int next = -1;
        for (int i = 0; i < 3 && next < 0; ++i) {
            if (orientation(t, i, p) < 0) next = neighbors_[t][i];
        }
        if (next < 0) break;
        t = next;
    }
    const bool found =
        orientation(t, 0, p) >= 0 && orientation(t, 1, p) >= 0 && orientation(t, 2, p) >= 0;
    return found ? t : locate_slowly(p);
}

int DelaunayRectangle::locate_slowly(const Vec2& p) const {
    const auto depth = [&](int t) {
        return std::min({orientation(t, 0, p), orientation(t, 1, p), orientation(t, 2, p)});
    };
    int best = 0;
    for (int t = 1; t < static_cast<int>(triangles_.size()); ++t) {
        if (depth(t) > depth(best)) best = t;
    }
    return best;
}

int DelaunayRectangle::corner_facing(int t, int neighbor) const {
    const auto& around = neighbors_[t];
    return static_cast<int>(std::find(around.begin(), around.end(), neighbor) - around.begin());
}

void DelaunayRectangle::set(int t, const Triangle& corners, const std::array<int, 3>& neighbors) {
    triangles_[t] = corners;
    neighbors_[t] = neighbors;
}

int DelaunayRectangle::add(const Triangle& corners, const std::array<int, 3>& neighbors) {
    triangles_.push_back(corners);
    neighbors_.push_back(neighbors);
    return static_cast<int>(triangles_.size()) - 1;
}

void DelaunayRectangle::relink(int t, int old_neighbor, int new_neighbor) {
    if (t >= 0) neighbors_[t][corner_facing(t, old_neighbor)] = new_neighbor;
}

void DelaunayRectangle::split_triangle(int t, int p) {
    const auto [a, b, c] = triangles_[t];
    const auto [across_bc, across_ca, across_ab] = neighbors_[t];
    const int second = static_cast<int>(triangles_.size());
    const int third = second + 1;
    set(t, {p, a, b}, {across_ab, second, third});
    add({p, b, c}, {across_bc, third, t});
    add({p, c, a}, {across_ca, t, second});
    relink(across_bc, t, second);
    relink(across_ca, t, third);
    suspects_ = {{t, 0}, {second, 0}, {third, 0}};
}

void DelaunayRectangle::split_side(Side side, int p) {
    // t = (a, b, c) with p on bc; beyond bc lies u = (d, c, b), unless bc is on the border.
    const int t = side.triangle;
    const int a = triangles_[t][side.corner];
    const int b = triangles_[t][(side.corner + 1) % 3];
    const int c = triangles_[t][(side.corner + 2) % 3];
    const int u = neighbors_[t][side.corner];
    const int across_ca = neighbors_[t][(side.corner + 1) % 3];
    const int across_ab = neighbors_[t][(side.corner + 2) % 3];
    const int t_new = static_cast<int>(triangles_.size());
    const int u_new = u < 0 ? -1 : t_new + 1;
    const int corner_u = u < 0 ? 0 : corner_facing(u, t);
    set(t, {p, a, b}, {across_ab, u, t_new});
    add({p, c, a}, {across_ca, t, u_new});
    relink(across_ca, t, t_new);
    suspects_ = {{t, 0}, {t_new, 0}};
    if (u < 0) return;
    const int d = triangles_[u][corner_u];
    const int across_bd = neighbors_[u][(corner_u + 1) % 3];
    const int across_dc = neighbors_[u][(corner_u + 2) % 3];
    set(u, {p, b, d}, {across_bd, u_new, t});
    add({p, d, c}, {across_dc, t_new, u});
    relink(across_dc, u, u_new);
    suspects_.insert(suspects_.end(), {{u, 0}, {u_new, 0}});
}

void DelaunayRectangle::legalize() {
    while (!suspects_.empty()) {
        const Side side = suspects_.back();
        suspects_.pop_back();
        if (must_flip(side)) flip(side);
    }
}

bool DelaunayRectangle::must_flip(Side side) const {
    const int u = neighbors_[side.triangle][side.corner];
    if (u < 0) return false;
    const Triangle& corners = triangles_[side.triangle];
    const Vec2& p = points_[corners[side.corner]];
    const Vec2& b = points_[corners[(side.corner + 1) % 3]];
    const Vec2& c = points_[corners[(side.corner + 2) % 3]];
    const Vec2& d = points_[triangles_[u][corner_facing(u, side.triangle)]];
    return orient(p, b, d) > 0 && orient(p, d, c) > 0 && in_circle(p, b, c, d);
}

void DelaunayRectangle::flip(Side side) {
    const int t = side.triangle;  // (p, b, c) and u = (d, c, b) become (p, b, d) and (p, d, c)
    const int p = triangles_[t][side.corner];
    const int b = triangles_[t][(side.corner + 1) % 3];
    const int c = triangles_[t][(side.corner + 2) % 3];
    const int u = neighbors_[t][side.corner];
    const int across_cp = neighbors_[t][(side.corner + 1) % 3];
    const int across_pb = neighbors_[t][(side.corner + 2) % 3];
    const int corner_u = corner_facing(u, t);
    const int d = triangles_[u][corner_u];
    const int across_bd = neighbors_[u][(corner_u + 1) % 3];
    const int across_dc = neighbors_[u][(corner_u + 2) % 3];
    set(t, {p, b, d}, {across_bd, u, across_pb});
    set(u, {p, d, c}, {across_dc, across_cp, t});
    relink(across_bd, u, t);
    relink(across_cp, t, u);
    suspects_.insert(suspects_.end(), {{t, 0}, {u, 0}});
}

}  // namespace toile
