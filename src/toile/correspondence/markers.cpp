// SPDX-License-Identifier: Apache-2.0
#include "toile/correspondence/markers.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/text_cursor.h"
#include "toile/mesh/geometry.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

namespace toile {
namespace {

/// A position that is farther from every vertex than this part of the diagonal is warned of.
constexpr double kFarFromMesh = 0.01;
/// Target vertices nearer to each other than this part of the diagonal are at one place (seams).
constexpr double kSamePlace = 1e-6;

constexpr std::string_view kBetween = ",:[]{}()\"'";

/// The numbers of one line.
struct Row {
    int line = 0;
    std::vector<double> numbers = {};
    bool whole = true;
};

std::string_view without_comment(std::string_view line) {
    const size_t end = std::min({line.find('#'), line.find(';'), line.find("//")});
    return line.substr(0, end);
}

std::string with_blanks(std::string_view line) {
    std::string text(line);
    for (char& c : text) {
        if (kBetween.find(c) != std::string_view::npos) c = ' ';
    }
    return text;
}

Row parse_row(const TextCursor& cursor, std::string_view line) {
    const std::string text = with_blanks(without_comment(line));
    Row row{.line = cursor.line()};
    TextCursor words(text, "");
    words.next_line();
    for (std::string_view word = words.word(); !word.empty(); word = words.word()) {
        const std::optional<double> number = parse_number(word);
        if (!number || !std::isfinite(*number)) {
            cursor.fail(fmt::format("expected a number of a marker, found {}.", quoted(word)));
        }
        row.whole = row.whole && parse_integer(word).has_value();
        row.numbers.push_back(*number);
    }
    return row;
}

/// The items of `markers:`, if the text is such YAML.
std::optional<std::vector<Row>> yaml_rows(const NamedText& text) {
    TextCursor cursor(text.bytes, text.name);
    std::optional<std::vector<Row>> rows;
    bool inside = false;
    while (cursor.next_line()) {
        const bool indented = text.bytes.substr(cursor.offset()).starts_with(' ');
        std::string_view line = without_comment(cursor.rest_of_line());
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        const bool item = line.starts_with('-');
        if (!indented && !item) inside = line.starts_with("markers:");
        if (inside && !rows) rows.emplace();
        if (!inside || !item) continue;
        rows->push_back(parse_row(cursor, line.substr(1)));
        if (rows->back().numbers.size() == 2) continue;
        cursor.fail(fmt::format("expected a marker as - \"750:3386\", found {}.", quoted(line)));
    }
    return rows;
}

std::vector<Row> table_rows(const NamedText& text) {
    TextCursor cursor(text.bytes, text.name);
    std::vector<Row> rows;
    while (cursor.next_line()) {
        Row row = parse_row(cursor, cursor.rest_of_line());
        if (!row.numbers.empty()) rows.push_back(std::move(row));
    }
    return rows;
}

[[noreturn]] void fail(const NamedText& text, int line, const std::string& message) {
    throw InvalidInput(fmt::format("{}:{}: {}", text.name, line, message));
}

/// Takes the count off the front, if there is one, and compares.
void take_count(const NamedText& text, std::vector<Row>& rows) {
    if (rows.size() < 2 || rows[0].numbers.size() != 1 || rows[1].numbers.size() < 2) return;
    const double promised = rows[0].numbers[0];
    if (promised != static_cast<double>(rows.size() - 1)) {
        fail(text, rows[0].line,
             fmt::format("the file promises {} markers, but holds {}; it may be cut off.", promised,
                         rows.size() - 1));
    }
    rows.erase(rows.begin());
}

/// Turns what a file says of one mesh into its vertices.
class VertexFinder {
  public:
    VertexFinder(const NamedText& text, std::string_view role, const TriangleMesh& mesh,
                 const TriangleMesh& other, const MarkerReadOptions& options)
        : text_(text),
          role_(role),
          mesh_(mesh),
          other_(other),
          options_(options),
          diagonal_(bounding_box(mesh.positions).diagonal()) {}

