// SPDX-License-Identifier: Apache-2.0
#include "toile/io/zip.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/io/binary.h"
#include "toile/io/file_bytes.h"

#include <gtest/gtest.h>

namespace toile {
namespace {

TEST(Zip, ComputesTheKnownCheckSum) {
    EXPECT_EQ(detail::crc32("123456789"), 0xCBF43926U);
    EXPECT_EQ(detail::crc32(""), 0U);
}

TEST(Zip, FindsEveryFileThroughItsDirectory) {
    const test::TemporaryFolder folder;
    const std::string binary("\0\xff\x50\x4b", 4);
    ZipWriter writer(folder / "a.zip");
    writer.add("frame_0000.png", "first");
    writer.add("frame_0001.png", binary);
    writer.add("empty", "");
    writer.finish();
    const std::string zip = read_bytes(folder / "a.zip");
    const size_t end = zip.size() - 22;
    const auto word = [&](size_t at) {
        return load_value<std::uint32_t>(zip.data() + at, std::endian::little);
    };
    const auto half = [&](size_t at) {
        return load_value<std::uint16_t>(zip.data() + at, std::endian::little);
    };
    ASSERT_EQ(word(end), 0x06054b50U);
    ASSERT_EQ(half(end + 10), 3);
    EXPECT_EQ(word(end + 12) + word(end + 16), end);
    size_t at = word(end + 16);
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"frame_0000.png", "first"}, {"frame_0001.png", binary}, {"empty", ""}};
    for (const auto& [name, bytes] : expected) {
        ASSERT_EQ(word(at), 0x02014b50U);
        EXPECT_EQ(word(at + 16), detail::crc32(bytes));
        EXPECT_EQ(word(at + 20), bytes.size());
        EXPECT_EQ(zip.substr(at + 46, half(at + 28)), name);
        const size_t local = word(at + 42);
        ASSERT_EQ(word(local), 0x04034b50U);
        EXPECT_EQ(zip.substr(local + 30, name.size()), name);
        EXPECT_EQ(zip.substr(local + 30 + name.size(), bytes.size()), bytes);
        at += 46 + name.size();
    }
    EXPECT_EQ(at, end);
}

TEST(Zip, LeavesNothingWithoutFinishAndReplacesNothingUnasked) {
    const test::TemporaryFolder folder;
    {
        ZipWriter writer(folder / "a.zip");
        writer.add("x", "y");
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    ZipWriter(folder / "a.zip").finish();
    EXPECT_EQ(read_bytes(folder / "a.zip").size(), 22u);
    EXPECT_THROW(ZipWriter(folder / "a.zip").finish(), IoError);
}

}  // namespace
}  // namespace toile
