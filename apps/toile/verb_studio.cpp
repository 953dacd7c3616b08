// SPDX-License-Identifier: Apache-2.0
#include "toile/core/error.h"
#include "verb.h"

#ifdef TOILE_WITH_STUDIO
#include "studio/server/studio.h"
#include "toile/core/log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <spawn.h>
#endif

#include <memory>
#include <string>
#include <vector>

namespace toile::app {
namespace {

struct StudioArguments {
    std::vector<std::string> paths;
    std::string host = "127.0.0.1";
    int port = 0;
    bool no_open = false;
};

#ifdef TOILE_WITH_STUDIO

bool has_display() {
    return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
}

/// Opens the desktop's browser; where that fails, the printed address is there all the same.
void open_browser(std::string url) {
    std::string program = "xdg-open";
    std::array<char*, 3> words = {program.data(), url.data(), nullptr};
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    }
    pid_t child = 0;
    std::signal(SIGCHLD, SIG_IGN);  // nobody waits for it
    ::posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
}

/// Shows the library's warnings to the pages, too, while it lives.
class NotedWarnings {
  public:
    explicit NotedWarnings(studio::Studio& studio) : terminal_(set_log_sink({})) {
        set_log_sink([this, &studio](LogLevel level, const std::string& message) {
            if (terminal_) terminal_(level, message);
            if (level == LogLevel::Warning) studio.note(message);
        });
    }
    ~NotedWarnings() { set_log_sink(terminal_); }
    NotedWarnings(const NotedWarnings&) = delete;
    NotedWarnings& operator=(const NotedWarnings&) = delete;

  private:
    LogSink terminal_;
};

void run(Session& session, const StudioArguments& arguments) {
    studio::Studio studio(
        {.paths = arguments.paths, .host = arguments.host, .port = arguments.port});
    const NotedWarnings warnings(studio);
    fmt::print("{}\n", studio.url());
    std::fflush(stdout);
    if (!session.quiet) fmt::print(stderr, "Open this address in a browser; Ctrl-C ends.\n");
    if (!arguments.no_open && has_display()) open_browser(studio.ticket_url());
    studio::wait_for(session.cancellation);
    const std::string kept = studio.end();
    if (!kept.empty()) {
        fmt::print(stderr, "What was not saved is in {}; `toile studio {}` shows it.\n", kept,
                   kept);
    }
}

#else

void run(Session&, const StudioArguments&) {
    throw MissingFeature("This toile was built without its studio (TOILE_WITH_STUDIO).");
}

#endif

}  // namespace

void add_verb_studio(CLI::App& app, Session& session) {
    CLI::App* verb = app.add_subcommand(
        "studio", "Look, simulate, match, transfer and edit in a browser, by a server of its own");
    verb->fallthrough();
    auto arguments = std::make_shared<StudioArguments>();
    verb->add_option("path", arguments->paths,
                     "Scenes, environment folders, run folders, sequences and meshes to open")
        ->type_name("PATH");
    verb->add_option("--host", arguments->host,
                     "Address to listen on; others than this machine's own let the network in")
        ->capture_default_str();
    verb->add_option("--port", arguments->port, "Port to listen on; 0 is a free one")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    verb->add_flag("--no-open", arguments->no_open, "Open no browser");
    verb->callback([arguments, &session] { run(session, *arguments); });
}

}  // namespace toile::app
