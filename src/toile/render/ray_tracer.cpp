// SPDX-License-Identifier: Apache-2.0
// Notation: E irradiance, in units in which a white matt surface of E = 1 has radiance 1; L
// radiance; l direction to the key light; d direction to the surroundings.
#include "toile/render/ray_tracer.h"

#include "toile/core/error.h"
#include "toile/core/parallel.h"
#include "toile/render/light_filter.h"
#include "toile/render/lit_scene.h"
#include "toile/render/sampling.h"
#include "toile/render/studio_light.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace toile {
namespace {

using Vec3f = Eigen::Vector3f;

constexpr int kTile = 16;                     // pixels
constexpr std::uint32_t kPatternSide = 2048;  // pixels after which the samples are used again
constexpr float kBorderDepth = 12;    // pixel widths of depth within a pixel that make it a border
constexpr float kBorderBend = 0.97F;  // mean length of unit normals below which it is one
constexpr float kFloorShade = 0.35F;  // of the floor's return that does not come from the key light
constexpr float kBounceAmbient =
    0.30F;                          // irradiance by the surroundings assumed where light bounces
constexpr float kVignette = 0.13F;  // the backdrop's fall towards the corners

/// Place of a pixel in the order in which samples are given out, which follows the Z curve.
std::uint32_t sample_order(int x, int y) {
    return z_order(static_cast<std::uint32_t>(x) % kPatternSide,
                   static_cast<std::uint32_t>(y) % kPatternSide);
}

/// Places of the samples within a pixel, the same in all. The first four lie nearest to its
/// corners, so that a border through the pixel is not missed by them.
std::vector<Eigen::Array2f> pixel_offsets(int n_samples) {
    const SampleSequence sequence(1);
    std::vector<Eigen::Array2f> offsets;
    for (int s = 0; s < n_samples; ++s)
        offsets.push_back(sequence.point(static_cast<std::uint32_t>(s)));
    for (int corner = 0; corner < std::min(4, n_samples); ++corner) {
        const Eigen::Array2f place(static_cast<float>(corner & 1), static_cast<float>(corner >> 1));
        const auto distance = [&](const Eigen::Array2f& p) { return (p - place).square().sum(); };
        std::iter_swap(
            offsets.begin() + corner,
            std::ranges::min_element(offsets.begin() + corner, offsets.end(), {}, distance));
    }
    return offsets;
}

/// How many samples every pixel takes; the others only where there is something to be refined.
int first_samples(int n_samples) {
    return std::min(n_samples, std::max(4, n_samples / 4));
}

class Painter {
  public:
    Painter(const SceneView& view, const Camera& camera, const PictureOptions& options)
        : scene_(view),
          light_(studio_light(camera, view.up)),
          backdrop_(view.backdrop),
          options_(options),
          n_first_(first_samples(options.samples)),
          offsets_(pixel_offsets(options.samples)),
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

    /// Light of a pixel with its surroundings apart, to be filtered; where the pixel holds the
    /// border of a surface, all in one, which is not.
    [[nodiscard]] PixelLight pixel(int x, int y) const {
        PixelLight pixel;
        Spread spread;
        const std::uint32_t order = sample_order(x, y);
        for (int s = 0; s < options_.samples; ++s) {
            if (s == n_first_ && spread.is_plain()) break;
            const Sight sight = look(x, y, s);
            pixel.direct += sight.glow;
            Color key = Color::Zero();
            if (sight.is_surface) {
                key = key_irradiance(sight.point, index(order, s, options_.samples));
                add_sight(sight, key, pixel);
            }
            spread.add(sight, key);
            if (spread.holds_border(footprint_.slope)) return border_pixel(x, y);
            if (s >= n_first_ || !sight.is_surface) continue;
            pixel.surroundings += surroundings_irradiance(sight.point, index(order, s, n_first_));
        }
        average(spread.n, pixel);
        return pixel;
    }

  private:
    /// What a camera ray meets.
    struct Sight {
        bool is_surface = false;
        Vec3f direction;
        ShadedPoint point;
        float distance = 0;
        Color glow = Color::Zero();  ///< radiance of what needs no light
    };

    /// How far the sights of one pixel differ.
    struct Spread {
        int n = 0, n_surface = 0, n_key = 0;
        float nearest = std::numeric_limits<float>::infinity(), farthest = 0;
        Vec3f normal = Vec3f::Zero();
        bool is_detailed = false;

