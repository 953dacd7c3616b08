// SPDX-License-Identifier: Apache-2.0
// The command line: parses, calls the library, talks to the terminal. No logic of its own.
#include "toile/core/error.h"
#include "toile/core/large_pages.h"
#include "toile/core/log.h"
#include "toile/core/parallel.h"
#include "usage_hint.h"
#include "verb.h"

#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

namespace toile::app {
namespace {

Session* interrupted_session = nullptr;

void on_interrupt(int) {
    if (interrupted_session) interrupted_session->cancellation.request();
    std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C ends the program at once
    std::signal(SIGTERM, SIG_DFL);
}

void add_session_options(CLI::App& app, Session& session) {
    app.add_flag("--json", session.json, "Results as JSON on standard output");
    app.add_flag("-q,--quiet", session.quiet, "No talk on standard error");
    app.add_flag("--force", session.force, "Overwrite outputs that exist");
    app.add_option("--threads", session.threads, "Threads to use (default: all)")
        ->check(CLI::Range(1, 1024));
}

void add_footers(CLI::App& app) {
    const std::string exit_codes =
        "Exit codes: 0 done, 1 the computation failed or what was checked is not as it should be,\n"
        "2 usage, 3 invalid input, 4 file system, 5 missing optional feature, 130 interrupted.";
    app.footer(exit_codes);
    for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
        verb->footer(
            "Options of every verb: --json, -q/--quiet, --force, --threads N; see toile "
            "--help.\n" +
            exit_codes);
    }
}

/// Results that did not arrive are a failure, as on a full disk.
void flush_output() {
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return;
    throw IoError(fmt::format("Cannot write the results: {}.", std::strerror(errno)));
}

int run(int argc, char** argv) {
    CLI::App app("Simulate, transfer and edit the motion of deforming surfaces", "toile");
    Session session;
    interrupted_session = &session;
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
    std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is met by write(), as a full disk is
    add_session_options(app, session);
    app.fallthrough();
    app.require_subcommand(1);
    std::optional<ThreadLimit> limit;
    app.parse_complete_callback([&] {
        if (session.threads > 0) limit.emplace(session.threads);
        if (session.quiet) set_log_sink({});
    });
    add_verb_check(app, session);
    add_verb_convert(app, session);
    add_verb_correspond(app, session);
    add_verb_diff(app, session);
    add_verb_edit(app, session);
    add_verb_info(app, session);
    add_verb_make(app, session);
    add_verb_move(app, session);
    add_verb_new(app, session);
    add_verb_render(app, session);
    add_verb_resume(app, session);
    add_verb_simulate(app, session);
    add_verb_studio(app, session);
    add_verb_transfer(app, session);
    add_verb_version(app, session);
    add_verb_bench(app, session);
    add_footers(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        const auto words = app.remaining();
        if (app.get_subcommands().empty() && !words.empty() && words.front().front() != '-') {
            fmt::print(stderr, "toile: There is no verb '{}'.{} See toile --help.\n", words.front(),
                       usage_hint(app));
            return 2;
        }
        if (app.exit(e) == 0) {
            flush_output();
            return 0;
        }
        const std::string hint = usage_hint(app);
        if (!hint.empty()) fmt::print(stderr, "{}\n", hint.substr(1));
        return 2;
    }
    flush_output();
    return session.exit_code;
}

int fail(int exit_code, const std::exception& e) {
    fmt::print(stderr, "toile: {}\n", e.what());
    return exit_code;
}

}  // namespace
}  // namespace toile::app

int main(int argc, char** argv) {
    using namespace toile;
    keep_heap_on_large_pages();
    set_log_sink([](LogLevel level, const std::string& message) {
        if (level == LogLevel::Debug) return;
        fmt::print(stderr, "{}{}\n", level == LogLevel::Warning ? "warning: " : "", message);
    });
    try {
        return app::run(argc, argv);
    } catch (const Interrupted& e) {
        return app::fail(130, e);
    } catch (const InvalidInput& e) {
        return app::fail(3, e);
    } catch (const IoError& e) {
        return app::fail(4, e);
    } catch (const MissingFeature& e) {
        return app::fail(5, e);
    } catch (const std::filesystem::filesystem_error& e) {
        return app::fail(4,
                         IoError(fmt::format("'{}': {}.", e.path1().string(), e.code().message())));
    } catch (const std::system_error& e) {
        return app::fail(4, IoError(fmt::format("{}.", e.what())));
    } catch (const std::bad_alloc&) {
        return app::fail(1, Error("Out of memory."));
    } catch (const std::exception& e) {
        return app::fail(1, e);
    }
}
