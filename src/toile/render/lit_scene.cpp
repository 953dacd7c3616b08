// SPDX-License-Identifier: Apache-2.0
#include "toile/render/lit_scene.h"

#include "toile/collision/aabb.h"
#include "toile/render/shading_normals.h"
#include "toile/render/surface_pattern.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

using Vec3f = Eigen::Vector3f;

constexpr float kSphereMargin = 1.0001F;  // squared, of the sphere round all bodies, for rounding
constexpr float kLineWidth = 0.9F;        // pixels
constexpr float kInkFrom = 1.5F;  // pixels of a triangle's height at which lines begin to show
constexpr float kInkTo = 8;

/// The three corners of a triangle and a point in it by barycentric coordinates.
struct Corners {
    Vec3f a, b, c;

    [[nodiscard]] Vec3f at(float b1, float b2) const { return (1 - b1 - b2) * a + b1 * b + b2 * c; }
};

Corners pick(const std::vector<Vec3f>& values, const Triangle& t) {
    return {values[static_cast<size_t>(t[0])], values[static_cast<size_t>(t[1])],
            values[static_cast<size_t>(t[2])]};
}

Corners pick_corners(const std::vector<Vec3f>& values, size_t triangle) {
    return {values[3 * triangle], values[3 * triangle + 1], values[3 * triangle + 2]};
}

/// The point lifted towards the smooth surface that its corner normals describe, so that a lit
/// smooth surface does not shade itself by its facets [Hanika21].
Vec3f lifted(const Vec3f& p, const Corners& corner, const Corners& normal, float b1, float b2) {
    const auto lift = [&](const Vec3f& v, const Vec3f& n) -> Vec3f {
        return std::max(0.F, (v - p).dot(n)) * n;
    };
    return p + (1 - b1 - b2) * lift(corner.a, normal.a) + b1 * lift(corner.b, normal.b) +
           b2 * lift(corner.c, normal.c);
}

/// Distance in pixels from the ray to the line through a and b, both seen from the ray's origin.
float pixels_to_line(const Ray& ray, const Vec3f& a, const Vec3f& b, float slope) {
    const Vec3f plane = (a - ray.origin).cross(b - ray.origin);
    const float length = plane.norm();
    if (!(length > 0)) return 0;
    return std::abs(plane.dot(ray.direction)) / length / slope;
}

/// How much ink a ray meets: 1 on a line, 0 beside; less where the triangle is but few pixels high,
/// so that a mesh too fine to be seen does not turn black.
float ink(const Ray& ray, const RayHit& hit, const Corners& corner, float slope) {
    const float nearest = std::min({pixels_to_line(ray, corner.a, corner.b, slope),
                                    pixels_to_line(ray, corner.b, corner.c, slope),
                                    pixels_to_line(ray, corner.c, corner.a, slope)});
    if (nearest >= 0.5F * kLineWidth) return 0;
    const float longest = std::max(
        {(corner.b - corner.a).norm(), (corner.c - corner.b).norm(), (corner.a - corner.c).norm()});
    const float pixels_high = hit.normal.norm() / longest / (slope * hit.distance);
    return std::clamp((pixels_high - kInkFrom) / (kInkTo - kInkFrom), 0.F, 1.F);
}

Vec3f unit_or(const Vec3f& v, const Vec3f& otherwise) {
    const float length = v.norm();
    return length > 0 ? Vec3f(v / length) : otherwise;
}

const Color& bare_color(const RenderBody& body, const RayHit& hit, bool front) {
    if (!body.triangle_colors.empty()) {
        return body.triangle_colors[static_cast<size_t>(hit.triangle)];
    }
    return front ? body.look.front : body.look.back;
}

}  // namespace

