// SPDX-License-Identifier: Apache-2.0
#include "support/folder_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <utility>

namespace toile::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "=== ";
constexpr size_t kLongestName = 64;

bool is_plain_part(std::string_view part) {
    return !part.empty() && part.front() != '.' && part.size() <= kLongestName &&
           std::ranges::all_of(part, [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
           });
}

bool is_plain_name(std::string_view name) {
    const size_t slash = name.find('/');
    return slash != std::string_view::npos && is_plain_part(name.substr(0, slash)) &&
           is_plain_part(name.substr(slash + 1));
}

size_t next_mark(std::string_view text, size_t from) {
    for (size_t at = from; (at = text.find(kMark, at)) != std::string_view::npos; ++at) {
        if (at == 0 || text[at - 1] == '\n') return at;
    }
    return std::string_view::npos;
}

using Sections = std::map<std::string, std::string>;

Sections sections_of(std::string_view text) {
    Sections sections;
    for (size_t at = next_mark(text, 0); at != std::string_view::npos;) {
        const size_t begin = at + kMark.size();
        at = next_mark(text, begin);
        const std::string_view section =
            text.substr(begin, at == std::string_view::npos ? at : at - begin);
        const size_t end = std::min(section.find('\n'), section.size());
        const std::string_view name = section.substr(0, end);
        if (!is_plain_name(name)) continue;
        sections[std::string(name)] = section.substr(std::min(end + 1, section.size()));
    }
    return sections;
}

}  // namespace

void FolderOfText::write(std::string_view text) {
    Sections wanted = sections_of(text);
    for (const auto& [name, content] : written_) {
        if (!wanted.contains(name)) fs::remove(folder_ / name);
    }
    for (const auto& [name, content] : wanted) {
        const auto before = written_.find(name);
        if (before != written_.end() && before->second == content) continue;
        const fs::path path = folder_ / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << content;
    }
    written_ = std::move(wanted);
}

}  // namespace toile::test
