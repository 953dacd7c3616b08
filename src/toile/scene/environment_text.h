// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// A line of a text file, without its end.
struct TextLine {
    int number = 0;  ///< from 1
    std::string text;

    /// Begins with something else than a letter or a digit; so does an empty line.
    [[nodiscard]] bool is_comment() const;
    /// In lower case, up to the first character that is neither letter nor digit.
    [[nodiscard]] std::string first_word() const;
};

/// A number and the first word between it and the one before, in lower case; empty where there is
/// none.
struct LabelledNumber {
    int line = 0;
    double value = 0;
    std::string label;
};

/// A value that stands after a label on a line of its own.
struct LabelledValue {
    int line = 0;
    std::vector<double> numbers;
};

/// What a file must say, in this order.
struct ValueLabel {
    std::string word;  ///< in lower case; the line begins with it, whatever the case
    int n_numbers = 1;
};

/// One of the text files of an `environment` folder [Manen10, §2.3.1]: made to be written by hand,
/// so that words around the numbers are skipped, but what is said must be said in order.
class EnvironmentText {
  public:
    /// Throws IoError where the file cannot be read.
    explicit EnvironmentText(const std::filesystem::path& path);
    EnvironmentText(std::string_view text, const std::filesystem::path& path);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const std::vector<TextLine>& lines() const { return lines_; }

    /// The values of all labels. Lines of other words, and lines without a number, are comments.
    /// Throws InvalidInput, naming file and line, where a label is missing, misspelt, twice there
    /// or out of order, or has another count of numbers.
    [[nodiscard]] std::vector<LabelledValue> values(const std::vector<ValueLabel>& labels) const;
    /// All numbers from the first line on that begins with `first_label`.
    [[nodiscard]] std::vector<LabelledNumber> numbers(const std::string& first_label) const;

    [[noreturn]] void fail(int line, const std::string& message) const;
    [[nodiscard]] std::string place(int line) const;  ///< `file:line`

  private:
    void split(std::string_view text);
    [[nodiscard]] int label_of(const TextLine& line, const std::vector<std::string>& words) const;
    [[nodiscard]] LabelledValue value(const TextLine& line, const ValueLabel& label) const;

    std::filesystem::path path_;
    std::vector<TextLine> lines_;
};

}  // namespace toile
