// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/edit/edit_operator.h"

#include <string>
#include <vector>

namespace toile::app {

/// Prints what `toile edit` did: lines for people or one JSON document. Lengths are in metres,
/// angles in degrees, elements counted from 0.
void print_edit_report(const EditReport& report, const std::vector<std::string>& key_warnings,
                       const std::string& output, bool json);

}  // namespace toile::app
