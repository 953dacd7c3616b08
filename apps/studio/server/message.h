// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/error.h"
#include "toile/core/types.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace toile::studio {

using Json = nlohmann::ordered_json;

/// A request that is wrong in itself: a key is missing or of another kind, a name is unknown.
class UsageError : public Error {
  public:
    using Error::Error;
};

/// What is asked for cannot begin before something else has ended.
class Busy : public Error {
  public:
    using Error::Error;
};

/// A binary answer in the making: a JSON header and arrays of 32-bit numbers, little-endian. `add`
/// appends an array and returns what the header says of it; offsets count from the payload's start.
class BinaryMessage {
  public:
    Json header = Json::object();

    Json add(std::span<const float> values);
    Json add(std::span<const std::uint32_t> values);
    Json add_numbers(std::span<const double> values);       ///< rounded to float32
    Json add_points(std::span<const Vec3> points);          ///< 3 n numbers, rounded to float32
    Json add_triangles(std::span<const Triangle> triples);  ///< 3 n numbers

    /// The whole message; `header` with `id` put before its own keys.
    [[nodiscard]] std::string bytes(const Json& id) const;

  private:
    std::string payload_;
};

/// Said by a handler that answers afterwards, through Request::responder.
struct Later {};

/// JSON that is text already, as a file of it.
struct JsonText {
    std::string text;
};

using Answer = std::variant<Json, JsonText, BinaryMessage, Later>;

/// As text; what is not UTF-8 (a file's name) is replaced.
std::string json_text(const Json& json);

/// `{"message": ..., "kind": ...}` of an exception.
Json error_json(const std::exception& error);

}  // namespace toile::studio
