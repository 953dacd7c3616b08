// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace toile::detail {

/// The page round the data (io/html_page.h): what stands before the title, between title and data,
/// and after the data. Script and style are the whole player.
extern const char* const kHtmlPageStart;
extern const char* const kHtmlPageMiddle;
extern const char* const kHtmlPageEnd;

}  // namespace toile::detail
