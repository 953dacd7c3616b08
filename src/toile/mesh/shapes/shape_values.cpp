// SPDX-License-Identifier: Apache-2.0
#include "toile/mesh/shapes/shape_values.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"
#include "toile/mesh/transform.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace toile {
namespace {

size_t list_size(const ShapeParameter& parameter) {
    return std::get<std::vector<double>>(parameter.default_value).size();
}

std::string expectation(const ShapeParameter& parameter) {
    switch (parameter.kind) {
        case ParameterKind::Number:
            return "a number";
        case ParameterKind::Count:
            return "a whole number";
        case ParameterKind::Numbers:
            return fmt::format("{} numbers", list_size(parameter));
        case ParameterKind::Counts:
            return fmt::format("{} whole numbers, or one for all", list_size(parameter));
        case ParameterKind::Choice:
            return fmt::format("one of {}", fmt::join(parameter.choices, ", "));
    }
    return {};
}

std::string found_text(const ShapeValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
        return fmt::format("({})", fmt::join(*list, ", "));
    }
    return fmt::format("'{}'", std::get<std::string>(value));
}

[[noreturn]] void refuse(const ShapeParameter& parameter, const ShapeValue& found) {
    const auto* word = std::get_if<std::string>(&found);
    throw InvalidInput(fmt::format("'{}' must be {}; found {}.{}", parameter.name,
                                   expectation(parameter), found_text(found),
                                   word ? did_you_mean(*word, parameter.choices) : ""));
}

bool is_count(double value) {
    return value == std::floor(value) && std::abs(value) <= std::numeric_limits<int>::max();
}

bool is_list_of(const ShapeParameter& parameter, const ShapeValue& value, bool (*accepts)(double)) {
    const auto* list = std::get_if<std::vector<double>>(&value);
    return list && list->size() == list_size(parameter) &&
           std::all_of(list->begin(), list->end(), accepts);
}

bool is_finite(double value) {
    return std::isfinite(value);
}

bool is_of_kind(const ShapeParameter& parameter, const ShapeValue& value) {
    const auto* number = std::get_if<double>(&value);
    const auto* word = std::get_if<std::string>(&value);
    switch (parameter.kind) {
        case ParameterKind::Number:
            return number && std::isfinite(*number);
        case ParameterKind::Count:
            return number && is_count(*number);
        case ParameterKind::Numbers:
            return is_list_of(parameter, value, is_finite);
        case ParameterKind::Counts:
            return is_list_of(parameter, value, is_count);
        case ParameterKind::Choice:
            return word &&
                   std::count(parameter.choices.begin(), parameter.choices.end(), *word) > 0;
    }
    return false;
}

/// The value, one count repeated for all; refused unless it is of the parameter's kind.
ShapeValue checked(const ShapeParameter& parameter, ShapeValue value) {
    if (parameter.kind == ParameterKind::Counts) {
        if (const auto* one = std::get_if<double>(&value)) {
            value = std::vector<double>(list_size(parameter), *one);
        }
    }
    if (!is_of_kind(parameter, value)) refuse(parameter, value);
    return value;
}

double parse_number(const ShapeParameter& parameter, std::string_view word,
                    const std::string& text) {
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) refuse(parameter, text);
    return value;
}

std::vector<double> parse_list(const ShapeParameter& parameter, const std::string& text) {
    std::vector<double> values;
    size_t begin = 0;
    while (true) {
        const size_t end = text.find_first_of(",x", begin);
        values.push_back(
            parse_number(parameter, std::string_view(text).substr(begin, end - begin), text));
        if (end == std::string::npos) return values;
        begin = end + 1;
    }
}

}  // namespace

ShapeValue parse_shape_value(const ShapeParameter& parameter, const std::string& text) {
    if (parameter.kind == ParameterKind::Choice) return checked(parameter, text);
    std::vector<double> values = parse_list(parameter, text);
    if (values.size() == 1) return checked(parameter, values.front());
    return checked(parameter, std::move(values));
}

std::string shape_value_text(const ShapeParameter& parameter, const ShapeValue& value) {
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    if (const auto* word = std::get_if<std::string>(&value)) return *word;
    const char* separator = parameter.kind == ParameterKind::Counts ? "x" : ",";
    return fmt::format("{}", fmt::join(std::get<std::vector<double>>(value), separator));
}

namespace detail {

ShapeValues::ShapeValues(const ShapeDescription& shape, const ShapeParameters& given)
    : shape_(shape) {
    for (const ShapeParameter& parameter : shape.parameters) {
        values_[parameter.name] = parameter.default_value;
    }
    for (const auto& [name, value] : given) {
        values_[name] = checked(find_parameter(shape, name), value);
    }
}

double ShapeValues::number(const std::string& name) const {
    return std::get<double>(values_.at(name));
}

double ShapeValues::degrees_as_radians(const std::string& name) const {
    return radians(number(name));
}

int ShapeValues::count(const std::string& name) const {
    return static_cast<int>(number(name));
}

int ShapeValues::count(const std::string& name, int index) const {
    return static_cast<int>(list(name)[index]);
}

Vec3 ShapeValues::point(const std::string& name) const {
    const auto& values = list(name);
    return {values[0], values[1], values[2]};
}

int ShapeValues::choice(const std::string& name) const {
    const auto& choices = find_parameter(shape_, name).choices;
    const auto& word = std::get<std::string>(values_.at(name));
    return static_cast<int>(std::find(choices.begin(), choices.end(), word) - choices.begin());
}

const std::vector<double>& ShapeValues::list(const std::string& name) const {
    return std::get<std::vector<double>>(values_.at(name));
}

}  // namespace detail
}  // namespace toile
