// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace toile {

/// A well-mixed 32-bit hash.
inline std::uint32_t hash_bits(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x21f0aaadU;
    x ^= x >> 15;
    x *= 0xd35a2d97U;
    return x ^ (x >> 15);
}

namespace detail {

inline std::uint32_t reverse_bits(std::uint32_t x) {
    x = ((x >> 1) & 0x55555555U) | ((x & 0x55555555U) << 1);
    x = ((x >> 2) & 0x33333333U) | ((x & 0x33333333U) << 2);
    x = ((x >> 4) & 0x0F0F0F0FU) | ((x & 0x0F0F0F0FU) << 4);
    return __builtin_bswap32(x);
}

/// Each bit changes by a hash of the lower bits only [Burley20, sec. 4].
inline std::uint32_t permute_upwards(std::uint32_t x, std::uint32_t seed) {
    x ^= x * 0x3d20adeaU;
    x += seed;
    x *= (seed >> 16) | 1U;
    x ^= x * 0x05526c56U;
    x ^= x * 0x53a22864U;
    return x;
}

/// Product of Pascal's matrix modulo 2 and x, seen as a vector of bits: a butterfly of five stages.
inline std::uint32_t pascal_product(std::uint32_t x) {
    x ^= (x & 0x0000FFFFU) << 16;
    x ^= (x & 0x00FF00FFU) << 8;
    x ^= (x & 0x0F0F0F0FU) << 4;
    x ^= (x & 0x33333333U) << 2;
    return x ^ ((x & 0x55555555U) << 1);
}

inline std::uint32_t spread_bits(std::uint32_t x) {
    x &= 0xFFFFU;
    x = (x | (x << 8)) & 0x00FF00FFU;
    x = (x | (x << 4)) & 0x0F0F0F0FU;
    x = (x | (x << 2)) & 0x33333333U;
    return (x | (x << 1)) & 0x55555555U;
}

inline float unit_float(std::uint32_t x) {
    return static_cast<float>(x >> 8) * 0x1p-24F;
}

}  // namespace detail

/// Interleaves the bits of x and y (16 each): neighbours on the Z-shaped curve through the pixels.
inline std::uint32_t z_order(std::uint32_t x, std::uint32_t y) {
    return detail::spread_bits(x) | (detail::spread_bits(y) << 1);
}

/// Point `index` of the two-dimensional Sobol sequence, in units of 2^-32: every aligned block of
/// 2^k points has one point in each elementary interval of area 2^-k.
inline std::array<std::uint32_t, 2> sobol_point(std::uint32_t index) {
    const std::uint32_t reversed = detail::reverse_bits(index);
    return {reversed, detail::pascal_product(reversed)};
}

/// Owen's nested uniform scrambling by a hash, which keeps elementary intervals and makes points of
/// different seeds independent [Burley20].
inline std::uint32_t owen_scramble(std::uint32_t x, std::uint32_t seed) {
    return detail::reverse_bits(detail::permute_upwards(detail::reverse_bits(x), seed));
}

/// A scrambled, shuffled sequence of points in [0, 1)^2; those of different seeds are independent.
/// Indices that follow the Z-order of the pixels spread the error over the picture like blue noise
/// [Ahmed20].
class SampleSequence {
  public:
    explicit SampleSequence(std::uint32_t seed)
        : shuffle_(hash_bits(seed)),
          x_(hash_bits(seed + 0x9e3779b9U)),
          y_(hash_bits(seed + 0x3c6ef372U)) {}

    [[nodiscard]] Eigen::Array2f point(std::uint32_t index) const {
        const auto [x, y] = sobol_point(owen_scramble(index, shuffle_));
        return {detail::unit_float(owen_scramble(x, x_)), detail::unit_float(owen_scramble(y, y_))};
    }

  private:
    std::uint32_t shuffle_, x_, y_;
};

/// A right-handed frame round unit vector `axis`: x cross y = axis.
struct SampleFrame {
    Eigen::Vector3f x, y, axis;
};

/// Continuous but at axis = -z [Duff17].
inline SampleFrame frame_around(const Eigen::Vector3f& axis) {
    const float sign = std::copysign(1.F, axis.z());
    const float a = -1 / (sign + axis.z());
    const float b = axis.x() * axis.y() * a;
    return {{1 + sign * axis.x() * axis.x() * a, sign * b, -sign * axis.x()},
            {b, sign + axis.y() * axis.y() * a, -axis.y()},
            axis};
}

/// Point (cos 2 pi t, sin 2 pi t) for t in [0, 1), by polynomials that are the same bits with any
/// mathematical library; error below 1e-5.
inline Eigen::Array2f circle_point(float t) {
    const float quarters = std::floor(4 * t);
    const float a = 1.57079633F * (4 * t - quarters - 0.5F);  // in [-pi/4, pi/4]
    const float q = a * a;
    const float s = a * (1 - q * (1.F / 6 - q * (1.F / 120 - q * (1.F / 5040))));
    const float c = 1 - q * (0.5F - q * (1.F / 24 - q * (1.F / 720)));
    const float x = 0.707106781F * (c - s);
    const float y = 0.707106781F * (c + s);
    switch (static_cast<int>(quarters)) {
        case 0:
            return {x, y};
        case 1:
            return {-y, x};
        case 2:
            return {-x, -y};
        default:
            return {y, -x};
    }
}

/// Unit direction about the frame's axis with density cos/pi, from a point of the unit square.
inline Eigen::Vector3f cosine_direction(const SampleFrame& frame, const Eigen::Array2f& u) {
    const Eigen::Array2f p = std::sqrt(u[0]) * circle_point(u[1]);
    return p[0] * frame.x + p[1] * frame.y + std::sqrt(1 - u[0]) * frame.axis;
}

/// Unit direction uniform in the cone of half angle arccos(cos_angle) about the frame's axis.
inline Eigen::Vector3f cone_direction(const SampleFrame& frame, float cos_angle,
                                      const Eigen::Array2f& u) {
    const float z = 1 - u[0] * (1 - cos_angle);
    const Eigen::Array2f p = std::sqrt(std::max(0.F, 1 - z * z)) * circle_point(u[1]);
    return p[0] * frame.x + p[1] * frame.y + z * frame.axis;
}

}  // namespace toile
