// SPDX-License-Identifier: Apache-2.0
// Notation: E irradiance, in units in which a white matt surface of E = 1 has radiance 1; L
// radiance; l direction to the key light; d direction to the surroundings.
#include "toile/render/ray_tracer.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/render/lit_scene.h"
#include "toile/render/sampling.h"
#include "toile/render/studio_light.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

using Vec3f = Eigen::Vector3f;

constexpr int kTile = 16;                     // pixels
constexpr std::uint32_t kPatternSide = 2048;  // pixels after which the sample pattern changes seed
constexpr float kFloorShade = 0.35F;  // of the floor's return that does not come from the key light
constexpr float kBounceAmbient =
    0.30F;                          // irradiance by the surroundings assumed where light bounces
constexpr float kVignette = 0.13F;  // the backdrop's fall towards the corners

/// Seeds of the independent dimensions of one sample.
enum class Dimension : std::uint32_t { Pixel = 1, Key = 2, Surroundings = 3, Bounce = 4 };

/// Which sample of the picture is being taken.
struct SampleIndex {
    std::uint32_t index;
    std::uint32_t seed;

    [[nodiscard]] Eigen::Array2f point(Dimension d) const {
        return sample_point(index, seed + static_cast<std::uint32_t>(d));
    }
};

SampleIndex sample_index(int x, int y, int sample, int n_samples) {
    const auto ux = static_cast<std::uint32_t>(x);
    const auto uy = static_cast<std::uint32_t>(y);
    const std::uint32_t place = z_order(ux % kPatternSide, uy % kPatternSide);
    const std::uint32_t block = ux / kPatternSide + 64 * (uy / kPatternSide);
    return {place * static_cast<std::uint32_t>(n_samples) + static_cast<std::uint32_t>(sample),
            hash_bits(block) & ~7U};
}

class Painter {
  public:
    Painter(const SceneView& view, const Camera& camera, const PictureOptions& options)
        : scene_(view),
          light_(studio_light(camera, view.up)),
          backdrop_(view.backdrop),
          options_(options),
          origin_(scene_.to_scene(camera.from)) {
        const CameraAxes axes = camera_axes(camera);
        const double slope = 2 * std::tan(0.5 * camera.vertical_fov) / options.size.height;
        footprint_.slope = static_cast<float>(slope);
        right_ = (slope * axes.right).cast<float>();
        down_ = (-slope * axes.up).cast<float>();
        forward_ = axes.forward.cast<float>();
        floor_irradiance_ = light_.key_color * std::max(0.F, light_.key.axis.dot(light_.up)) +
                            light_.open_irradiance(light_.up);
    }

    [[nodiscard]] Rgb8 pixel(int x, int y) const {
        Color sum = Color::Zero();
        for (int s = 0; s < options_.samples; ++s) {
            sum += camera_radiance(x, y, sample_index(x, y, s, options_.samples));
        }
        return to_display(sum / static_cast<float>(options_.samples));
    }

  private:
    [[nodiscard]] Color camera_radiance(int x, int y, const SampleIndex& sample) const {
        const Eigen::Array2f jitter = sample.point(Dimension::Pixel);
        const Eigen::Array2f at(static_cast<float>(x) + jitter[0],
                                static_cast<float>(y) + jitter[1]);
        const Eigen::Array2f off_center(at[0] - 0.5F * static_cast<float>(options_.size.width),
                                        at[1] - 0.5F * static_cast<float>(options_.size.height));
        const Ray ray{origin_,
                      (forward_ + off_center[0] * right_ + off_center[1] * down_).normalized()};
        RayHit hit;
        const std::optional<float> to_floor = scene_.floor_distance(ray);
        if (scene_.rays().closest_hit(ray, hit) && !(to_floor && *to_floor < hit.distance)) {
            return surface_radiance(ray, scene_.surface_at(ray, hit, footprint_), sample);
        }
        const Color behind = backdrop(off_center);
        if (!to_floor) return behind;
        return behind * floor_light(ray.origin + *to_floor * ray.direction, sample);
    }

    [[nodiscard]] Color backdrop(const Eigen::Array2f& off_center) const {
        const float half =
            0.5F * static_cast<float>(std::max(options_.size.width, options_.size.height));
        return backdrop_ * (1 - kVignette * (off_center / half).square().sum());
    }

    [[nodiscard]] Color surface_radiance(const Ray& ray, const SurfacePoint& point,
                                         const SampleIndex& sample) const {
        const Color E = key_irradiance(point, sample) + surroundings_irradiance(point, sample);
        const float facing = std::clamp(-point.normal.dot(ray.direction), 0.F, 1.F);
        const float grazing = (1 - facing) * (1 - facing) * (1 - facing);
        return (point.albedo + point.sheen * grazing) * E;
    }

