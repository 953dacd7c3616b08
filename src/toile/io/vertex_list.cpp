// SPDX-License-Identifier: Apache-2.0
#include "toile/io/vertex_list.h"

#include "toile/io/text_cursor.h"

#include <fmt/format.h>

namespace toile {
namespace {

void mark(const TextCursor& cursor, std::string_view word, std::vector<char>& out_flags) {
    const std::optional<long long> index = parse_integer(word);
    const auto n = static_cast<long long>(out_flags.size());
    if (!index) cursor.fail(fmt::format("expected the index of a vertex, found {}.", quoted(word)));
    if (*index < 0 || *index >= n) {
        cursor.fail(
            fmt::format("expected the index of a vertex from 0 to {}, found {}.", n - 1, *index));
    }
    out_flags[static_cast<size_t>(*index)] = 1;
}

}  // namespace

std::vector<char> parse_vertex_list(std::string_view bytes, const std::string& file_name,
                                    int n_vertices) {
    std::vector<char> flags(static_cast<size_t>(n_vertices), 0);
    TextCursor cursor(bytes, file_name);
    bool found = false;
    while (cursor.next_line()) {
        for (std::string_view word = cursor.word(); !word.empty() && word[0] != '#';
             word = cursor.word()) {
            while (!word.empty()) {
                const size_t comma = word.find(',');
                if (comma != 0) mark(cursor, word.substr(0, comma), flags);
                found = found || comma != 0;
                word = comma == std::string_view::npos ? "" : word.substr(comma + 1);
            }
        }
    }
    if (!found) cursor.fail_at(1, "found no index of a vertex.");
    return flags;
}

}  // namespace toile
