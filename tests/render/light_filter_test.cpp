// SPDX-License-Identifier: Apache-2.0
#include "toile/render/light_filter.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

constexpr ImageSize kSize{9, 9};

/// A flat white surface seen straight on, each pixel one unit wide.
std::vector<PixelLight> flat_surface() {
    std::vector<PixelLight> pixels;
    for (int y = 0; y < kSize.height; ++y) {
        for (int x = 0; x < kSize.width; ++x) {
            PixelLight pixel;
            pixel.albedo = Color::Ones();
            pixel.surroundings = Color::Constant(0.5F);
            pixel.normal = {0, 0, 1};
            pixel.position = {static_cast<float>(x), static_cast<float>(y), 0};
            pixel.width = 1;
            pixels.push_back(pixel);
        }
    }
    return pixels;
}

PixelLight& at(std::vector<PixelLight>& pixels, int x, int y) {
    return pixels[static_cast<size_t>(y * kSize.width + x)];
}

TEST(LightFilter, LeavesEvenLightAsItIs) {
    const auto pixels = flat_surface();
    for (int y = 0; y < kSize.height; ++y) {
        for (int x = 0; x < kSize.width; ++x) {
            EXPECT_NEAR(filtered_radiance(pixels, kSize, x, y)[1], 0.5F, 1e-6F);
        }
    }
}

TEST(LightFilter, SpreadsOneSpeckOverItsNeighbourhood) {
    auto pixels = flat_surface();
    at(pixels, 4, 4).surroundings[0] += 49;
    at(pixels, 4, 4).key[1] += 9;
    EXPECT_NEAR(filtered_radiance(pixels, kSize, 4, 4)[0], 1.5F, 1e-5F);
    EXPECT_NEAR(filtered_radiance(pixels, kSize, 3, 5)[0], 1.5F, 1e-5F);
    EXPECT_NEAR(filtered_radiance(pixels, kSize, 0, 4)[0], 0.5F, 1e-5F);
    EXPECT_NEAR(filtered_radiance(pixels, kSize, 5, 3)[1], 1.5F, 1e-5F);
    EXPECT_NEAR(filtered_radiance(pixels, kSize, 6, 4)[1], 0.5F, 1e-5F);
}

TEST(LightFilter, KeepsTheColourOfTheSurfaceSharp) {
    auto pixels = flat_surface();
    at(pixels, 4, 4).albedo.setZero();
    EXPECT_EQ(filtered_radiance(pixels, kSize, 4, 4)[0], 0);
    EXPECT_NEAR(filtered_radiance(pixels, kSize, 5, 4)[0], 0.5F, 1e-6F);
}

TEST(LightFilter, DoesNotMixOverCreasesStepsAndBorders) {
    for (const int kind : {0, 1, 2}) {
        auto pixels = flat_surface();
        for (int y = 0; y < kSize.height; ++y) {
            for (int x = 5; x < kSize.width; ++x) {
                PixelLight& pixel = at(pixels, x, y);
                pixel.surroundings.setConstant(7);
                if (kind == 0) pixel.normal = {1, 0, 0};
                if (kind == 1) pixel.position.z() = -5;
                if (kind == 2) pixel.normal.setZero();
            }
        }
        EXPECT_NEAR(filtered_radiance(pixels, kSize, 4, 4)[0], 0.5F, 1e-6F) << kind;
    }
}

TEST(LightFilter, ShowsWhatIsNoSurfaceUnchanged) {
    auto pixels = flat_surface();
    at(pixels, 4, 4) = PixelLight{.direct = Color(0.1F, 0.2F, 0.3F)};
    EXPECT_TRUE((filtered_radiance(pixels, kSize, 4, 4) == Color(0.1F, 0.2F, 0.3F)).all());
}

}  // namespace
}  // namespace toile
