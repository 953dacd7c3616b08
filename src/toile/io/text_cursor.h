// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toile {

/// Walks a text in memory, line by line and word by word, and knows its line for messages. Lines
/// end with LF, CR LF or (in a text without any LF) CR; a backslash at the end of a line continues
/// it where `continuations` says so. Nothing is copied: words are views into the text.
class TextCursor {
  public:
    enum class Continuations { No, Yes };
    /// `name` is the file's, for messages.
    TextCursor(std::string_view text, std::string_view name,
               Continuations continuations = Continuations::No);

    /// Goes to the start of the next line; false at the end of the text. Call it before the first
    /// line too.
    bool next_line();
    /// The next word of this line, up to white space; empty at the end of the line.
    std::string_view word() {
        skip_blanks();
        const char* const begin = at_;
        while (at_ != end_ && !is_blank(*at_) && *at_ != newline_) ++at_;
        const std::string_view found(begin, static_cast<size_t>(at_ - begin));
        const bool glued = continuations_ && !found.empty() && found.back() == '\\';
        return glued ? word_before_continuation(found) : found;
    }
    [[nodiscard]] bool at_end_of_line() {
        skip_blanks();
        return at_ == end_ || *at_ == newline_;
    }
    /// What is left of this line, without white space around it and without joining continued
    /// lines.
    std::string_view rest_of_line();
    /// The next word, on this line or a later one; empty at the end of the text.
    std::string_view word_anywhere();

    /// The next word of this line as a finite number; throws where it is none. `what` says in the
    /// message what was expected ("the x coordinate").
    double number(std::string_view what);
    /// As `number`, for a whole number.
    long long integer(std::string_view what);

    /// The line of the last word, from 1.
    [[nodiscard]] int line() const { return line_; }
    /// Bytes before the place reached.
    [[nodiscard]] size_t offset() const { return static_cast<size_t>(at_ - begin_); }

    /// Throws InvalidInput `NAME:LINE: message`.
    [[noreturn]] void fail(const std::string& message) const { fail_at(line_, message); }
    [[noreturn]] void fail_at(int line, const std::string& message) const;

  private:
    [[nodiscard]] bool is_blank(char c) const {
        return c == ' ' || c == '\t' || (c == '\r' && newline_ != '\r') || c == '\v' || c == '\f';
    }
    void skip_blanks();
    bool skip_continuation();
    std::string_view word_before_continuation(std::string_view word);

    const char* begin_;
    const char* at_;
    const char* end_;
    std::string_view name_;
    char newline_ = '\n';
    bool continuations_;
    bool started_ = false;
    int line_ = 0;
};

/// The number a word spells, with an optional sign `+`; nothing where it spells none. What is too
/// small for a double is 0; `nan`, `inf` and what is too large are values that are not finite.
std::optional<double> parse_number(std::string_view word);

/// The whole number a word spells; nothing where it spells none or one beyond 64 bits.
std::optional<long long> parse_integer(std::string_view word);

/// `'word'` for a message: shortened, and with unprintable bytes as \xNN. `nothing` where empty.
std::string quoted(std::string_view word);

}  // namespace toile
