// SPDX-License-Identifier: Apache-2.0
#include "toile/io/numbered.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/file_bytes.h"
#include "toile/io/mesh_file.h"
#include "toile/io/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace toile {
namespace {

namespace fs = std::filesystem;

constexpr int kDefaultWidth = 4;  // of numbers written for `*`
constexpr int kLargestWidth = 18;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The run of digits at the start of `text`, without leading zeros.
std::string_view take_number(std::string_view& text) {
    size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    while (!number.empty() && number[0] == '0') number.remove_prefix(1);
    return number;
}

// -1, 0 or 1; 0 also for numbers that differ in leading zeros only.
int natural_compare(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (is_digit(a[0]) && is_digit(b[0])) {
            const std::string_view m = take_number(a), n = take_number(b);
            if (m.size() != n.size()) return m.size() < n.size() ? -1 : 1;
            if (const int order = m.compare(n); order != 0) return order < 0 ? -1 : 1;
            continue;
        }
        if (a[0] != b[0]) {
            return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]) ? -1 : 1;
        }
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    if (a.empty() && b.empty()) return 0;
    return a.empty() ? -1 : 1;
}

// Where `%d` or `%0Nd` stands in a name and what it says; length 0 for none.
struct NumberField {
    size_t begin = std::string::npos;
    size_t length = 0;
    int width = 0;
    bool any_text = false;
};

std::optional<NumberField> field_at(const std::string& name, size_t at) {
    if (name[at] == '*') return NumberField{at, 1, kDefaultWidth, true};
    if (name[at] != '%') return std::nullopt;
    size_t end = at + 1;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (end == name.size() || name[end] != 'd') return std::nullopt;
    const std::string_view digits = std::string_view(name).substr(at + 1, end - at - 1);
    const long long width = digits.empty() ? 0 : parse_integer(digits).value_or(kLargestWidth + 1);
    if (width > kLargestWidth || (!digits.empty() && digits[0] != '0')) {
        throw InvalidInput(fmt::format(
            "'{}': expected the number as '*', '%d' or '%0Nd' with N up to {}, found '%{}d'.", name,
            kLargestWidth, digits));
    }
    return NumberField{at, end + 1 - at, static_cast<int>(width), false};
}

bool has_field(const std::string& name) {
    for (size_t at = 0; at < name.size(); ++at) {
        if (field_at(name, at)) return true;
    }
    return false;
}

// `a_01.obj` split round its last number; nothing where it has none.
std::optional<std::pair<std::string, std::string>> split_at_last_number(const std::string& name) {
    const size_t stem_end = fs::path(name).stem().string().size();
    size_t end = stem_end;
    while (end > 0 && !is_digit(name[end - 1])) --end;
    if (end == 0) return std::nullopt;
    size_t begin = end;
    while (begin > 0 && is_digit(name[begin - 1])) --begin;
    return std::pair{name.substr(0, begin), name.substr(end)};
}

void report_equal_numbers(const std::vector<std::string>& names) {
    for (size_t i = 1; i < names.size(); ++i) {
        if (natural_compare(names[i - 1], names[i]) != 0) continue;
        log_warning(
            fmt::format("'{}' and '{}' have the same number; both are frames, in this "
                        "order.",
                        names[i - 1], names[i]));
    }
}

// The number that stands in a name for the pattern's; nothing where it is no number of frames.
std::optional<long long> number_in(const NumberedPattern& pattern, const std::string& name) {
    const std::string_view digits = std::string_view(name).substr(
        pattern.before.size(), name.size() - pattern.before.size() - pattern.after.size());
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return {};
    return parse_integer(digits);
}

// Every tenth frame is a sequence too; one that is missing in between is told.
void report_missing_numbers(const NumberedPattern& pattern, const std::vector<std::string>& names) {
    std::vector<long long> numbers;
    for (const std::string& name : names) {
        const std::optional<long long> number = number_in(pattern, name);
        if (!number) return;
        numbers.push_back(*number);
    }
    if (numbers.size() < 3) return;
    long long step = numbers[1] - numbers[0];
    for (size_t i = 2; i < numbers.size(); ++i) step = std::min(step, numbers[i] - numbers[i - 1]);
    if (step <= 0) return;
    for (size_t i = 1; i < numbers.size(); ++i) {
        if (numbers[i] - numbers[i - 1] == step) continue;
        log_warning(
            fmt::format("'{}': number {} is missing; frames are counted without it, so that "
                        "frame {} is '{}'.",
                        pattern.text(), numbers[i - 1] + step, i, names[i]));
        return;
    }
}

