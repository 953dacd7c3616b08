// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/atomic_file.h"

#include <filesystem>
#include <span>
#include <string>

namespace toile {

/// A new folder for what is not finished, hidden by a dot, beside what it will become: on the same
/// file system, so that a rename brings files out. Removed with all it still holds when this ends;
/// a process that is killed leaves it behind, never under a final name. Any thread may make one.
class HiddenFolder {
  public:
    /// Made in `parent` (empty: the working folder), with `name` in its name. Throws IoError.
    HiddenFolder(std::filesystem::path parent, const std::string& name);
    ~HiddenFolder();
    HiddenFolder(const HiddenFolder&) = delete;
    HiddenFolder& operator=(const HiddenFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Renames files of these names to the same names in `folder`, on the same file system: either
    /// all, or, where one may not be replaced or the file system fails on the way, none. What is
    /// replaced waits in `replaced` in the hidden folder until all are out: a process that is
    /// killed on the way leaves it there, and in `folder` new files alone, of which the last is the
    /// first to come, so that numbered files have a gap. Throws IoError.
    void bring_out(std::span<const std::string> names, const std::filesystem::path& folder,
                   OutputOptions options);
    /// The folder itself becomes `path`, where nothing may stand. Throws IoError.
    void become(const std::filesystem::path& path);

  private:
    std::filesystem::path parent_;
    std::filesystem::path path_;  ///< empty once it has become another
};

}  // namespace toile