        void add(const Sight& sight, const Color& key) {
            ++n;
            if (!sight.is_surface) return;
            ++n_surface;
            if (key[0] > 0) ++n_key;
            nearest = std::min(nearest, sight.distance);
            farthest = std::max(farthest, sight.distance);
            normal += sight.point.normal;
            is_detailed = is_detailed || sight.point.is_detailed;
        }
        [[nodiscard]] bool holds_border(float slope) const {
            if (n_surface == 0) return false;
            return n_surface < n || farthest - nearest > kBorderDepth * slope * farthest ||
                   normal.norm() < kBorderBend * static_cast<float>(n);
        }
        /// All light or all shadow, and no detail.
        [[nodiscard]] bool is_plain() const {
            return !is_detailed && (n_key == 0 || n_key == n_surface);
        }
    };

    /// Every sample with its own light of the surroundings, which takes longer.
    [[nodiscard]] PixelLight border_pixel(int x, int y) const {
        PixelLight pixel;
        const std::uint32_t order = sample_order(x, y);
        for (int s = 0; s < options_.samples; ++s) {
            const Sight sight = look(x, y, s);
            pixel.direct += sight.glow;
            if (!sight.is_surface) continue;
            const std::uint32_t sample = index(order, s, options_.samples);
            const Color E =
                key_irradiance(sight.point, sample) + surroundings_irradiance(sight.point, sample);
            pixel.direct += answer(sight) * E;
        }
        pixel.direct /= static_cast<float>(options_.samples);
        return pixel;
    }

    static std::uint32_t index(std::uint32_t order, int sample, int n_samples) {
        return order * static_cast<std::uint32_t>(n_samples) + static_cast<std::uint32_t>(sample);
    }

    [[nodiscard]] Sight look(int x, int y, int sample) const {
        const Eigen::Array2f& offset = offsets_[static_cast<size_t>(sample)];
        const float across =
            static_cast<float>(x) + offset[0] - 0.5F * static_cast<float>(options_.size.width);
        const float down =
            static_cast<float>(y) + offset[1] - 0.5F * static_cast<float>(options_.size.height);
        const Ray ray{origin_, (forward_ + across * right_ + down * down_).normalized()};
        Sight sight;
        sight.direction = ray.direction;
        RayHit hit;
        const std::optional<float> to_floor = scene_.floor_distance(ray);
        if (scene_.closest_hit(ray, hit) && !(to_floor && *to_floor < hit.distance)) {
            sight.is_surface = true;
            sight.distance = hit.distance;
            sight.point = scene_.surface_at(ray, hit, footprint_);
        } else if (to_floor) {
            sight.is_surface = true;
            sight.distance = *to_floor;
            sight.point =
                floor_point(ray.origin + *to_floor * ray.direction, backdrop(across, down));
        } else {
            sight.glow = backdrop(across, down);
        }
        return sight;
    }

    [[nodiscard]] Color backdrop(float across, float down) const {
        const float half =
            0.5F * static_cast<float>(std::max(options_.size.width, options_.size.height));
        return backdrop_ * (1 - kVignette * (across * across + down * down) / (half * half));
    }

    /// The floor shows the backdrop where it has all its light.
    [[nodiscard]] ShadedPoint floor_point(const Vec3f& p, const Color& behind) const {
        ShadedPoint point;
        point.position = p + kRayOffset * light_.up;
        point.normal = point.face_normal = light_.up;
        point.albedo = behind / floor_irradiance_;
        return point;
    }

    /// Radiance towards the camera per irradiance.
    [[nodiscard]] static Color answer(const Sight& sight) {
        const float facing = std::clamp(-sight.point.normal.dot(sight.direction), 0.F, 1.F);
        const float grazing = (1 - facing) * (1 - facing) * (1 - facing);
        return sight.point.albedo + sight.point.sheen * grazing;
    }

    void add_sight(const Sight& sight, const Color& key, PixelLight& pixel) const {
        const Color a = answer(sight);
        pixel.direct += a * key;
        pixel.key += key;
        pixel.albedo += a;
        pixel.normal += sight.point.normal;
        pixel.position += sight.point.position;
        pixel.width += footprint_.slope * sight.distance;
    }

    void average(int n, PixelLight& pixel) const {
        const float share = 1 / static_cast<float>(n);
        pixel.direct *= share;
        pixel.albedo *= share;
        pixel.normal *= share;
        pixel.position *= share;
        pixel.width *= share;
        pixel.key *= share;
        pixel.direct -= pixel.albedo * pixel.key;
        pixel.surroundings /= static_cast<float>(n_first_);
    }

    /// Key light from the seen side, or a little of it shining through from the other.
    [[nodiscard]] Color key_irradiance(const ShadedPoint& point, std::uint32_t sample) const {
        const Vec3f l = cone_direction(light_.key, light_.key_cosine, key_samples_.point(sample));
        const float cosine = point.normal.dot(l);
        const float gain = cosine > 0 ? cosine : -cosine * point.translucency;
        if (!(gain > 0)) return Color::Zero();
        const Ray shadow{cosine > 0 ? point.position : point.beneath, l};
        return scene_.occluded(shadow) ? Color::Zero() : Color(light_.key_color * gain);
    }

