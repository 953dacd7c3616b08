// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace toile::test {

/// A file of tests/data/broken and what it must be refused with.
struct BrokenFile {
    std::filesystem::path path;
    /// For a scene, a part of the message, which the file says in its first line; else the whole
    /// message from the file's name on, a line of `expected.txt` beside it. A text of an
    /// environment folder is not a file of it: there the message follows its name and a blank.
    std::string sentence;
    /// The part of it that is the same wherever the file lies and whatever it is called.
    [[nodiscard]] std::string kept_part() const;
};

/// All broken files of a format (a folder of tests/data/broken), by name. Throws where one has no
/// sentence or a sentence has no file.
std::vector<BrokenFile> broken_files(const std::string& format);

/// A file of tests/data/odd that is read, and how much it holds: a line of `expected.txt` beside
/// it.
struct OddFile {
    std::filesystem::path path;
    int n_vertices = 0;
    int n = 0;  ///< triangles of a mesh, frames of a sequence
};
std::vector<OddFile> odd_files(const std::string& format);

}  // namespace toile::test