    int by_index(int line, double number) const {
        const double v = number - options_.first_index;
        if (v >= 0 && v < mesh_.n_vertices() && v == std::floor(v)) return static_cast<int>(v);
        if (number != std::floor(number)) {
            fail(text_, line, fmt::format("expected a vertex number, found {}.", number));
        }
        const int last = mesh_.n_vertices() - 1 + options_.first_index;
        fail(text_, line,
             fmt::format("{} vertex {} does not exist; there are vertices {} to {}.{}", role_,
                         number, options_.first_index, last, guess(v)));
    }

    int nearest(int line, const Vec3& position) const {
        int best = -1;
        double distance = std::numeric_limits<double>::infinity();
        for (int v = 0; v < mesh_.n_vertices(); ++v) {
            const double d = (mesh_.positions[static_cast<size_t>(v)] - position).norm();
            if (d < distance) best = v;
            distance = std::min(d, distance);
        }
        if (best < 0) fail(text_, line, fmt::format("the {} mesh has no vertices.", role_));
        if (distance > kFarFromMesh * diagonal_) {
            log_warning(
                fmt::format("{}:{}: the {} vertex nearest to the marker is {:.3g} % of the "
                            "diagonal away (vertex {}).",
                            text_.name, line, role_, 100 * distance / diagonal_, best));
        }
        return best;
    }

  private:
    std::string guess(double v) const {
        if (options_.first_index == 0 && v == mesh_.n_vertices()) {
            return " Does the file count from 1?";
        }
        if (options_.first_index == 1 && v == -1) return " Does the file count from 0?";
        if (v >= 0 && v < other_.n_vertices()) return " Does the file name the target first?";
        return "";
    }

