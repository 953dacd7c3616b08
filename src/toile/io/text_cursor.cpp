// SPDX-License-Identifier: Apache-2.0
#include "toile/io/text_cursor.h"

#include "toile/core/error.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace toile {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view without_plus(std::string_view word) {
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
    return plus ? word.substr(1) : word;
}

// from_chars says "out of range" for both ends: a number below 1 in writing is too small.
bool is_tiny(std::string_view word) {
    if (word.find_first_of("eE") != std::string_view::npos) {
        return word.find("e-") != std::string_view::npos ||
               word.find("E-") != std::string_view::npos;
    }
    return word.find_first_of("123456789") > word.find('.');
}

}  // namespace

std::optional<double> parse_number(std::string_view word) {
    word = without_plus(word);
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size()) return std::nullopt;
    if (error == std::errc()) return value;
    if (error != std::errc::result_out_of_range) return std::nullopt;
    return is_tiny(word) ? 0.0 : std::numeric_limits<double>::infinity();
}

std::optional<long long> parse_integer(std::string_view word) {
    word = without_plus(word);
    long long value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
}

std::string quoted(std::string_view word) {
    if (word.empty()) return "nothing";
    constexpr size_t kLongest = 40;
    std::string text = "'";
    for (const char c : word.substr(0, kLongest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte >= 0x7F) {
            text += fmt::format("\\x{:02x}", byte);
        } else {
            text += c;
        }
    }
    return text + (word.size() > kLongest ? "...'" : "'");
}

TextCursor::TextCursor(std::string_view text, std::string_view name, Continuations continuations)
    : begin_(text.data()),
      at_(text.data()),
      end_(text.data() + text.size()),
      name_(name),
      continuations_(continuations == Continuations::Yes) {
    if (text.starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
    if (text.find('\n') == std::string_view::npos) newline_ = '\r';
}

bool TextCursor::next_line() {
    if (started_) {
        const void* const found = std::memchr(at_, newline_, static_cast<size_t>(end_ - at_));
        if (!found) {
            at_ = end_;
            return false;
        }
        at_ = static_cast<const char*>(found) + 1;
    }
    started_ = true;
    if (at_ == end_) return false;
    ++line_;
    return true;
}

std::string_view TextCursor::word_before_continuation(std::string_view word) {
    const char* const reached = at_;
    at_ = word.data() + word.size() - 1;
    if (skip_continuation()) return word.substr(0, word.size() - 1);
    at_ = reached;
    return word;
}

void TextCursor::skip_blanks() {
    while (true) {
        while (at_ != end_ && is_blank(*at_)) ++at_;
        if (!continuations_ || !skip_continuation()) return;
    }
}

bool TextCursor::skip_continuation() {
    if (at_ == end_ || *at_ != '\\') return false;
    const char* next = at_ + 1;
    while (next != end_ && is_blank(*next)) ++next;
    if (next == end_ || *next != newline_) return false;
    at_ = next + 1;
    ++line_;
    return true;
}

std::string_view TextCursor::rest_of_line() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    const char* const begin = at_;
    const void* const found = std::memchr(at_, newline_, static_cast<size_t>(end_ - at_));
    at_ = found ? static_cast<const char*>(found) : end_;
    const char* last = at_;
    while (last != begin && is_blank(last[-1])) --last;
    return {begin, static_cast<size_t>(last - begin)};
}

std::string_view TextCursor::word_anywhere() {
    if (!started_ && !next_line()) return {};
    while (true) {
        const std::string_view found = word();
        if (!found.empty() || !next_line()) return found;
    }
}

double TextCursor::number(std::string_view what) {
    const std::string_view text = word();
    const std::optional<double> value = parse_number(text);
    if (!value) fail(fmt::format("expected {} (a number), found {}.", what, quoted(text)));
    if (!std::isfinite(*value)) {
        fail(fmt::format("expected {} (a finite number), found {}.", what, quoted(text)));
    }
    return *value;
}

long long TextCursor::integer(std::string_view what) {
    const std::string_view text = word();
    const std::optional<long long> value = parse_integer(text);
    if (!value) fail(fmt::format("expected {} (a whole number), found {}.", what, quoted(text)));
    return *value;
}

void TextCursor::fail_at(int line, const std::string& message) const {
    throw InvalidInput(fmt::format("{}:{}: {}", name_, line, message));
}

}  // namespace toile
