// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/render/embree_scene.h"
#include "toile/render/scene_view.h"

#include <memory>
#include <optional>
#include <vector>

namespace toile {

/// A point of a surface as the light meets it, in the scene's own unit.
struct ShadedPoint {
    Eigen::Vector3f position;  ///< lifted to the smooth surface, off the triangle, on the seen side
    Eigen::Vector3f beneath;   ///< just under the triangle, on the other side
    Eigen::Vector3f normal;    ///< unit, of the smooth surface, towards the seen side
    Eigen::Vector3f face_normal;  ///< unit, of the triangle, towards the seen side
    Color albedo;
    float sheen = 0;
    float translucency = 0;
    bool is_detailed = false;  ///< has a pattern or lines, finer than a pixel perhaps
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
    /// As EmbreeScene's, but quick to say no to rays that pass beside all bodies.
    bool closest_hit(const Ray& ray, RayHit& out_hit) const {
        return comes_near(ray) && rays_->closest_hit(ray, out_hit);
    }
    [[nodiscard]] bool occluded(const Ray& ray) const {
        return comes_near(ray) && rays_->occluded(ray);
    }
    [[nodiscard]] const Eigen::Vector3f& up() const { return up_; }

    /// Distance along the ray at which it meets the floor from above, where it does.
    [[nodiscard]] std::optional<float> floor_distance(const Ray& ray) const {
        if (!floor_height_) return std::nullopt;
        const float height = ray.origin.dot(up_) - *floor_height_;
        const float descent = -ray.direction.dot(up_);
        if (!(height > 0 && descent > 0)) return std::nullopt;
        return height / descent;
    }
    /// The surface that `ray` meets at `hit`; with pattern and edges.
    [[nodiscard]] ShadedPoint surface_at(const Ray& ray, const RayHit& hit,
                                         const PixelFootprint& footprint) const;
    /// The bare colour of the side that `ray` sees: for light that arrives by way of the surface.
    [[nodiscard]] Color plain_color(const Ray& ray, const RayHit& hit) const;

  private:
    void enclose_bodies();

    struct Body {
        std::vector<Eigen::Vector3f> positions;
        std::vector<Eigen::Vector3f> corner_normals;
        const RenderBody* source = nullptr;
    };
    /// Whether the ray, of unit direction, meets the sphere round all bodies.
    [[nodiscard]] bool comes_near(const Ray& ray) const {
        const Eigen::Vector3f to_center = sphere_center_ - ray.origin;
        const float along = to_center.dot(ray.direction);
        const float squared = to_center.squaredNorm();
        if (squared <= sphere_radius_squared_) return true;
        return along > 0 && squared - along * along <= sphere_radius_squared_;
    }
    [[nodiscard]] Color pattern_color(const Body& body, const RayHit& hit, const Color& color,
                                      float pixel) const;

    Vec3 center_;
    double scale_ = 1;
    Eigen::Vector3f up_;
    std::optional<float> floor_height_;
    Eigen::Vector3f sphere_center_ = Eigen::Vector3f::Zero();
    float sphere_radius_squared_ = -1;
    std::vector<Body> bodies_;
    std::unique_ptr<EmbreeScene> rays_;
};

/// How far rays start off a surface, in the scene's unit.
constexpr float kRayOffset = 2e-5F;

}  // namespace toile