    const NamedText& text_;
    std::string_view role_;
    const TriangleMesh& mesh_;
    const TriangleMesh& other_;
    const MarkerReadOptions& options_;
    double diagonal_;
};

Vec3 position_in(const Row& row, size_t first) {
    return {row.numbers[first], row.numbers[first + 1], row.numbers[first + 2]};
}

/// A list's entries: numbers anywhere, or positions a line.
std::vector<Row> list_entries(const NamedText& text) {
    const std::vector<Row> rows = table_rows(text);
    std::vector<Row> entries;
    for (const Row& row : rows) {
        if (!row.whole && row.numbers.size() == 3) {
            entries.push_back(row);
            continue;
        }
        if (!row.whole) {
            fail(text, row.line, "expected whole numbers, or the three of a position.");
        }
        for (const double number : row.numbers) entries.push_back({row.line, {number}, true});
    }
    if (entries.empty()) fail(text, 1, "there are no markers.");
    return entries;
}

int vertex_of(const VertexFinder& finder, const Row& entry) {
    if (entry.numbers.size() == 1) return finder.by_index(entry.line, entry.numbers[0]);
    return finder.nearest(entry.line, position_in(entry, 0));
}

std::vector<char> used_vertices(const TriangleMesh& mesh) {
    std::vector<char> used(mesh.positions.size(), 0);
    for (const Triangle& t : mesh.triangles) {
        for (const int v : t) used[static_cast<size_t>(v)] = 1;
    }
    return used;
}

std::string place(const Marker& marker) {
    return marker.line > 0 ? fmt::format(" (line {})", marker.line) : "";
}

std::string pair_text(const Marker& marker) {
    return fmt::format("{} -> {}{}", marker.source, marker.target, place(marker));
}

/// Whether `marker` adds something to the `earlier` one of the same source vertex.
bool adds(const Marker& marker, const Marker& earlier, const TriangleMesh& target) {
    const double apart = (target.positions[static_cast<size_t>(marker.target)] -
                          target.positions[static_cast<size_t>(earlier.target)])
                             .norm();
    if (apart > kSamePlace * bounding_box(target.positions).diagonal()) {
        throw InvalidInput(
            fmt::format("Markers {} and {} put one source vertex at two places; one "
                        "of them is wrong.",
                        pair_text(earlier), pair_text(marker)));
    }
    log_warning(fmt::format("Marker {} repeats {}; it is left out.", pair_text(marker),
                            pair_text(earlier)));
    return false;
}

}  // namespace

std::vector<Marker> read_markers(const NamedText& text, const TriangleMesh& source,
                                 const TriangleMesh& target, const MarkerReadOptions& options) {
    std::optional<std::vector<Row>> yaml = yaml_rows(text);
    std::vector<Row> rows = yaml ? std::move(*yaml) : table_rows(text);
    if (!yaml) take_count(text, rows);
    if (rows.empty()) fail(text, 1, "there are no markers.");
    const TriangleMesh& first = options.swapped ? target : source;
    const TriangleMesh& second = options.swapped ? source : target;
    const VertexFinder left(text, options.swapped ? "target" : "source", first, second, options);
    const VertexFinder right(text, options.swapped ? "source" : "target", second, first, options);
    std::vector<Marker> markers;
    for (const Row& row : rows) {
        int a = -1;
        int b = -1;
        if (row.numbers.size() == 2) {
            a = left.by_index(row.line, row.numbers[0]);
            b = right.by_index(row.line, row.numbers[1]);
        } else if (row.numbers.size() == 6) {
            a = left.nearest(row.line, position_in(row, 0));
            b = right.nearest(row.line, position_in(row, 3));
        } else {
            fail(text, row.line,
                 fmt::format("expected two vertex numbers or two positions (six numbers), found "
                             "{}.{}",
                             row.numbers.size(),
                             row.numbers.size() == 1 ? " One of two lists? Name both files." : ""));
        }
        markers.push_back(options.swapped ? Marker{b, a, row.line} : Marker{a, b, row.line});
    }
    return markers;
}

std::vector<Marker> read_marker_lists(const NamedText& source_text, const NamedText& target_text,
                                      const TriangleMesh& source, const TriangleMesh& target,
                                      const MarkerReadOptions& options) {
    const std::vector<Row> from = list_entries(source_text);
    const std::vector<Row> to = list_entries(target_text);
    if (from.size() != to.size()) {
        throw InvalidInput(fmt::format("{} lists {} vertices, but {} lists {}; expected as many.",
                                       source_text.name, from.size(), target_text.name, to.size()));
    }
    const VertexFinder left(source_text, "source", source, target, options);
    const VertexFinder right(target_text, "target", target, source, options);
    std::vector<Marker> markers;
    for (size_t i = 0; i < from.size(); ++i) {
        markers.push_back({vertex_of(left, from[i]), vertex_of(right, to[i]), from[i].line});
    }
    return markers;
}

std::vector<Marker> require_holdable(std::vector<Marker> markers, const TriangleMesh& source,
                                     const TriangleMesh& target) {
    const std::vector<char> used = used_vertices(source);
    std::map<int, Marker> by_source;
    std::map<int, Marker> by_target;
    std::vector<Marker> kept;
    for (const Marker& marker : markers) {
        if (!used.at(static_cast<size_t>(marker.source))) {
            log_warning(
                fmt::format("Marker {} names a source vertex of no triangle; it is left "
                            "out.",
                            pair_text(marker)));
            continue;
        }
        const auto [earlier, is_new] = by_source.emplace(marker.source, marker);
        if (!is_new && !adds(marker, earlier->second, target)) continue;
        const auto [other, is_new_target] = by_target.emplace(marker.target, marker);
        if (!is_new_target) {
            log_warning(
                fmt::format("Markers {} and {} put two source vertices at one target "
                            "vertex.",
                            pair_text(other->second), pair_text(marker)));
        }
        kept.push_back(marker);
    }
    return kept;
}

}  // namespace toile
