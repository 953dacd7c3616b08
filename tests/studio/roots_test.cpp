// SPDX-License-Identifier: Apache-2.0
#include "studio/server/roots.h"

#include "support/temporary_folder.h"
#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <fstream>

namespace toile::studio {
namespace {

namespace fs = std::filesystem;

class RootsTest : public testing::Test {
  protected:
    RootsTest() {
        fs::create_directories(folder_ / "opened/sub");
        for (const char* name : {"secret.obj", "opened/a.obj", "opened/sub/b.obj"}) {
            std::ofstream(folder_ / name) << name;
        }
        roots_.add(folder_ / "opened");
    }
    void link(const std::string& to, const std::string& name) {
        fs::create_symlink(to, folder_ / "opened" / name);
    }

    test::TemporaryFolder folder_;
    Roots roots_;
};

TEST_F(RootsTest, FindsWhatIsInside) {
    const fs::path opened = fs::canonical(folder_ / "opened");
    EXPECT_EQ(roots_.existing({0, "a.obj"}), opened / "a.obj");
    EXPECT_EQ(roots_.existing({0, "sub/b.obj"}), opened / "sub/b.obj");
    EXPECT_EQ(roots_.existing({0, "./sub//b.obj"}), opened / "sub/b.obj");
    EXPECT_EQ(roots_.existing({0, "."}), opened);
}

TEST_F(RootsTest, RefusesEveryWayUpwards) {
    const std::string absolute = (folder_ / "opened/a.obj").string();
    for (const std::string& path :
         {std::string("../secret.obj"), std::string("sub/../../secret.obj"), std::string(".."),
          std::string("sub/.."), std::string("/etc/passwd"), absolute, std::string(),
          std::string("a.obj\0.txt", 10), std::string("//etc/passwd")}) {
        EXPECT_THROW(static_cast<void>(roots_.existing({0, path})), InvalidInput) << path;
        EXPECT_THROW(static_cast<void>(roots_.writable({0, path})), InvalidInput) << path;
    }
}

TEST_F(RootsTest, RefusesLinksThatLeadOut) {
    link("../secret.obj", "file.obj");
    link("..", "up");
    link("/", "root");
    link("nowhere/at/all", "broken");
    link("/nowhere", "broken_out");
    for (const char* path : {"file.obj", "up", "up/secret.obj", "root/etc/passwd", "root/none"}) {
        EXPECT_THROW(static_cast<void>(roots_.existing({0, path})), InvalidInput) << path;
    }
    for (const char* path : {"file.obj", "up/new.obj", "root/tmp/new.obj", "broken_out"}) {
        EXPECT_THROW(static_cast<void>(roots_.writable({0, path})), InvalidInput) << path;
    }
    EXPECT_THROW(static_cast<void>(roots_.existing({0, "broken"})), IoError);
}

TEST_F(RootsTest, FollowsLinksThatStayInside) {
    link("sub/b.obj", "alias.obj");
    EXPECT_EQ(roots_.existing({0, "alias.obj"}), fs::canonical(folder_ / "opened/sub/b.obj"));
}

TEST_F(RootsTest, RefusesCompanionsThatLeadOut) {
    EXPECT_NO_THROW(roots_.refuse_links_out({0, "a.obj"}));
    link("../secret.obj", "a.pc2");
    EXPECT_THROW(roots_.refuse_links_out({0, "a.obj"}), InvalidInput);
    EXPECT_THROW(roots_.refuse_links_at({0, "a.mdd"}), InvalidInput);
    EXPECT_NO_THROW(roots_.refuse_links_out({0, "sub"}));
    fs::create_symlink("../../secret.obj", folder_ / "opened/sub/f_1.obj");
    EXPECT_THROW(roots_.refuse_links_out({0, "sub"}), InvalidInput);
    EXPECT_THROW(roots_.refuse_links_at({0, "sub/f_%d.obj"}), InvalidInput);
}

TEST_F(RootsTest, SaysWhereSomethingMayBeWritten) {
    const fs::path opened = fs::canonical(folder_ / "opened");
    EXPECT_EQ(roots_.writable({0, "new.obj"}), opened / "new.obj");
    EXPECT_EQ(roots_.writable({0, "sub/new.obj"}), opened / "sub/new.obj");
    EXPECT_EQ(roots_.writable({0, "frames/"}), opened / "frames" / "");
    EXPECT_THROW(static_cast<void>(roots_.writable({0, "none/new.obj"})), IoError);
    EXPECT_THROW(static_cast<void>(roots_.writable({0, "."})), InvalidInput);
}

TEST_F(RootsTest, NamesWhatIsMissing) {
    EXPECT_THROW(static_cast<void>(roots_.existing({0, "c.obj"})), IoError);
    EXPECT_THROW(static_cast<void>(roots_.existing({1, "a.obj"})), InvalidInput);
    EXPECT_THROW(static_cast<void>(roots_.existing({-1, "a.obj"})), InvalidInput);
}

TEST_F(RootsTest, TakesAFolderInAnOpenedOneAsPartOfIt) {
    const RootedPath place = roots_.add(folder_ / "opened/sub");
    EXPECT_EQ(place.root, 0);
    EXPECT_EQ(place.path, "sub");
    fs::create_directories(folder_ / "opened2");
    EXPECT_EQ(roots_.add(folder_ / "opened2").root, 1) << "a name that begins alike is another";
}

}  // namespace
}  // namespace toile::studio
