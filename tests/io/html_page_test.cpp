// SPDX-License-Identifier: Apache-2.0
#include "toile/io/html_page.h"

#include "io/moving_bodies.h"
#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/io/binary.h"
#include "toile/io/file_bytes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace toile {
namespace {

namespace fs = std::filesystem;

// The text of the script element with this id, as a browser finds it.
std::string element(const std::string& page, const std::string& id) {
    const size_t tag = page.find("id=\"" + id + "\">");
    if (tag == std::string::npos) return {};
    const size_t begin = page.find('>', tag) + 1;
    return page.substr(begin, page.find("</script>", begin) - begin);
}

std::string decoded(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned word = 0;
    int bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        word = word << 6 | static_cast<unsigned>(digits.find(c));
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(word >> bits & 255U);
    }
    return bytes;
}

std::string write_page(const fs::path& path, const test::MovingBodies& bodies,
                       HtmlPageOptions options = {}) {
    HtmlPageWriter writer(path, bodies.tracks, std::move(options));
    bodies.write_all(writer);
    return read_bytes(path);
}

TEST(HtmlPage, GivesBackEveryFrameWithinAHundredThousandthOfTheDiagonal) {
    const test::TemporaryFolder folder;
    const test::MovingBodies bodies(5);
    const std::string page = write_page(folder / "a.html", bodies, {.frame_rate = 24});
    const nlohmann::json head = nlohmann::json::parse(element(page, "head"));
    EXPECT_EQ(head["n_frames"], 5);
    EXPECT_EQ(head["frame_rate"], 24);
    EXPECT_EQ(head["bodies"][0]["name"], "cloth");
    EXPECT_EQ(head["bodies"][1]["moves"], false);
    EXPECT_EQ(element(page, "frame-1-1"), "");
    double diagonal = 0;
    for (int axis = 0; axis < 3; ++axis) {
        diagonal = std::hypot(diagonal, head["box"][1][axis].get<double>());
    }
    for (size_t frame = 0; frame < 5; ++frame) {
        const std::string bytes = decoded(element(page, "frame-" + std::to_string(frame) + "-0"));
        ASSERT_EQ(bytes.size(), 6 * bodies.cloth[frame].size());
        for (size_t k = 0; k < bytes.size() / 2; ++k) {
            const auto step = load_value<std::uint16_t>(bytes.data() + 2 * k, std::endian::little);
            const size_t axis = k % 3;
            const double x = head["box"][0][axis].get<double>() +
                             head["box"][1][axis].get<double>() * step / 65535;
            EXPECT_NEAR(x, bodies.cloth[frame][k / 3][static_cast<int>(axis)], 1e-5 * diagonal);
        }
    }
    const std::string triangles = decoded(element(page, "triangles-0"));
    const TriangleMesh& mesh = bodies.tracks[0].mesh;
    ASSERT_EQ(triangles.size(), 12 * mesh.triangles.size());
    for (size_t k = 0; k < triangles.size() / 4; ++k) {
        EXPECT_EQ(load_value<std::uint32_t>(triangles.data() + 4 * k, std::endian::little),
                  static_cast<std::uint32_t>(mesh.triangles[k / 3][k % 3]));
    }
}

TEST(HtmlPage, AsksForNothingElseAndForbidsIt) {
    const test::TemporaryFolder folder;
    const std::string page = write_page(folder / "a.html", test::MovingBodies(2));
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
    for (const char* const word : {"http:", "https:", "src=", "import(", "@import", "fetch(",
                                   "XMLHttpRequest", "eval", "innerHTML", "unsafe"}) {
        EXPECT_EQ(page.find(word), std::string::npos) << word;
    }
}

TEST(HtmlPage, LetsNoNameOutOfItsPlace) {
    const test::TemporaryFolder folder;
    test::MovingBodies bodies(2);
    bodies.tracks[0].name = "</script><script>alert(1)</script>";
    const std::string page =
        write_page(folder / "a.html", bodies, {.title = "</title><b>&\"fine\""});
    EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    const nlohmann::json head = nlohmann::json::parse(element(page, "head"));
    EXPECT_EQ(head["bodies"][0]["name"], "</script><script>alert(1)</script>");
    EXPECT_EQ(head["title"], "</title><b>&\"fine\"");
}

TEST(HtmlPage, CopesWithFlatPointLikeAndEmptyBodies) {
    const test::TemporaryFolder folder;
    TriangleMesh point;
    point.positions = {{2, 2, 2}};
    HtmlPageSink sink(folder / "p.html", point);
    sink.write(point.positions);
    sink.finish();
    const nlohmann::json head =
        nlohmann::json::parse(element(read_bytes(folder / "p.html"), "head"));
    EXPECT_EQ(head["box"][1], nlohmann::json({0.0, 0.0, 0.0}));
    HtmlPageSink empty(folder / "e.html", {});
    empty.write({});
    empty.finish();
    EXPECT_TRUE(fs::exists(folder / "e.html"));
}

TEST(HtmlPage, RefusesWhatItCannotKeepAndNeverReplacesAFileUnasked) {
    const test::TemporaryFolder folder;
    const test::MovingBodies bodies(2);
    EXPECT_THROW(HtmlPageWriter(folder / "a.html", bodies.tracks, {.frame_rate = -1}),
                 InvalidInput);
    EXPECT_THROW(HtmlPageWriter(folder / "a.html", {}), InvalidInput);
    {
        HtmlPageWriter writer(folder / "a.html", bodies.tracks);
        EXPECT_THROW(writer.finish(), InvalidInput);
        const std::span<const Vec3> one[] = {bodies.cloth[0]};
        EXPECT_THROW(writer.write(one), InvalidInput);
        std::vector<Vec3> broken = bodies.cloth[0];
        broken[3].y() = std::numeric_limits<double>::infinity();
        const std::span<const Vec3> bad[] = {broken, bodies.tracks[1].mesh.positions};
        EXPECT_THROW(writer.write(bad), InvalidInput);
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
    (void)write_page(folder / "a.html", bodies);
    EXPECT_THROW(HtmlPageWriter(folder / "a.html", bodies.tracks), IoError);
    (void)write_page(folder / "a.html", bodies, {.overwrite = true});
}

TEST(HtmlPage, WritesTheBase64OfTheStandard) {
    EXPECT_EQ(detail::base64(""), "");
    EXPECT_EQ(detail::base64("f"), "Zg==");
    EXPECT_EQ(detail::base64("fo"), "Zm8=");
    EXPECT_EQ(detail::base64("foo"), "Zm9v");
    EXPECT_EQ(detail::base64("foobar"), "Zm9vYmFy");
    EXPECT_EQ(detail::base64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace toile
