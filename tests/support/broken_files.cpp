// SPDX-License-Identifier: Apache-2.0
#include "support/broken_files.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "expected.txt";
constexpr const char* kSceneMark = "# expect: ";

std::vector<std::string> lines_of(const fs::path& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("missing " + path.string());
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().filename() != kManifest) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string sentence_of_scene(const fs::path& path) {
    const std::string mark = kSceneMark, first = lines_of(path).at(0);
    if (!first.starts_with(mark)) throw std::runtime_error("no sentence in " + path.string());
    return first.substr(mark.size());
}

}  // namespace

std::string BrokenFile::kept_part() const {
    const std::string name = path.filename().string();
    if (!sentence.starts_with(name)) return sentence;
    const bool of_folder = sentence.starts_with(name + ": ") && path.extension() == ".txt";
    return sentence.substr(name.size() + (of_folder ? 2 : 0));
}

std::vector<BrokenFile> broken_files(const std::string& format) {
    const fs::path folder = fs::path(TOILE_TEST_DATA_DIR) / "broken" / format;
    std::vector<std::string> sentences;
    if (format != "scene") sentences = lines_of(folder / kManifest);
    size_t n_used = 0;
    std::vector<BrokenFile> files;
    for (const fs::path& path : files_in(folder)) {
        if (format == "scene") {
            files.push_back({path, sentence_of_scene(path)});
            continue;
        }
        const std::string start = path.filename().string() + ":";
        const auto found = std::find_if(sentences.begin(), sentences.end(),
                                        [&](const auto& line) { return line.starts_with(start); });
        if (found == sentences.end()) throw std::runtime_error("no sentence for " + path.string());
        files.push_back({path, *found});
        ++n_used;
    }
    if (n_used != sentences.size()) throw std::runtime_error("sentences without file: " + format);
    return files;
}

std::vector<OddFile> odd_files(const std::string& format) {
    const fs::path folder = fs::path(TOILE_TEST_DATA_DIR) / "odd" / format;
    std::vector<OddFile> files;
    for (const std::string& line : lines_of(folder / kManifest)) {
        std::istringstream in(line);
        OddFile file;
        std::string name;
        in >> name >> file.n_vertices >> file.n;
        file.path = folder / name;
        files.push_back(file);
    }
    if (files.size() != files_in(folder).size()) {
        throw std::runtime_error("odd files without a line: " + format);
    }
    return files;
}

}  // namespace toile::test
