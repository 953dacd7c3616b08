// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace toile::app {

/// ` Did you mean '--width'?` for the first word of the command line that nothing took, from the
/// options and verbs known where it stood; nothing where no word is near.
std::string usage_hint(const CLI::App& app);

}  // namespace toile::app
