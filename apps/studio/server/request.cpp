// SPDX-License-Identifier: Apache-2.0
#include "studio/server/request.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace toile::studio {
namespace {

constexpr size_t kMostQuoted = 60;  // letters of a wrong value that a message repeats

std::string quoted(const Json& value) {
    std::string words = json_text(value);
    if (words.size() > kMostQuoted) words = words.substr(0, kMostQuoted) + "...";
    return words;
}

[[noreturn]] void refuse(const Request& request, const std::string& key, const char* expected) {
    const auto found = request.body.find(key);
    if (found == request.body.end()) {
        throw UsageError(fmt::format("'{}' needs '{}', {}.", request.name, key, expected));
    }
    throw UsageError(
        fmt::format("'{}': '{}' is {}; expected {}.", request.name, key, quoted(*found), expected));
}

const Json& value_of(const Request& request, const std::string& key, const char* expected) {
    const auto found = request.body.find(key);
    if (found == request.body.end()) refuse(request, key, expected);
    return *found;
}

bool is_integer(const Json& value) {
    if (!value.is_number_integer()) return false;
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>() <= std::numeric_limits<int>::max();
    }
    const auto number = value.get<std::int64_t>();
    return number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max();
}

bool is_finite_number(const Json& value) {
    return value.is_number() && std::isfinite(value.get<double>());
}

}  // namespace

bool Request::has(const std::string& key) const {
    const auto found = body.find(key);
    return found != body.end() && !found->is_null();
}

int Request::integer(const std::string& key) const {
    constexpr const char* kExpected = "a whole number";
    const Json& value = value_of(*this, key, kExpected);
    if (!is_integer(value)) refuse(*this, key, kExpected);
    return value.get<int>();
}

double Request::number(const std::string& key) const {
    constexpr const char* kExpected = "a number";
    const Json& value = value_of(*this, key, kExpected);
    if (!is_finite_number(value)) refuse(*this, key, kExpected);
    return value.get<double>();
}

std::string Request::text(const std::string& key) const {
    constexpr const char* kExpected = "a text";
    const Json& value = value_of(*this, key, kExpected);
    if (!value.is_string()) refuse(*this, key, kExpected);
    return value.get<std::string>();
}

bool Request::flag(const std::string& key) const {
    if (!has(key)) return false;
    if (!body.at(key).is_boolean()) refuse(*this, key, "true or false");
    return body.at(key).get<bool>();
}

Vec3 Request::vector(const std::string& key) const {
    constexpr const char* kExpected = "a list of three numbers";
    const Json& value = value_of(*this, key, kExpected);
    if (!value.is_array() || value.size() != 3) refuse(*this, key, kExpected);
    for (const Json& part : value) {
        if (!is_finite_number(part)) refuse(*this, key, kExpected);
    }
    return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

std::vector<int> Request::integers(const std::string& key) const {
    constexpr const char* kExpected = "a list of whole numbers";
    const Json& value = value_of(*this, key, kExpected);
    if (!value.is_array()) refuse(*this, key, kExpected);
    std::vector<int> numbers;
    numbers.reserve(value.size());
    for (const Json& part : value) {
        if (!is_integer(part)) refuse(*this, key, kExpected);
        numbers.push_back(part.get<int>());
    }
    return numbers;
}

std::vector<std::string> Request::texts(const std::string& key) const {
    if (!has(key)) return {};
    constexpr const char* kExpected = "a list of texts";
    const Json& value = body.at(key);
    if (!value.is_array()) refuse(*this, key, kExpected);
    std::vector<std::string> words;
    for (const Json& part : value) {
        if (!part.is_string()) refuse(*this, key, kExpected);
        words.push_back(part.get<std::string>());
    }
    return words;
}

std::optional<int> Request::integer_if(const std::string& key) const {
    return has(key) ? std::optional(integer(key)) : std::nullopt;
}

std::optional<double> Request::number_if(const std::string& key) const {
    return has(key) ? std::optional(number(key)) : std::nullopt;
}

std::optional<std::string> Request::text_if(const std::string& key) const {
    return has(key) ? std::optional(text(key)) : std::nullopt;
}

}  // namespace toile::studio
