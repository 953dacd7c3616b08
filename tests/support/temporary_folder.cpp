// SPDX-License-Identifier: Apache-2.0
#include "support/temporary_folder.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace toile::test {

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "toile-test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace toile::test
