// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/rational.h"

#include "collision/random_geometry.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace toile {
namespace {

/// 10^n as text.
std::string power_of_ten(int n) {
    return "1" + std::string(static_cast<size_t>(n), '0');
}

TEST(Rational, ReadsSmallOnesExactly) {
    EXPECT_EQ(parse_rational("-3", "4")->value, -0.75);
    EXPECT_TRUE(parse_rational("-3", "4")->exact);
    EXPECT_EQ(parse_rational("3", "-4")->value, -0.75);
    EXPECT_EQ(parse_rational("0", "7")->value, 0);
    EXPECT_EQ(parse_rational("+1", "3")->value, 1.0 / 3);
    EXPECT_FALSE(parse_rational("1", "3")->exact);
    EXPECT_EQ(parse_rational("6", "3")->value, 2);
    EXPECT_TRUE(parse_rational("6", "3")->exact);
}

/// strtod is exactly rounded, too, and goes another way.
TEST(Rational, RoundsDecimalFractionsAsTheStandardLibraryDoes) {
    RandomGeometry random(1);
    for (int i = 0; i < 20000; ++i) {
        std::string digits;
        const int n_digits = random.integer(1, 45);
        for (int k = 0; k < n_digits; ++k) {
            digits += static_cast<char>('0' + random.integer(k == 0 ? 1 : 0, 9));
        }
        const int exponent = random.integer(0, i % 2 ? 370 : 40);
        const auto parsed = parse_rational("-" + digits, power_of_ten(exponent));
        ASSERT_TRUE(parsed);
        const std::string text = fmt::format("-{}e-{}", digits, exponent);
        ASSERT_EQ(parsed->value, std::strtod(text.c_str(), nullptr)) << text;
    }
}

TEST(Rational, BreaksTiesToEvenAndSaysWhatIsExact) {
    const auto below = parse_rational("9007199254740993", "1");  // 2^53 + 1
    EXPECT_EQ(below->value, 0x1p53);
    EXPECT_FALSE(below->exact);
    EXPECT_EQ(parse_rational("9007199254740995", "1")->value, 0x1.0000000000002p53);
    const auto huge = parse_rational("27021597764222979", "3");  // the same over a denominator
    EXPECT_EQ(huge->value, 0x1p53);
    EXPECT_FALSE(huge->exact);
    const auto whole = parse_rational("340282366920938463463374607431768211456", "1");
    EXPECT_EQ(whole->value, 0x1p128);
    EXPECT_TRUE(whole->exact);
    EXPECT_EQ(parse_rational("-9223372036854775808", "1")->value, -0x1p63);
    EXPECT_TRUE(parse_rational("-9223372036854775808", "1")->exact);
    EXPECT_EQ(parse_rational("9223372036854775807", "1")->value, 0x1p63);
    EXPECT_FALSE(parse_rational("9223372036854775807", "1")->exact);
}

TEST(Rational, GoesToInfinityAndToZero) {
    EXPECT_TRUE(std::isinf(parse_rational(power_of_ten(400), "1")->value));
    EXPECT_EQ(parse_rational("1", power_of_ten(400))->value, 0);
    EXPECT_FALSE(parse_rational("1", power_of_ten(400))->exact);
}

TEST(Rational, RefusesWhatIsNone) {
    for (const char* bad : {"", "-", "+", "1.5", "0x1", "1e3", "nan", " 1", "1 2", "--1"}) {
        EXPECT_FALSE(parse_rational(bad, "1")) << bad;
        EXPECT_FALSE(parse_rational("1", bad)) << bad;
    }
    EXPECT_FALSE(parse_rational("1", "0"));
    EXPECT_FALSE(parse_rational(power_of_ten(30), "-0"));
}

}  // namespace
}  // namespace toile
