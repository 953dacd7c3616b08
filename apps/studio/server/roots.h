// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace toile::studio {

/// A path below one of the opened folders.
struct RootedPath {
    int root = 0;
    std::string path;  ///< relative, with `/`; `.` for the folder itself
};

/// The file of that name in the folder of `place`.
RootedPath beside(const RootedPath& place, const std::filesystem::path& file);

/// The folders that were opened, and the only way from a page's path to a file. Never changes once
/// the server runs.
class Roots {
  public:
    /// Opens a folder, or finds it in one that is open; where it is now.
    RootedPath add(const std::filesystem::path& folder);

    [[nodiscard]] const std::vector<std::filesystem::path>& folders() const { return folders_; }
    [[nodiscard]] std::vector<std::string> names() const;  ///< for people; of each root

    /// What exists at a page's path, with all symbolic links followed. Throws InvalidInput where
    /// the path is absolute, has a `..`, or leads out of the root by a link; IoError where nothing
    /// is there.
    [[nodiscard]] std::filesystem::path existing(const RootedPath& place) const;

    /// Where something may be written: its folder exists in the root, and what is there already, if
    /// anything is, is no link out of it. Throws as `existing`.
    [[nodiscard]] std::filesystem::path writable(const RootedPath& place) const;

    /// Throws InvalidInput where a file that belongs to the path leads out of the root by a link:
    /// one in the folder, or one of the same name but for its extension.
    void refuse_links_out(const RootedPath& place) const;

    /// The same for a path that is to be written, whether it exists or not, and for all files of
    /// its folder where it is a pattern.
    void refuse_links_at(const RootedPath& place) const;

    /// Throws InvalidInput where a path leads out of the roots by a link.
    void refuse_foreign(const std::filesystem::path& path) const;

    /// A path in one of the roots; nothing for one that is in none.
    [[nodiscard]] std::optional<RootedPath> place_of(const std::filesystem::path& path) const;

  private:
    [[nodiscard]] const std::filesystem::path& folder(int root) const;
    void refuse_links_in(const RootedPath& place, const std::filesystem::path& parent,
                         const std::filesystem::path& stem) const;
    void require_inside(const std::filesystem::path& found, const RootedPath& place) const;

    std::vector<std::filesystem::path> folders_;  // canonical
};

}  // namespace toile::studio
