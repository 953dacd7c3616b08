// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/cancellation.h"

#include <CLI/CLI.hpp>

namespace toile::app {

/// Options that every verb knows, and what it is run with.
struct Session {
    bool json = false;          ///< --json: results as one JSON document on stdout
    bool quiet = false;         ///< --quiet: no talk on stderr
    bool force = false;         ///< --force: overwrite outputs
    int threads = 0;            ///< --threads: 0 = all
    Cancellation cancellation;  ///< set by Ctrl-C
    int exit_code = 0;          ///< a verb's verdict where it is not an error (diff, check)
};

/// Each adds one subcommand whose callback does the work by calling the library.
void add_verb_check(CLI::App& app, Session& session);
void add_verb_convert(CLI::App& app, Session& session);
void add_verb_correspond(CLI::App& app, Session& session);
void add_verb_diff(CLI::App& app, Session& session);
void add_verb_edit(CLI::App& app, Session& session);
void add_verb_info(CLI::App& app, Session& session);
void add_verb_make(CLI::App& app, Session& session);
void add_verb_move(CLI::App& app, Session& session);
void add_verb_new(CLI::App& app, Session& session);
void add_verb_render(CLI::App& app, Session& session);
void add_verb_resume(CLI::App& app, Session& session);
void add_verb_simulate(CLI::App& app, Session& session);
void add_verb_studio(CLI::App& app, Session& session);
void add_verb_transfer(CLI::App& app, Session& session);
void add_verb_version(CLI::App& app, Session& session);
void add_verb_bench(CLI::App& app, Session& session);

}  // namespace toile::app
