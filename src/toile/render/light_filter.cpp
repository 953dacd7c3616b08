// SPDX-License-Identifier: Apache-2.0
#include "toile/render/light_filter.h"

#include <algorithm>
#include <cmath>

namespace toile {
namespace {

constexpr int kRadius = 3;     // pixels
constexpr int kKeyRadius = 1;  // pixels
constexpr float kFlatness =
    2.5F;  // pixel widths off the tangent plane at which a pixel counts no more

/// How far two pixels see the same smooth piece of surface, in [0, 1].
float kinship(const PixelLight& a, const PixelLight& b) {
    const float alike = a.normal.dot(b.normal);
    if (alike <= 0) return 0;
    const float off = std::abs(a.normal.dot(b.position - a.position));
    const float flat = 1 - off / (kFlatness * a.width);
    if (flat <= 0) return 0;
    const float fourth = alike * alike * alike * alike;
    return fourth * fourth * flat;
}

struct Mean {
    Color sum;
    float total = 1;

    explicit Mean(const Color& own) : sum(own) {}
    void add(const Color& value, float weight) {
        sum += weight * value;
        total += weight;
    }
    [[nodiscard]] Color value() const { return sum / total; }
};

}  // namespace

Color filtered_radiance(const std::vector<PixelLight>& pixels, const ImageSize& size, int x,
                        int y) {
    const auto at = [&](int i, int j) -> const PixelLight& {
        return pixels[static_cast<size_t>(j) * static_cast<size_t>(size.width) +
                      static_cast<size_t>(i)];
    };
    const PixelLight& own = at(x, y);
    if (own.normal.isZero(0)) return own.direct;
    Mean key(own.key);
    Mean surroundings(own.surroundings);
    for (int j = std::max(0, y - kRadius); j <= std::min(size.height - 1, y + kRadius); ++j) {
        for (int i = std::max(0, x - kRadius); i <= std::min(size.width - 1, x + kRadius); ++i) {
            if (i == x && j == y) continue;
            const PixelLight& other = at(i, j);
            const float weight = kinship(own, other);
            surroundings.add(other.surroundings, weight);
            if (std::abs(i - x) <= kKeyRadius && std::abs(j - y) <= kKeyRadius)
                key.add(other.key, weight);
        }
    }
    return own.direct + own.albedo * (key.value() + surroundings.value());
}

}  // namespace toile
