// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace toile::app {

/// Checks of an option's number, with words a person would use; none lets infinities or what is no
/// number pass.
CLI::Validator finite_number();
CLI::Validator positive_number();
CLI::Validator number_from_zero();
CLI::Validator frame_number();  ///< whole, from 0

/// Throws IoError where an output is the file, or the pattern, of one of the inputs: even --force
/// must not destroy what the command reads. Empty names are no inputs. The mesh beside a point
/// cache counts as written with it.
void refuse_to_overwrite_inputs(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace toile::app
