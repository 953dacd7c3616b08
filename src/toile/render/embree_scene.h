// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <limits>
#include <memory>
#include <span>

namespace toile {

/// A ray in single precision; `direction` has any length, in which distances are counted.
struct Ray {
    Eigen::Vector3f origin;
    Eigen::Vector3f direction;
    float nearest = 0;
    float farthest = std::numeric_limits<float>::infinity();
};

/// Where a ray first meets a triangle.
struct RayHit {
    int body = 0;
    int triangle = 0;
    float distance = 0;
    float b1 = 0;            ///< barycentric coordinate of the triangle's corner 1
    float b2 = 0;            ///< of corner 2
    Eigen::Vector3f normal;  ///< (p1 - p0) x (p2 - p0), not of unit length
};

/// Triangles of one body as Embree takes them.
struct RayMesh {
    std::span<const Eigen::Vector3f> positions;
    std::span<const Triangle> triangles;
};

/// A hierarchy over triangles that rays are shot at, by Embree 3 or 4. Built on one thread, so that
/// it, and with it which of two triangles at the same distance is met, is the same every time.
class EmbreeScene {
  public:
    explicit EmbreeScene(std::span<const RayMesh> bodies);
    ~EmbreeScene();
    EmbreeScene(const EmbreeScene&) = delete;
    EmbreeScene& operator=(const EmbreeScene&) = delete;

    /// Fills `out_hit` and returns true where the ray meets a triangle. Safe to call in parallel.
    bool closest_hit(const Ray& ray, RayHit& out_hit) const;
    /// Whether the ray meets any triangle.
    [[nodiscard]] bool occluded(const Ray& ray) const;

  private:
    struct Handles;
    std::unique_ptr<Handles> handles_;
};

}  // namespace toile
