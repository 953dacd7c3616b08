// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace toile {

/// Told now and then how far a long job is: `done` of `total` (0 where unknown) and a short status
/// such as `3 substeps, 41 contacts`. May be empty.
using ProgressCallback = std::function<void(int done, int total, const std::string& status)>;

}  // namespace toile
