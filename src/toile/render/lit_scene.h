// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/embree_scene.h"
#include "toile/render/scene_view.h"

#include <memory>
#include <optional>
#include <vector>

namespace toile {

/// A point of a surface as the light meets it, in the scene's own unit.
struct SurfacePoint {
    Eigen::Vector3f position;  ///< lifted to the smooth surface, off the triangle, on the seen side
    Eigen::Vector3f beneath;   ///< just under the triangle, on the other side
    Eigen::Vector3f normal;    ///< unit, of the smooth surface, towards the seen side
    Eigen::Vector3f face_normal;  ///< unit, of the triangle, towards the seen side
    Color albedo;
    float sheen = 0;
    float translucency = 0;
};

/// How wide a pixel is where a ray ends, and how to find the mesh's lines there.
struct PixelFootprint {
    float slope = 0;  ///< width of a pixel at distance 1
};

/// A scene made ready for rays: moved and scaled so that what matters has a diagonal of about one
/// (single precision then serves scenes of any size), with normals and the hierarchy. Borrows the
/// view.
class LitScene {
  public:
    /// Throws InvalidInput where the view is not valid.
    explicit LitScene(const SceneView& view);

    [[nodiscard]] Eigen::Vector3f to_scene(const Vec3& point) const {
        return ((point - center_) * scale_).cast<float>();
    }
    [[nodiscard]] const EmbreeScene& rays() const { return *rays_; }
    [[nodiscard]] const Eigen::Vector3f& up() const { return up_; }

    /// Distance along the ray at which it meets the floor from above, where it does.
    [[nodiscard]] std::optional<float> floor_distance(const Ray& ray) const;
    /// The surface that `ray` meets at `hit`; with pattern and edges.
    [[nodiscard]] SurfacePoint surface_at(const Ray& ray, const RayHit& hit,
                                          const PixelFootprint& footprint) const;
    /// The bare colour of the side that `ray` sees: for light that arrives by way of the surface.
    [[nodiscard]] Color plain_color(const Ray& ray, const RayHit& hit) const;

  private:
    struct Body {
        std::vector<Eigen::Vector3f> positions;
        std::vector<Eigen::Vector3f> corner_normals;
        const RenderBody* source = nullptr;
    };
    [[nodiscard]] Color pattern_color(const Body& body, const RayHit& hit, const Color& color,
                                      float pixel) const;

    Vec3 center_;
    double scale_ = 1;
    Eigen::Vector3f up_;
    std::optional<float> floor_height_;
    std::vector<Body> bodies_;
    std::unique_ptr<EmbreeScene> rays_;
};

/// How far rays start off a surface, in the scene's unit.
constexpr float kRayOffset = 2e-5F;

}  // namespace toile
