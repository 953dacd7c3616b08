// SPDX-License-Identifier: Apache-2.0
#include "toile/scene/environment_text.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>

namespace toile {
namespace {

bool is_letter_or_digit(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

/// Pieces between white space, commas and the brackets that may stand round a vector.
std::vector<std::string_view> pieces_of(std::string_view text) {
    constexpr std::string_view kBetween = " \t,;:=()[]{}";
    std::vector<std::string_view> pieces;
    while (true) {
        const size_t begin = text.find_first_not_of(kBetween);
        if (begin == std::string_view::npos) return pieces;
        const size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
        pieces.push_back(text.substr(begin, end - begin));
        text.remove_prefix(end);
    }
}

bool looks_like_number(std::string_view piece) {
    const char first = piece.front();
    const bool is_signed = first == '-' || first == '+' || first == '.';
    const char digit = is_signed && piece.size() > 1 ? piece[1] : first;
    return std::isdigit(static_cast<unsigned char>(digit)) != 0 || (is_signed && digit == '.');
}

/// Nothing where the piece is no finite number.
std::optional<double> number_in(std::string_view piece) {
    if (piece.front() == '+') piece.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), value);
    const bool whole = error == std::errc() && end == piece.data() + piece.size();
    return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Whether a line goes on with numbers, as `-0.1 0 0` or `(0, 0, 1)`.
bool begins_with_numbers(std::string_view text) {
    const auto pieces = pieces_of(text);
    return !pieces.empty() && looks_like_number(pieces.front());
}

/// What stands after the label: behind the last colon, or behind the label's brackets and words.
std::string_view after_label(std::string_view text) {
    for (const char mark : {':', ')'}) {
        const size_t at = text.rfind(mark);
        if (at != std::string_view::npos) return text.substr(at + 1);
    }
    return text;
}

}  // namespace

bool TextLine::is_comment() const {
    const size_t first = text.find_first_not_of(" \t");
    return first == std::string::npos || !is_letter_or_digit(text[first]);
}

std::string TextLine::first_word() const {
    const size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = std::find_if_not(begin, text.end(), is_letter_or_digit);
    return lower_case({begin, end});
}

EnvironmentText::EnvironmentText(const std::filesystem::path& path) : path_(path) {
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path)) {
        throw IoError(fmt::format("{}: The file cannot be opened.", path.string()));
    }
    std::ostringstream text;
    text << in.rdbuf();
    split(text.str());
}

EnvironmentText::EnvironmentText(std::string_view text, const std::filesystem::path& path)
    : path_(path) {
    split(text);
}

void EnvironmentText::split(std::string_view text) {
    int number = 0;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines_.push_back({++number, std::string(line)});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

std::string EnvironmentText::place(int line) const {
    return fmt::format("{}:{}", path_.string(), line);
}

void EnvironmentText::fail(int line, const std::string& message) const {
    throw InvalidInput(fmt::format("{}: {}", place(line), message));
}

LabelledValue EnvironmentText::value(const TextLine& line, const ValueLabel& label) const {
    LabelledValue value = {line.number, {}};
    for (const std::string_view piece : pieces_of(after_label(line.text))) {
        if (!looks_like_number(piece)) continue;
        const auto number = number_in(piece);
        if (!number) fail(line.number, fmt::format("'{}' is not a finite number.", piece));
        value.numbers.push_back(*number);
    }
    if (value.numbers.empty()) return value;
    if (value.numbers.size() != static_cast<size_t>(label.n_numbers)) {
        fail(line.number, fmt::format("'{}' is followed by {} numbers; expected {}.", label.word,
                                      value.numbers.size(), label.n_numbers));
    }
    return value;
}

/// Which label a line begins with, or -1; throws where it is nearly one.
int EnvironmentText::label_of(const TextLine& line, const std::vector<std::string>& words) const {
    if (line.is_comment() || line.text.find(':') == std::string::npos) return -1;
    const std::string word = line.first_word();
    const auto found = std::find(words.begin(), words.end(), word);
    if (found != words.end()) return static_cast<int>(found - words.begin());
    const std::string hint = did_you_mean(word, words);
    if (!hint.empty()) fail(line.number, fmt::format("The line begins with '{}'.{}", word, hint));
    return -1;
}

std::vector<LabelledValue> EnvironmentText::values(const std::vector<ValueLabel>& labels) const {
    std::vector<std::string> words;
    for (const ValueLabel& label : labels) words.push_back(label.word);
    std::vector<LabelledValue> values;
    int last = 1;
    for (const TextLine& line : lines_) {
        const int label = label_of(line, words);
        if (label < 0) continue;
        LabelledValue found = value(line, labels[label]);
        if (found.numbers.empty()) continue;  // a comment about it
        if (label != static_cast<int>(values.size())) {
            const bool all = values.size() == labels.size();
            fail(line.number, fmt::format("Found '{}', expected {}; the order is {}.", words[label],
                                          all ? "nothing more" : "'" + words[values.size()] + "'",
                                          fmt::join(words, ", ")));
        }
        values.push_back(std::move(found));
        last = line.number;
    }
    if (values.size() == labels.size()) return values;
    fail(last, fmt::format("After this line the file has no value of '{}'; expected lines that "
                           "begin with {}, in this order, each with a colon and its value.",
                           words[values.size()], fmt::join(words, ", ")));
}

std::vector<LabelledNumber> EnvironmentText::numbers(const std::string& first_label) const {
    std::vector<LabelledNumber> numbers;
    std::string label;
    bool has_begun = false;
    for (const TextLine& line : lines_) {
        if (line.is_comment() && !begins_with_numbers(line.text)) continue;
        has_begun = has_begun || line.first_word() == first_label;
        if (!has_begun) continue;
        for (const std::string_view piece : pieces_of(line.text)) {
            if (!looks_like_number(piece)) {
                if (label.empty()) label = TextLine{line.number, std::string(piece)}.first_word();
                continue;
            }
            const auto number = number_in(piece);
            if (!number) fail(line.number, fmt::format("'{}' is not a finite number.", piece));
            numbers.push_back({line.number, *number, label});
            label.clear();
        }
    }
    return numbers;
}

}  // namespace toile
