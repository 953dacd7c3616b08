// SPDX-License-Identifier: Apache-2.0
#include "support/program.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <string>

namespace toile::test {
namespace {

bool has_studio() {
    return run_toile({"studio", "nothing-of-this-name.obj", "--no-open"}).exit_code != 5;
}

/// `toile studio` as it runs, until it is told to end.
class RunningStudio {
  public:
    explicit RunningStudio(const std::string& path) {
        std::array<int, 2> pipe{};
        if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
        child_ = ::fork();
        if (child_ == 0) {
            ::dup2(pipe[1], STDOUT_FILENO);
            ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
            ::close(pipe[0]);
            ::execl(TOILE_PROGRAM, TOILE_PROGRAM, "studio", path.c_str(), "--no-open", nullptr);
            ::_exit(127);
        }
        ::close(pipe[1]);
        char c = 0;
        while (::read(pipe[0], &c, 1) == 1 && c != '\n') url_ += c;
        ::close(pipe[0]);
    }
    ~RunningStudio() {
        if (child_ > 0) end(SIGKILL);
    }
    RunningStudio(const RunningStudio&) = delete;
    RunningStudio& operator=(const RunningStudio&) = delete;

    [[nodiscard]] const std::string& url() const { return url_; }
    int end(int signal) {
        ::kill(child_, signal);
        int status = 0;
        ::waitpid(child_, &status, 0);
        child_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    pid_t child_ = 0;
    std::string url_;
};

TEST(Studio, PrintsItsAddressAndEndsCleanlyOnCtrlC) {
    if (!has_studio()) GTEST_SKIP() << "built without the studio";
    const TemporaryFolder folder;
    std::ofstream(folder / "a.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for (const int signal : {SIGINT, SIGTERM}) {
        RunningStudio studio((folder / "a.obj").string());
        EXPECT_TRUE(studio.url().starts_with("http://127.0.0.1:")) << studio.url();
        EXPECT_NE(studio.url().find("/?token="), std::string::npos);
        EXPECT_EQ(studio.end(signal), 0);
    }
}

TEST(Studio, SaysWhatItCannotOpenOrListenOn) {
    if (!has_studio()) GTEST_SKIP() << "built without the studio";
    const ProgramResult missing = run_toile({"studio", "none.obj", "--no-open"});
    EXPECT_EQ(missing.exit_code, 4);
    EXPECT_NE(missing.errors.find("none.obj"), std::string::npos);
    EXPECT_EQ(run_toile({"studio", "--port", "70000"}).exit_code, 2);
    EXPECT_EQ(run_toile({"studio", "--host", "203.0.113.1", "--no-open"}).exit_code, 4)
        << "an address that no machine here has";
}

}  // namespace
}  // namespace toile::test
