// SPDX-License-Identifier: Apache-2.0
// The table of tests/data/bad-input.txt: every kind of bad or unusual input in every format, and
// every file of tests/data/broken with the sentence that refuses it.
#include "fuzz/readers.h"
#include "support/broken_files.h"
#include "support/captured_log.h"
#include "toile/io/file_bytes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

const fs::path kData = TOILE_TEST_DATA_DIR;

/// Formats with files that people write or bring; a run's own files are fuzzed, but not listed.
constexpr const char* kFormats[] = {"obj", "ply",   "stl",         "off",   "pc2",
                                    "mdd", "scene", "environment", "pairs", "markers"};
constexpr size_t kKinds = 20;

using Cell = std::pair<std::string, std::string>;  ///< kind and format

std::map<Cell, std::string> read_table() {
    std::ifstream file(kData / "bad-input.txt");
    std::map<Cell, std::string> table;
    const std::regex cells("([^|]+) \\| ([a-z0-9]+) \\| (.+)");
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line.front() == '#') continue;
        std::smatch found;
        if (!std::regex_match(line, found, cells)) {
            ADD_FAILURE() << "no cell: " << line;
            continue;
        }
        EXPECT_TRUE(table.emplace(Cell{found[1], found[2]}, found[3]).second) << line;
    }
    return table;
}

/// `broken/nan.obj` of format obj.
fs::path path_of(const std::string& format, const fs::path& cell) {
    return kData / cell.parent_path() / format / cell.filename();
}

TEST(BadInput, OfEveryKindIsKeptForEveryFormatOrItIsSaidWhyNot) {
    const auto table = read_table();
    std::set<std::string> kinds;
    for (const auto& [cell, file] : table) kinds.insert(cell.first);
    EXPECT_EQ(kinds.size(), kKinds);
    for (const std::string& kind : kinds) {
        for (const char* format : kFormats) {
            EXPECT_TRUE(table.contains({kind, format})) << kind << " of " << format;
        }
    }
    EXPECT_EQ(table.size(), kKinds * std::size(kFormats));
}

TEST(BadInput, IsRefusedWhereTheTableSaysBrokenAndReadWhereItSaysOdd) {
    const CapturedLog log;
    int n_files = 0;
    for (const auto& [cell, file] : read_table()) {
        const auto& [kind, format] = cell;
        if (file.starts_with("none: ") || file.starts_with("test: ")) continue;
        const bool broken = file.starts_with("broken/");
        ASSERT_TRUE(broken || file.starts_with("odd/")) << kind << " of " << format;
        const std::string refusal = fuzzed_reader(format).read(read_bytes(path_of(format, file)));
        EXPECT_EQ(!refusal.empty(), broken) << kind << " of " << format << ": " << refusal;
        ++n_files;
    }
    EXPECT_GT(n_files, 100);
}

/// A line, a byte, or the file that is to be there.
bool names_a_place(const std::string& sentence) {
    static const std::regex place(":[0-9]+: |:[0-9]+:[0-9]+: |: byte [0-9]+[: ]");
    return std::regex_search(sentence, place);
}

TEST(BadInput, EveryRefusalIsItsSentenceAndNamesLineOrByte) {
    const CapturedLog log;
    for (const char* format : kFormats) {
        for (const BrokenFile& file : broken_files(format)) {
            const std::string refusal = fuzzed_reader(format).read(read_bytes(file.path));
            const std::string expected = file.kept_part();
            EXPECT_NE(refusal.find(expected), std::string::npos)
                << file.path << "\nfound:    " << refusal << "\nexpected: " << expected;
            EXPECT_TRUE(names_a_place(refusal)) << file.path << "\n" << refusal;
            EXPECT_TRUE(refusal.ends_with('.') || refusal.ends_with('?')) << refusal;
        }
    }
}

}  // namespace
}  // namespace toile::test
