// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verb.h"

namespace toile::app {

/// Adds `bench validate`.
void add_bench_validate(CLI::App& bench, Session& session);

}  // namespace toile::app