    /// Key light from the seen side, or a little of it shining through from the other.
    [[nodiscard]] Color key_irradiance(const SurfacePoint& point, const SampleIndex& sample) const {
        const Vec3f l = cone_direction(light_.key, light_.key_cosine, sample.point(Dimension::Key));
        const float cosine = point.normal.dot(l);
        const float gain = cosine > 0 ? cosine : -cosine * point.translucency;
        if (!(gain > 0)) return Color::Zero();
        const Ray shadow{cosine > 0 ? point.position : point.beneath, l};
        return scene_.rays().occluded(shadow) ? Color::Zero() : Color(light_.key_color * gain);
    }

    /// All surroundings, less what the sampled direction does not see of them: without noise where
    /// nothing is in the way.
    [[nodiscard]] Color surroundings_irradiance(const SurfacePoint& point,
                                                const SampleIndex& sample) const {
        Vec3f d =
            cosine_direction(frame_around(point.normal), sample.point(Dimension::Surroundings));
        const float under = std::min(0.F, d.dot(point.face_normal));
        d -= 2 * under * point.face_normal;
        const Color difference =
            radiance_from({point.position, d}, sample) - light_.surroundings(d);
        return (light_.open_irradiance(point.normal) + difference).max(0.F);
    }

    /// Radiance that arrives along a ray: surroundings, or one bounce off a body or the floor.
    [[nodiscard]] Color radiance_from(const Ray& ray, const SampleIndex& sample) const {
        RayHit hit;
        if (scene_.rays().closest_hit(ray, hit)) return bounced(ray, hit, sample);
        const std::optional<float> to_floor = scene_.floor_distance(ray);
        if (!to_floor) return light_.surroundings(ray.direction);
        const Vec3f p = ray.origin + *to_floor * ray.direction;
        const bool shaded = scene_.rays().occluded({p, light_.key.axis});
        return light_.surroundings(ray.direction) * (shaded ? kFloorShade : 1.F);
    }

    [[nodiscard]] Color bounced(const Ray& ray, const RayHit& hit,
                                const SampleIndex& sample) const {
        const Vec3f n = hit.normal.normalized() * (hit.normal.dot(ray.direction) <= 0 ? 1.F : -1.F);
        const Vec3f l =
            cone_direction(light_.key, light_.key_cosine, sample.point(Dimension::Bounce));
        Color E = kBounceAmbient * light_.open_irradiance(n);
        const float cosine = n.dot(l);
        const Vec3f p = ray.origin + hit.distance * ray.direction + kRayOffset * n;
        if (cosine > 0 && !scene_.rays().occluded({p, l})) E += light_.key_color * cosine;
        return scene_.plain_color(ray, hit) * E;
    }

    /// Share of its full light that the floor keeps at `p`.
    [[nodiscard]] Color floor_light(const Vec3f& p, const SampleIndex& sample) const {
        SurfacePoint point;
        point.position = p + kRayOffset * light_.up;
        point.normal = point.face_normal = light_.up;
        const Color E = key_irradiance(point, sample) + surroundings_irradiance(point, sample);
        return E / floor_irradiance_;
    }

    LitScene scene_;
    StudioLight light_;
    Color backdrop_;
    PictureOptions options_;
    PixelFootprint footprint_;
    Vec3f origin_, right_, down_, forward_;
    Color floor_irradiance_;
};

void require_samples(int samples) {
    if (samples >= 1 && samples <= kMaxSamples) return;
    throw InvalidInput(
        fmt::format("{} samples per pixel cannot be taken; expected 1..{}.", samples, kMaxSamples));
}

}  // namespace

Image render_picture(const SceneView& view, const Camera& camera, const PictureOptions& options) {
    require_valid(view);
    require_samples(options.samples);
    Image image(options.size);
    const Painter painter(view, camera, options);
    const int columns = (options.size.width + kTile - 1) / kTile;
    const int rows = (options.size.height + kTile - 1) / kTile;
    parallel_for(columns * rows, 1, [&](int begin, int end) {
        for (int tile = begin; tile < end; ++tile) {
            const int left = tile % columns * kTile;
            const int top = tile / columns * kTile;
            for (int y = top; y < std::min(top + kTile, options.size.height); ++y) {
                for (int x = left; x < std::min(left + kTile, options.size.width); ++x) {
                    image.at(x, y) = painter.pixel(x, y);
                }
            }
        }
    });
    return image;
}

}  // namespace toile