    /// All surroundings, less what the sampled direction does not see of them: without noise where
    /// nothing is in the way.
    [[nodiscard]] Color surroundings_irradiance(const ShadedPoint& point,
                                                std::uint32_t sample) const {
        Vec3f d = cosine_direction(frame_around(point.normal), surroundings_samples_.point(sample));
        const float under = std::min(0.F, d.dot(point.face_normal));
        d -= 2 * under * point.face_normal;
        const Color difference =
            radiance_from({point.position, d}, sample) - light_.surroundings(d);
        return (light_.open_irradiance(point.normal) + difference).max(0.F);
    }

    /// Radiance that arrives along a ray: surroundings, or one bounce off a body or the floor.
    [[nodiscard]] Color radiance_from(const Ray& ray, std::uint32_t sample) const {
        RayHit hit;
        if (scene_.closest_hit(ray, hit)) return bounced(ray, hit, sample);
        const std::optional<float> to_floor = scene_.floor_distance(ray);
        if (!to_floor) return light_.surroundings(ray.direction);
        const Vec3f p = ray.origin + *to_floor * ray.direction;
        const bool shaded = scene_.occluded({p, light_.key.axis});
        return light_.surroundings(ray.direction) * (shaded ? kFloorShade : 1.F);
    }

    [[nodiscard]] Color bounced(const Ray& ray, const RayHit& hit, std::uint32_t sample) const {
        const Vec3f n = hit.normal.normalized() * (hit.normal.dot(ray.direction) <= 0 ? 1.F : -1.F);
        const Vec3f l =
            cone_direction(light_.key, light_.key_cosine, bounce_samples_.point(sample));
        Color E = kBounceAmbient * light_.open_irradiance(n);
        const float cosine = n.dot(l);
        const Vec3f p = ray.origin + hit.distance * ray.direction + kRayOffset * n;
        if (cosine > 0 && !scene_.occluded({p, l})) E += light_.key_color * cosine;
        return scene_.plain_color(ray, hit) * E;
    }

    LitScene scene_;
    StudioLight light_;
    Color backdrop_;
    PictureOptions options_;
    int n_first_;  ///< samples of every pixel, which are those that look at the surroundings
    std::vector<Eigen::Array2f> offsets_;
    SampleSequence key_samples_{2}, surroundings_samples_{3}, bounce_samples_{4};
    PixelFootprint footprint_;
    Vec3f origin_, right_, down_, forward_;
    Color floor_irradiance_;
};

/// Calls `body(x, y)` for all pixels, in parallel by square tiles.
template <class Body>
void for_each_pixel(const ImageSize& size, const Body& body) {
    const int columns = (size.width + kTile - 1) / kTile;
    const int rows = (size.height + kTile - 1) / kTile;
    parallel_for(columns * rows, 1, [&](int begin, int end) {
        for (int tile = begin; tile < end; ++tile) {
            const int left = tile % columns * kTile;
            const int top = tile / columns * kTile;
            for (int y = top; y < std::min(top + kTile, size.height); ++y) {
                for (int x = left; x < std::min(left + kTile, size.width); ++x) body(x, y);
            }
        }
    });
}

void require_few_pixels(const ImageSize& size) {
    require_valid(size);
    if (static_cast<long>(size.width) * size.height <= kMaxPicturePixels) return;
    throw InvalidInput(fmt::format(
        "A picture of {} x {} pixels is too large to render; at most {} million pixels are.",
        size.width, size.height, kMaxPicturePixels >> 20));
}

void require_samples(int samples) {
    if (samples >= 1 && samples <= kMaxSamples) return;
    throw InvalidInput(
        fmt::format("{} samples per pixel cannot be taken; expected 1..{}.", samples, kMaxSamples));
}

}  // namespace

Image render_picture(const SceneView& view, const Camera& camera, const PictureOptions& options) {
    require_valid(view);
    require_few_pixels(options.size);
    require_samples(options.samples);
    Image image(options.size);
    const Painter painter(view, camera, options);
    std::vector<PixelLight> pixels(image.pixels.size());
    for_each_pixel(options.size,
                   [&](int x, int y) { pixels[image.index(x, y)] = painter.pixel(x, y); });
    for_each_pixel(options.size, [&](int x, int y) {
        image.at(x, y) = to_display(filtered_radiance(pixels, options.size, x, y));
    });
    return image;
}

}  // namespace toile