LitScene::LitScene(const SceneView& view) : up_(view.up.normalized().cast<float>()) {
    require_valid(view);
    Aabb box;
    for (const Vec3& p : points_to_frame(view)) box.extend(p);
    center_ = box.empty() ? Vec3::Zero() : box.center();
    scale_ = box.diagonal() > 0 ? 1 / box.diagonal() : 1;
    if (view.floor_height) {
        const double height = *view.floor_height - view.up.normalized().dot(center_);
        floor_height_ = static_cast<float>(height * scale_) - kRayOffset;
    }
    bodies_.reserve(view.bodies.size());
    std::vector<RayMesh> meshes;
    for (const RenderBody& source : view.bodies) {
        Body& body = bodies_.emplace_back();
        body.source = &source;
        for (const Vec3& p : source.positions) body.positions.push_back(to_scene(p));
        body.corner_normals =
            corner_normals(source.positions, source.triangles, source.look.crease_angle);
        meshes.push_back({body.positions, source.triangles});
    }
    rays_ = std::make_unique<EmbreeScene>(meshes);
    enclose_bodies();
}

void LitScene::enclose_bodies() {
    Eigen::AlignedBox3f box;
    for (const Body& body : bodies_) {
        for (const Vec3f& p : body.positions) box.extend(p);
    }
    if (box.isEmpty()) return;
    sphere_center_ = box.center();
    float farthest = 0;
    for (const Body& body : bodies_) {
        for (const Vec3f& p : body.positions) {
            farthest = std::max(farthest, (p - sphere_center_).squaredNorm());
        }
    }
    sphere_radius_squared_ = kSphereMargin * farthest;
}

ShadedPoint LitScene::surface_at(const Ray& ray, const RayHit& hit,
                                 const PixelFootprint& footprint) const {
    const Body& body = bodies_[static_cast<size_t>(hit.body)];
    const auto t = static_cast<size_t>(hit.triangle);
    const SurfaceLook& look = body.source->look;
    const Corners corner = pick(body.positions, body.source->triangles[t]);
    const float side = hit.normal.dot(ray.direction) <= 0 ? 1.F : -1.F;
    Corners normal = pick_corners(body.corner_normals, t);
    for (Vec3f* n : {&normal.a, &normal.b, &normal.c}) *n *= side;

    ShadedPoint point;
    point.face_normal = unit_or(side * hit.normal, -ray.direction);
    point.normal = unit_or(normal.at(hit.b1, hit.b2), point.face_normal);
    const Vec3f p = corner.at(hit.b1, hit.b2);
    point.position = lifted(p, corner, normal, hit.b1, hit.b2) + kRayOffset * point.face_normal;
    point.beneath = p - kRayOffset * point.face_normal;
    point.sheen = look.sheen;
    point.translucency = look.translucency;
    point.is_detailed = look.edges || look.pattern != Pattern::None;
    const float pixel = footprint.slope * hit.distance;
    point.albedo = pattern_color(body, hit, bare_color(*body.source, hit, side > 0), pixel);
    if (look.edges) point.albedo = inked(point.albedo, ink(ray, hit, corner, footprint.slope));
    return point;
}

Color LitScene::plain_color(const Ray& ray, const RayHit& hit) const {
    const RenderBody& source = *bodies_[static_cast<size_t>(hit.body)].source;
    return bare_color(source, hit, hit.normal.dot(ray.direction) <= 0);
}

Color LitScene::pattern_color(const Body& body, const RayHit& hit, const Color& color,
                              float pixel) const {
    const RenderBody& source = *body.source;
    if (source.look.pattern == Pattern::None) return color;
    const Triangle& t = source.uv_triangles[static_cast<size_t>(hit.triangle)];
    const Vec2& a = source.uvs[static_cast<size_t>(t[0])];
    const Vec2 ab = source.uvs[static_cast<size_t>(t[1])] - a;
    const Vec2 ac = source.uvs[static_cast<size_t>(t[2])] - a;
    const double texture_area = std::abs(ab.x() * ac.y() - ab.y() * ac.x());
    const double area = std::max(1e-20, static_cast<double>(hit.normal.norm()));
    const auto magnification = static_cast<float>(std::sqrt(texture_area / area));
    return dyed(color, source.look, a + hit.b1 * ab + hit.b2 * ac, pixel * magnification);
}

}  // namespace toile
