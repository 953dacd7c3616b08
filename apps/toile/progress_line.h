// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/progress.h"

namespace toile::app {

/// A callback that shows progress on standard error: one line that is written over on a terminal,
/// else a plain line about every ten seconds. `what` is what is counted, as `frame`.
ProgressCallback progress_line(const char* what);

/// Ends the line that is written over, so that what follows begins on its own. Nothing where
/// standard error is no terminal.
void end_progress_line();

}  // namespace toile::app
