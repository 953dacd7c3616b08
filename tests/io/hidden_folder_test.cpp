// SPDX-License-Identifier: Apache-2.0
#include "toile/io/hidden_folder.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"
#include "toile/io/file_bytes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <thread>

namespace toile {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kNames = {"f0", "f1", "f2"};

void write_all(const fs::path& folder, const std::string& text) {
    for (const std::string& name : kNames) write_file(folder / name, text + name);
}

void expect_all(const fs::path& folder, const std::string& text) {
    for (const std::string& name : kNames) EXPECT_EQ(read_bytes(folder / name), text + name);
}

auto count_entries(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

fs::perms permissions(const fs::path& path) {
    return fs::status(path).permissions();
}

/// The mask of what new files may be, set for a while.
class FileMask {
  public:
    explicit FileMask(mode_t mask) : before_(::umask(mask)) {}
    ~FileMask() { ::umask(before_); }
    FileMask(const FileMask&) = delete;
    FileMask& operator=(const FileMask&) = delete;

  private:
    mode_t before_;
};

TEST(HiddenFolder, BringsAllOutAndLeavesNothing) {
    const test::TemporaryFolder folder;
    {
        HiddenFolder hidden(folder.path(), "f");
        write_all(hidden.path(), "new ");
        hidden.bring_out(kNames, folder.path(), {});
        hidden.bring_out({}, folder.path(), {});
    }
    expect_all(folder.path(), "new ");
    EXPECT_EQ(count_entries(folder.path()), 3);
}

TEST(HiddenFolder, ReplacesOnlyWhenAsked) {
    const test::TemporaryFolder folder;
    write_all(folder.path(), "old ");
    HiddenFolder hidden(folder.path(), "f");
    write_all(hidden.path(), "new ");
    EXPECT_THROW(hidden.bring_out(kNames, folder.path(), {}), IoError);
    expect_all(folder.path(), "old ");
    hidden.bring_out(kNames, folder.path(), {.overwrite = true});
    expect_all(folder.path(), "new ");
}

TEST(HiddenFolder, LeavesAllAsItWasWhereOneCannotBeBroughtOut) {
    const test::TemporaryFolder folder;
    write_all(folder.path(), "old ");
    for (const std::string& missing : kNames) {
        HiddenFolder hidden(folder.path(), "f");
        write_all(hidden.path(), "new ");
        fs::remove(hidden.path() / missing);
        EXPECT_THROW(hidden.bring_out(kNames, folder.path(), {.overwrite = true}), IoError);
        expect_all(folder.path(), "old ");
        EXPECT_EQ(count_entries(folder.path()), 4) << missing;  // and the hidden one
        write_file(hidden.path() / missing, "new " + missing);
        expect_all(hidden.path(), "new ");
    }
    EXPECT_EQ(count_entries(folder.path()), 3);
}

TEST(HiddenFolder, BecomesAFolderThatTheMaskAllows) {
    const test::TemporaryFolder folder;
    const FileMask mask(022);
    HiddenFolder hidden(folder.path(), "f");
    hidden.become(folder / "out");
    EXPECT_EQ(permissions(folder / "out"), fs::perms(0755));
    EXPECT_EQ(count_entries(folder.path()), 1);
}

TEST(HiddenFolder, OpensNoDoorToTheFilesOfOtherThreads) {
    const test::TemporaryFolder folder;
    const FileMask mask(077);
    std::atomic<bool> ended = false;
    std::thread maker([&] {
        for (int k = 0; k < 500; ++k) HiddenFolder(folder.path(), "f");
        ended = true;
    });
    int n_open = 0;
    for (int k = 0; !ended; ++k) {
        const fs::path path = folder / std::to_string(k);
        std::ofstream(path) << "private";
        if ((permissions(path) & fs::perms(077)) != fs::perms::none) ++n_open;
        fs::remove(path);
    }
    maker.join();
    EXPECT_EQ(n_open, 0);
}

TEST(HiddenFolder, IsRefusedWhereThereIsNoPlaceForIt) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(HiddenFolder(folder / "none", "f"), IoError);
    const HiddenFolder hidden(folder.path(), std::string(400, 'n'));
    EXPECT_TRUE(fs::is_directory(hidden.path()));
}

}  // namespace
}  // namespace toile
