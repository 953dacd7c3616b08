// SPDX-License-Identifier: Apache-2.0
#include "studio/server/message.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace toile::studio {
namespace {

TEST(BinaryMessage, HoldsAPaddedHeaderAndThenTheArrays) {
    BinaryMessage message;
    const std::vector<Vec3> points = {{1, 2, 3}, {4, 5, 0.1}};
    const std::vector<Triangle> triangles = {{0, 1, 2}};
    message.header["points"] = message.add_points(points);
    message.header["triangles"] = message.add_triangles(triangles);
    const std::string bytes = message.bytes(7);

    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data(), 4);
    EXPECT_EQ(length % 4, 0U);
    const Json header = Json::parse(bytes.substr(4, length));
    EXPECT_EQ(header["id"], 7);
    EXPECT_EQ(header["points"], Json({{"type", "f32"}, {"offset", 0}, {"length", 6}}));
    EXPECT_EQ(header["triangles"], Json({{"type", "u32"}, {"offset", 24}, {"length", 3}}));
    ASSERT_EQ(bytes.size(), 4 + length + 24 + 12);
    float last = 0;
    std::memcpy(&last, bytes.data() + 4 + length + 20, 4);
    EXPECT_EQ(last, 0.1F);
    std::uint32_t corner = 0;
    std::memcpy(&corner, bytes.data() + 4 + length + 24 + 8, 4);
    EXPECT_EQ(corner, 2U);
}

TEST(BinaryMessage, IsAlignedForEveryLengthOfItsHeader) {
    for (int n = 0; n < 8; ++n) {
        BinaryMessage message;
        message.header["name"] = std::string(static_cast<size_t>(n), 'x');
        const float one[] = {1};
        message.header["values"] = message.add(std::span<const float>(one));
        std::uint32_t length = 0;
        const std::string bytes = message.bytes(1);
        std::memcpy(&length, bytes.data(), 4);
        EXPECT_EQ((4 + length) % 4, 0U);
        float found = 0;
        std::memcpy(&found, bytes.data() + 4 + length, 4);
        EXPECT_EQ(found, 1);
    }
}

TEST(BinaryMessage, KeepsNotANumber) {
    BinaryMessage message;
    const double values[] = {std::nan(""), 2};
    message.header["values"] = message.add_numbers(values);
    const std::string bytes = message.bytes(1);
    float found = 0;
    std::memcpy(&found, bytes.data() + bytes.size() - 8, 4);
    EXPECT_TRUE(std::isnan(found));
}

TEST(JsonText, ReplacesWhatIsNotUtf8) {
    EXPECT_TRUE(Json::parse(json_text({{"name", "\xff\xfe"}})).is_object());
}

TEST(ErrorJson, TellsTheKindOfEachException) {
    EXPECT_EQ(error_json(UsageError("a."))["kind"], "usage");
    EXPECT_EQ(error_json(Busy("a."))["kind"], "busy");
    EXPECT_EQ(error_json(InvalidInput("a."))["kind"], "invalid");
    EXPECT_EQ(error_json(IoError("a."))["kind"], "files");
    EXPECT_EQ(error_json(MissingFeature("a."))["kind"], "missing");
    EXPECT_EQ(error_json(ComputationFailed("a."))["kind"], "failed");
    EXPECT_EQ(error_json(std::runtime_error("a."))["kind"], "failed");
    EXPECT_EQ(error_json(std::bad_alloc())["message"], "Out of memory.");
}

}  // namespace
}  // namespace toile::studio
