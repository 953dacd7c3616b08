// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace toile::test {

/// A folder of small text files that one text describes: a line `=== NAME` begins each, and all up
/// to the next such line is its content. Names are `FOLDER/FILE`; others, and those that could lead
/// out of the folder, are left out.
class FolderOfText {
  public:
    /// `folder` is there, and empty.
    explicit FolderOfText(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Makes the folder hold the files of `text` and no others; touches those that differ.
    void write(std::string_view text);

  private:
    std::filesystem::path folder_;
    std::map<std::string, std::string> written_;
};

}  // namespace toile::test
