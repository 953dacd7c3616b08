// SPDX-License-Identifier: Apache-2.0
#include "toile/io/file_bytes.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/io/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

namespace toile {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& path) {
    try {
        static_cast<void>(read_bytes(path));
    } catch (const IoError& e) {
        return e.what();
    }
    return "";
}

/// `n` bytes of which any two pieces differ.
std::string counted(size_t n) {
    std::string bytes;
    for (size_t k = 0; k < n; ++k) bytes.push_back(static_cast<char>((k * k + k / 251) % 256));
    return bytes;
}

TEST(FileBytes, AreAllOfAFileOfAnySize) {
    const test::TemporaryFolder folder;
    const size_t piece = 1 << 20;
    for (const size_t n : {size_t(0), size_t(1), piece - 1, piece, piece + 1, 3 * piece + 17}) {
        const std::string bytes = counted(n);
        write_file(folder / "a", bytes, {.overwrite = true});
        EXPECT_TRUE(read_bytes(folder / "a") == bytes) << n;
    }
}

TEST(FileBytes, ComeThroughAPipeWhoseWriterIsSlow) {
    const test::TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    const std::string bytes = counted(300000);
    std::fstream held(folder / "pipe", std::ios::in | std::ios::out | std::ios::binary);
    std::thread writer([&] {
        held.write(bytes.data(), static_cast<std::streamsize>(bytes.size() / 2)).flush();
        std::this_thread::yield();
        held.write(bytes.data() + bytes.size() / 2,
                   static_cast<std::streamsize>(bytes.size() - bytes.size() / 2));
        held.close();
    });
    EXPECT_TRUE(read_bytes(folder / "pipe") == bytes);
    writer.join();
}

TEST(FileBytes, OfAFolderOrADeviceAreRefused) {
    const test::TemporaryFolder folder;
    EXPECT_NE(refusal(folder.path()).find("it is a folder"), std::string::npos);
    EXPECT_NE(refusal("/dev/zero").find("neither a file nor a pipe"), std::string::npos);
    EXPECT_NE(refusal(folder / "none").find("does not exist"), std::string::npos);
}

TEST(FileBytes, OfAFileWithHolesThatClaimsMoreThanAMachineHoldsAreRefusedAtOnce) {
    const test::TemporaryFolder folder;
    write_file(folder / "x.obj", "v 0 0 0\n");
    fs::resize_file(folder / "x.obj", std::uintmax_t{200} << 30);
    const std::string told = refusal(folder / "x.obj");
    EXPECT_NE(told.find("x.obj"), std::string::npos) << told;
    EXPECT_NE(told.find("it has 214748364800 bytes"), std::string::npos) << told;
}

}  // namespace
}  // namespace toile
