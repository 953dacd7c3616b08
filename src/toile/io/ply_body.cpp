// SPDX-License-Identifier: Apache-2.0
#include "toile/io/ply_body.h"

#include "toile/core/error.h"
#include "toile/io/binary.h"

#include <fmt/format.h>

namespace toile {
namespace {

std::string count_message(const PlyElement& element, std::uint64_t least, std::uint64_t left) {
    return fmt::format(
        "the header counts {} rows of element '{}', which need {} bytes or more each; only {} "
        "bytes are left.",
        element.count, element.name, least, left);
}

}  // namespace

PlyAsciiBody::PlyAsciiBody(std::string_view bytes, const PlyHeader& header,
                           const std::string& file_name)
    : bytes_(bytes), cursor_(bytes, file_name) {
    for (int i = 0; i < header.n_lines; ++i) cursor_.next_line();
}

void PlyAsciiBody::check_count(const PlyElement& element) const {
    // A digit and a blank or line end for each value; the last line may end without one.
    const std::uint64_t least = 2 * element.properties.size();
    const std::uint64_t left = bytes_.size() - cursor_.offset() + 1;
    if (least > 0 && element.count > left / least) fail(count_message(element, least, left - 1));
}

void PlyAsciiBody::begin_row(const PlyElement& element) {
    if (element.properties.empty()) return;
    do {
        if (!cursor_.next_line()) {
            fail(fmt::format("the file ends within its {} rows of element '{}'.", element.count,
                             element.name));
        }
    } while (cursor_.at_end_of_line());
}

double PlyAsciiBody::value(PlyType) {
    const std::string_view word = cursor_.word();
    const std::optional<double> number = parse_number(word);
    if (!number) fail(fmt::format("expected a number, found {}.", quoted(word)));
    return *number;
}

void PlyAsciiBody::check_list(std::uint64_t length, PlyType) const {
    const std::uint64_t left = bytes_.size() - cursor_.offset();
    if (length > left) {
        fail(fmt::format("a list of {} values begins, but only {} bytes are left.", length, left));
    }
}

void PlyAsciiBody::end_row() {
    if (cursor_.at_end_of_line()) return;
    fail(fmt::format("expected the end of the row, found {}.", quoted(cursor_.word())));
}

void PlyAsciiBody::fail(const std::string& message) const {
    cursor_.fail(message);
}

PlyBinaryBody::PlyBinaryBody(std::string_view bytes, const PlyHeader& header,
                             const std::string& file_name)
    : bytes_(bytes),
      order_(header.encoding == PlyEncoding::BigEndian ? std::endian::big : std::endian::little),
      file_name_(file_name),
      at_(header.body_offset),
      last_(header.body_offset) {}

void PlyBinaryBody::check_count(const PlyElement& element) const {
    const std::uint64_t least = element.least_row_bytes();
    if (least > 0 && element.count > bytes_left() / least) {
        fail(count_message(element, least, bytes_left()));
    }
}

double PlyBinaryBody::value(PlyType type) {
    const size_t size = size_of(type);
    last_ = at_;
    if (bytes_left() < size) fail("the file ends within a row.");
    const char* const from = bytes_.data() + at_;
    at_ += size;
    switch (type) {
        case PlyType::Int8:
            return load_value<std::int8_t>(from, order_);
        case PlyType::Uint8:
            return load_value<std::uint8_t>(from, order_);
        case PlyType::Int16:
            return load_value<std::int16_t>(from, order_);
        case PlyType::Uint16:
            return load_value<std::uint16_t>(from, order_);
        case PlyType::Int32:
            return load_value<std::int32_t>(from, order_);
        case PlyType::Uint32:
            return load_value<std::uint32_t>(from, order_);
        case PlyType::Float32:
            return static_cast<double>(load_value<float>(from, order_));
        case PlyType::Float64:
            break;
    }
    return load_value<double>(from, order_);
}

void PlyBinaryBody::check_list(std::uint64_t length, PlyType type) const {
    if (length <= bytes_left() / size_of(type)) return;
    fail(fmt::format("a list of {} values of {} bytes begins, but only {} bytes are left.", length,
                     size_of(type), bytes_left()));
}

void PlyBinaryBody::fail(const std::string& message) const {
    throw InvalidInput(fmt::format("{}: byte {}: {}", file_name_, last_, message));
}

}  // namespace toile
