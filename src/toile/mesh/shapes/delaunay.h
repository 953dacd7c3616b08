// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <span>
#include <vector>

namespace toile {

/// A Delaunay triangulation of an axis-aligned rectangle that grows point by point: the point's
/// triangle or edge is split and edges are flipped until all are locally Delaunay [Lawson77].
///
/// Predicates are plain doubles, and a flip must leave both triangles with positive area, so the
/// result always tiles the rectangle; where four points are nearly on one circle either diagonal
/// may stay. Meant for some thousands of points with distances well above rounding.
class DelaunayRectangle {
  public:
    /// Points 0 … 3 are the corners, counter-clockwise from (0, 0); sides in metres, above 0.
    DelaunayRectangle(double width, double length);

    /// Adds a point of the rectangle (its sides included) and returns its index; the same index as
    /// before for a point that is a vertex already. Throws InvalidInput for a point outside.
    int insert(const Vec2& point);

    [[nodiscard]] const std::vector<Vec2>& points() const { return points_; }
    /// Counter-clockwise.
    [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }

  private:
    /// Side `corner` (opposite to it) of a triangle.
    struct Side {
        int triangle;
        int corner;
    };

    [[nodiscard]] double orientation(int t, int corner, const Vec2& p) const;
    [[nodiscard]] int locate(const Vec2& p) const;
    [[nodiscard]] int locate_slowly(const Vec2& p) const;
    [[nodiscard]] int corner_facing(int t, int neighbor) const;
    void set(int t, const Triangle& corners, const std::array<int, 3>& neighbors);
    int add(const Triangle& corners, const std::array<int, 3>& neighbors);
    void relink(int t, int old_neighbor, int new_neighbor);
    void split_triangle(int t, int p);
    void split_side(Side side, int p);
    void legalize();
    [[nodiscard]] bool must_flip(Side side) const;
    void flip(Side side);

    std::vector<Vec2> points_;
    std::vector<Triangle> triangles_;
    std::vector<std::array<int, 3>> neighbors_;  ///< across the side opposite to each corner, or -1
    std::vector<Side> suspects_;                 ///< sides to test, all opposite to the new point
    int last_triangle_ = 0;                      ///< where the next search begins
};

}  // namespace toile
