// SPDX-License-Identifier: Apache-2.0
#include "toile/io/folder_lock.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>

namespace toile {
namespace {

TEST(FolderLock, IsHeldByOneAtATimeAndLeavesNoFile) {
    const test::TemporaryFolder folder;
    std::optional<FolderLock> first(folder.path());
    EXPECT_THROW(FolderLock{folder.path()}, IoError);
    std::optional<FolderLock> moved(std::move(*first));
    first.reset();
    EXPECT_THROW(FolderLock{folder.path()}, IoError);
    moved.reset();
    EXPECT_NO_THROW(FolderLock{folder.path()});
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FolderLock, EndsWithAProcessThatIsKilled) {
    const test::TemporaryFolder folder;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const FolderLock lock(folder.path());
        ::raise(SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_NO_THROW(FolderLock{folder.path()});
}

TEST(FolderLock, NeedsAFolder) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(FolderLock{folder / "none"}, IoError);
}

}  // namespace
}  // namespace toile