// Refuses early, before hours of work.
NumberedPattern require_room(NumberedPattern pattern, const MeshWriteOptions& options) {
    mesh_format_of(pattern.file(0));
    for (const std::string& name : file_names(pattern.folder)) {
        if (options.overwrite || !pattern.matches(name)) continue;
        throw IoError(fmt::format(
            "'{}' exists already and was not touched; say so if it may be overwritten (--force).",
            (pattern.folder / name).string()));
    }
    return pattern;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
    if (const int order = natural_compare(a, b); order != 0) return order < 0;
    return std::pair(a.size(), a) < std::pair(b.size(), b);
}

std::vector<std::string> file_names(const fs::path& folder) {
    const fs::path place = folder.empty() ? fs::path(".") : folder;
    require_existing(place);
    std::error_code failure;
    std::vector<std::string> names;
    for (fs::directory_iterator it(place, failure), end; !failure && it != end;
         it.increment(failure)) {
        std::error_code ignored;
        if (it->is_regular_file(ignored)) names.push_back(it->path().filename().string());
    }
    if (failure) {
        throw IoError(
            fmt::format("Cannot read the folder '{}': {}.", place.string(), failure.message()));
    }
    std::sort(names.begin(), names.end(), natural_less);
    return names;
}

fs::path NumberedPattern::file(int number) const {
    return folder / fmt::format("{}{:0{}}{}", before, number, width, after);
}

bool NumberedPattern::matches(const std::string& name) const {
    if (name.size() < before.size() + after.size() + (any_text ? 0 : 1)) return false;
    if (!name.starts_with(before) || !name.ends_with(after)) return false;
    const auto begin = name.begin() + static_cast<std::ptrdiff_t>(before.size());
    return any_text ||
           std::all_of(begin, name.end() - static_cast<std::ptrdiff_t>(after.size()), is_digit);
}

std::string NumberedPattern::text() const {
    return (folder / (before + "*" + after)).string();
}

std::optional<NumberedPattern> parse_numbered_pattern(const std::string& spec) {
    const fs::path path(spec);
    const std::string name = path.filename().string();
    if (has_field(path.parent_path().string())) {
        throw InvalidInput(fmt::format(
            "'{}': the number of a pattern must stand in the file's name, not in the folder's.",
            spec));
    }
    std::optional<NumberField> found;
    for (size_t at = 0; at < name.size(); ++at) {
        const std::optional<NumberField> field = field_at(name, at);
        if (!field) continue;
        if (found) {
            throw InvalidInput(
                fmt::format("'{}' has more than one number; expected one '*' or '%0Nd'.", spec));
        }
        found = field;
    }
    if (!found) return std::nullopt;
    return NumberedPattern{.folder = path.parent_path(),
                           .before = name.substr(0, found->begin),
                           .after = name.substr(found->begin + found->length),
                           .width = found->width,
                           .any_text = found->any_text};
}

NumberedPattern find_numbered_pattern(const fs::path& folder) {
    std::map<std::pair<std::string, std::string>, int> series;
    for (const std::string& name : file_names(folder)) {
        const auto split = split_at_last_number(name);
        if (split && find_mesh_format(name)) ++series[*split];
    }
    if (series.size() == 1) {
        const auto& [before, after] = series.begin()->first;
        return {.folder = folder, .before = before, .after = after};
    }
    std::string choices;
    for (const auto& [name, count] : series) {
        choices += fmt::format("{}'{}' ({})", choices.empty() ? "" : ", ",
                               (folder / (name.first + "*" + name.second)).string(), count);
    }
    throw InvalidInput(
        series.empty() ? fmt::format("'{}' has no numbered meshes.", folder.string())
                       : fmt::format("'{}' has several series of numbered meshes; say which: {}.",
                                     folder.string(), choices));
}

