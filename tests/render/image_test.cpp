// SPDX-License-Identifier: Apache-2.0
#include "toile/render/image.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/render/color.h"
#include "toile/render/contact_sheet.h"
#include "toile/render/png_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

namespace toile {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Color, ReadsHexadecimalInThreeSpellings) {
    EXPECT_TRUE((parse_color("#ffffff") == Color::Ones()).all());
    EXPECT_TRUE((parse_color("000") == Color::Zero()).all());
    EXPECT_TRUE((parse_color("#1a2") == parse_color("11AA22")).all());
    EXPECT_EQ(to_display(parse_color("#2f7f8c")), (Rgb8{0x2f, 0x7f, 0x8c}));
    for (const char* text : {"", "#", "#12", "#12345", "#ggg", "red", "#1234567"}) {
        EXPECT_THROW(parse_color(text), InvalidInput) << text;
    }
}

TEST(Color, ToneCurveIsMonotoneAndNeverLeavesTheRange) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(to_display({-1, nan, 1e30F}), (Rgb8{0, 0, 255}));
    int before = -1;
    for (float x = 0; x < 3; x += 0.01F) {
        const int level = to_display({x, x, x})[0];
        EXPECT_GE(level, before);
        before = level;
    }
}

TEST(Image, RefusesSizesThatCannotBe) {
    EXPECT_THROW(Image(ImageSize{0, 10}), InvalidInput);
    EXPECT_THROW(Image(ImageSize{10, -1}), InvalidInput);
    EXPECT_THROW(Image(ImageSize{10, kMaxImageSide + 1}), InvalidInput);
    EXPECT_EQ(Image(ImageSize{3, 2}).pixels.size(), 6U);
}

TEST(Image, PasteCutsWhatLiesOutside) {
    const Image red(ImageSize{2, 2}, {255, 0, 0});
    for (const auto& [left, top, n] :
         {std::array{0, 0, 4}, {-1, -1, 1}, {2, 1, 2}, {5, 5, 0}, {-2, 0, 0}}) {
        Image target(ImageSize{3, 3});
        paste(red, left, top, target);
        EXPECT_EQ(std::count(target.pixels.begin(), target.pixels.end(), Rgb8{255, 0, 0}),
                  left == 2 ? 2 : n);
    }
}

TEST(Png, HasItsSignatureAndSizeAndLeavesNothingElse) {
    const test::TemporaryFolder folder;
    write_png(folder / "a.png", Image(ImageSize{300, 7}, {1, 2, 3}));
    const std::string bytes = bytes_of(folder / "a.png");
    ASSERT_GT(bytes.size(), 33U);
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(bytes.substr(12, 12), std::string("IHDR\0\0\x01\x2c\0\0\0\x07", 12));
    EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), "IEND");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
    EXPECT_THROW(write_png(folder / "missing" / "a.png", Image(ImageSize{1, 1})), IoError);
    EXPECT_THROW(write_png(folder / "b.png", Image()), InvalidInput);
}

TEST(ContactSheet, PutsPicturesRowByRowWithGaps) {
    ContactSheet sheet({2, 2, 1}, {3, 2});
    EXPECT_EQ(sheet.image().size, (ImageSize{7, 5}));
    for (std::uint8_t i = 1; i <= 3; ++i) sheet.add(Image(ImageSize{3, 2}, {i, i, i}));
    EXPECT_EQ(sheet.image().at(2, 1)[0], 1);
    EXPECT_EQ(sheet.image().at(3, 0)[0], 255);
    EXPECT_EQ(sheet.image().at(4, 0)[0], 2);
    EXPECT_EQ(sheet.image().at(0, 3)[0], 3);
    EXPECT_THROW(sheet.add(Image(ImageSize{2, 2})), InvalidInput);
    sheet.add(Image(ImageSize{3, 2}));
    EXPECT_THROW(sheet.add(Image(ImageSize{3, 2})), InvalidInput);
}

TEST(ContactSheet, RefusesWhatIsNoPicture) {
    EXPECT_THROW(ContactSheet({0, 2}, {3, 2}), InvalidInput);
    EXPECT_THROW(ContactSheet({100, 2}, {1000, 2}), InvalidInput);
    EXPECT_THROW(ContactSheet({1 << 30, 1 << 30}, {1000, 1000}), InvalidInput);
}

TEST(ContactSheet, SpreadsFramesEvenlyFromFirstToLast) {
    EXPECT_EQ(sheet_frames(101, 5), (std::vector<int>{0, 25, 50, 75, 100}));
    EXPECT_EQ(sheet_frames(3, 12), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(sheet_frames(10, 1), (std::vector<int>{9}));
    EXPECT_TRUE(sheet_frames(0, 4).empty());
    for (const int n : {5, 7, 13, 100}) {
        const auto frames = sheet_frames(n, 5);
        EXPECT_EQ(frames.front(), 0);
        EXPECT_EQ(frames.back(), n - 1);
        EXPECT_TRUE(std::adjacent_find(frames.begin(), frames.end(), std::greater_equal<>()) ==
                    frames.end());
    }
}

}  // namespace
}  // namespace toile
