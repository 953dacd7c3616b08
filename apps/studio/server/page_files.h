// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace toile::studio {

/// The page as the build has made it; the bytes are part of the program.
struct PageFiles {
    std::string_view html;
    std::string_view script;
    std::string_view style;
};

PageFiles page_files();

}  // namespace toile::studio
