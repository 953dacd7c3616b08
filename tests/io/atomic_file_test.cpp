// SPDX-License-Identifier: Apache-2.0
#include "toile/io/atomic_file.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/io/file_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace toile {
namespace {

namespace fs = std::filesystem;

auto count_files(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
    const test::TemporaryFolder folder;
    const fs::path path = folder / "a.txt";
    AtomicFile file(path);
    file.write("one ");
    file.write("two");
    EXPECT_FALSE(fs::exists(path));
    file.commit();
    EXPECT_EQ(read_bytes(path), "one two");
    EXPECT_EQ(count_files(folder.path()), 1);
}

TEST(AtomicFile, AnExceptionLeavesTheOldFileAndNothingElse) {
    const test::TemporaryFolder folder;
    const fs::path path = folder / "a.txt";
    write_file(path, "old");
    try {
        AtomicFile file(path, {.overwrite = true});
        file.write("half of the n");
        throw std::runtime_error("the writer failed");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(read_bytes(path), "old");
    EXPECT_EQ(count_files(folder.path()), 1);
}

TEST(AtomicFile, OverwritesOnlyWhenTold) {
    const test::TemporaryFolder folder;
    const fs::path path = folder / "a.txt";
    write_file(path, "old");
    EXPECT_THROW(write_file(path, "new"), IoError);
    EXPECT_EQ(read_bytes(path), "old");
    write_file(path, "new", {.overwrite = true});
    EXPECT_EQ(read_bytes(path), "new");
}

TEST(AtomicFile, AFileThatAppearsMeanwhileIsNotOverwritten) {
    const test::TemporaryFolder folder;
    const fs::path path = folder / "a.txt";
    AtomicFile file(path);
    file.write("late");
    write_file(path, "early");
    EXPECT_THROW(file.commit(), IoError);
    EXPECT_EQ(read_bytes(path), "early");
}

TEST(AtomicFile, ALinkIsFollowedAndStays) {
    const test::TemporaryFolder folder;
    write_file(folder / "target", "old");
    fs::create_symlink("target", folder / "link");
    write_file(folder / "link", "new", {.overwrite = true});
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(read_bytes(folder / "target"), "new");
}

TEST(AtomicFile, RefusesWhatIsNoFileInAFolder) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(write_file(folder / "no" / "a.txt", ""), IoError);
    EXPECT_THROW(write_file(folder.path(), "", {.overwrite = true}), IoError);
    EXPECT_THROW(write_file("", ""), IoError);
    EXPECT_THROW(write_file("/dev/null", "", {.overwrite = true}), IoError);
    try {
        write_file(folder / "no" / "a.txt", "");
    } catch (const IoError& e) {
        EXPECT_NE(std::string(e.what()).find("the folder '" + (folder / "no").string() +
                                             "' does not exist."),
                  std::string::npos);
    }
}

TEST(AtomicFile, ErrorsNamePathAndCause) {
    try {
        write_file("/proc/toile-cannot-write-here", "");
        FAIL();
    } catch (const IoError& e) {
        EXPECT_TRUE(
            std::string(e.what()).starts_with("Cannot write '/proc/toile-cannot-write-here': "))
            << e.what();
    }
}

}  // namespace
}  // namespace toile
