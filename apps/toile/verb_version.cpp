// SPDX-License-Identifier: Apache-2.0
#include "toile/version.h"
#include "verb.h"

#include <fmt/format.h>

namespace toile::app {

void add_verb_version(CLI::App& app, Session& session) {
    app.add_subcommand("version", "Print the version")->callback([&session] {
        if (session.json) {
            fmt::print("{{\"version\": \"{}\"}}\n", TOILE_VERSION);
        } else {
            fmt::print("toile {}\n", TOILE_VERSION);
        }
    });
}

}  // namespace toile::app
