// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace toile::test {

// As FuzzedReader::read.
std::string read_scene_bytes(std::string_view bytes);
/// An `environment` folder, laid out as support/folder_text.h says.
std::string read_environment_bytes(std::string_view bytes);

}  // namespace toile::test