std::vector<fs::path> find_numbered_files(const NumberedPattern& pattern) {
    std::vector<std::string> names = file_names(pattern.folder);
    std::erase_if(names, [&](const std::string& name) { return !pattern.matches(name); });
    if (names.empty()) throw IoError(fmt::format("No file matches '{}'.", pattern.text()));
    report_equal_numbers(names);
    report_missing_numbers(pattern, names);
    std::vector<fs::path> files;
    for (const std::string& name : names) files.push_back(pattern.folder / name);
    return files;
}

NumberedSource::NumberedSource(std::vector<fs::path> files) : files_(std::move(files)) {
    if (files_.empty()) throw InvalidInput("A sequence of numbered meshes needs a file.");
    mesh_ = read_mesh(files_[0]);
}

bool NumberedSource::next(std::span<Vec3> out_positions) {
    if (next_ == files_.size()) return false;
    if (out_positions.size() != mesh_.positions.size()) {
        throw InvalidInput(fmt::format("{}: a frame of {} vertices cannot be read into {}.",
                                       files_[next_].string(), mesh_.n_vertices(),
                                       out_positions.size()));
    }
    const TriangleMesh mesh = read_mesh(files_[next_]);
    if (mesh.n_vertices() != mesh_.n_vertices() || mesh.n_triangles() != mesh_.n_triangles()) {
        throw InvalidInput(
            fmt::format("{}: found {} vertices and {} triangles; the first frame, "
                        "{}, has {} and {}.",
                        files_[next_].string(), mesh.n_vertices(), mesh.n_triangles(),
                        files_[0].string(), mesh_.n_vertices(), mesh_.n_triangles()));
    }
    const auto [found, expected] =
        std::mismatch(mesh.triangles.begin(), mesh.triangles.end(), mesh_.triangles.begin());
    if (found != mesh.triangles.end()) {
        throw InvalidInput(fmt::format(
            "{}: triangle {} is ({}, {}, {}); in the first frame, {}, it is ({}, {}, {}).",
            files_[next_].string(), found - mesh.triangles.begin(), (*found)[0], (*found)[1],
            (*found)[2], files_[0].string(), (*expected)[0], (*expected)[1], (*expected)[2]));
    }
    std::copy(mesh.positions.begin(), mesh.positions.end(), out_positions.begin());
    ++next_;
    return true;
}

bool NumberedSource::skip() {
    if (next_ == files_.size()) return false;
    ++next_;
    return true;
}

NumberedSink::NumberedSink(NumberedPattern pattern, TriangleMesh mesh, MeshWriteOptions options)
    : pattern_(require_room(std::move(pattern), options)),
      mesh_(std::move(mesh)),
      options_(std::move(options)),
      hidden_(pattern_.folder, pattern_.before) {}

void NumberedSink::write(std::span<const Vec3> positions) {
    if (positions.size() != mesh_.positions.size()) {
        throw InvalidInput(fmt::format("Frame {} has {} vertices; the mesh of '{}' has {}.",
                                       names_.size(), positions.size(), pattern_.text(),
                                       mesh_.n_vertices()));
    }
    std::copy(positions.begin(), positions.end(), mesh_.positions.begin());
    std::string name = pattern_.file(static_cast<int>(names_.size())).filename().string();
    write_mesh(hidden_.path() / name, mesh_, options_);
    names_.push_back(std::move(name));
}

void NumberedSink::finish() {
    hidden_.bring_out(names_, pattern_.folder.empty() ? fs::path(".") : pattern_.folder,
                      {.overwrite = options_.overwrite});
    int n_old = 0;
    const std::string last = names_.empty() ? std::string() : names_.back();
    for (const std::string& name : file_names(pattern_.folder)) {
        if (pattern_.matches(name) && natural_less(last, name)) ++n_old;
    }
    if (n_old == 0) return;
    log_warning(
        fmt::format("{} files of '{}' from before stand after the {} frames written; who reads "
                    "that name reads them too. Remove them.",
                    n_old, pattern_.text(), names_.size()));
}

}  // namespace toile
