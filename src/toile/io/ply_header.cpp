// SPDX-License-Identifier: Apache-2.0
#include "toile/io/ply_header.h"

#include "toile/core/error.h"
#include "toile/core/near_miss.h"
#include "toile/io/text_cursor.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace toile {
namespace {

struct TypeName {
    std::string_view name;
    PlyType type;
};

constexpr std::array kTypeNames = {
    TypeName{"char", PlyType::Int8},      TypeName{"int8", PlyType::Int8},
    TypeName{"uchar", PlyType::Uint8},    TypeName{"uint8", PlyType::Uint8},
    TypeName{"short", PlyType::Int16},    TypeName{"int16", PlyType::Int16},
    TypeName{"ushort", PlyType::Uint16},  TypeName{"uint16", PlyType::Uint16},
    TypeName{"int", PlyType::Int32},      TypeName{"int32", PlyType::Int32},
    TypeName{"uint", PlyType::Uint32},    TypeName{"uint32", PlyType::Uint32},
    TypeName{"float", PlyType::Float32},  TypeName{"float32", PlyType::Float32},
    TypeName{"double", PlyType::Float64}, TypeName{"float64", PlyType::Float64},
};

const std::vector<std::string> kKeywords = {"format", "comment", "element", "property",
                                            "end_header"};
constexpr std::string_view kEndHeader = "end_header";

// The header as text and where the body begins; the line end after `end_header` is that of the
// first line, since a binary body may begin with a byte that looks like one.
struct HeaderText {
    std::string_view text;
    size_t body_offset;
};

bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

HeaderText find_header(std::string_view bytes, const std::string& file_name) {
    if (!bytes.starts_with("ply") || bytes.size() < 4 || !is_line_end(bytes[3])) {
        throw InvalidInput(fmt::format("{}:1: expected the line 'ply', found {}.", file_name,
                                       quoted(bytes.substr(0, 8))));
    }
    const bool carriage_returns = bytes[3] == '\r' && (bytes.size() < 5 || bytes[4] != '\n');
    for (size_t at = bytes.find(kEndHeader); at != std::string_view::npos;
         at = bytes.find(kEndHeader, at + 1)) {
        size_t end = at + kEndHeader.size();
        if (!is_line_end(bytes[at - 1]) || (end < bytes.size() && !is_line_end(bytes[end]))) {
            continue;
        }
        const HeaderText header{bytes.substr(0, end), end};
        if (!carriage_returns && end < bytes.size() && bytes[end] == '\r') ++end;
        return {header.text, std::min(end + 1, bytes.size())};
    }
    throw InvalidInput(
        fmt::format("{}: byte {}: the file ends; its header has no line 'end_header'.", file_name,
                    bytes.size()));
}

class HeaderReader {
  public:
    HeaderReader(const HeaderText& header, const std::string& file_name)
        : cursor_(header.text, file_name) {
        header_.body_offset = header.body_offset;
    }

    PlyHeader read() {
        while (cursor_.next_line()) line(cursor_.word());
        header_.n_lines = cursor_.line();
        if (!has_format_) cursor_.fail("the header has no line 'format'.");
        return std::move(header_);
    }

  private:
    void line(std::string_view keyword) {
        if (keyword == "format") return format();
        if (keyword == "element") return element();
        if (keyword == "property") return property();
        if (keyword.empty() || keyword == "comment" || keyword == "obj_info") return;
        if (keyword == "ply" && cursor_.line() == 1) return;
        if (keyword == kEndHeader) return;
        cursor_.fail(fmt::format(
            "expected 'format', 'comment', 'element', 'property' or 'end_header', found {}.{}",
            quoted(keyword), did_you_mean(keyword, kKeywords)));
    }

    void format() {
        const std::string_view word = cursor_.word();
        if (word == "ascii") {
            header_.encoding = PlyEncoding::Ascii;
        } else if (word == "binary_little_endian") {
            header_.encoding = PlyEncoding::LittleEndian;
        } else if (word == "binary_big_endian") {
            header_.encoding = PlyEncoding::BigEndian;
        } else {
            cursor_.fail(fmt::format(
                "expected 'ascii', 'binary_little_endian' or 'binary_big_endian', found {}.",
                quoted(word)));
        }
        if (const std::string_view version = cursor_.word(); version != "1.0") {
            cursor_.fail(fmt::format("expected the version 1.0, found {}.", quoted(version)));
        }
        has_format_ = true;
    }

    void element() {
        PlyElement element;
        element.name = cursor_.word();
        if (element.name.empty()) cursor_.fail("expected the name of an element, found nothing.");
        const long long count = cursor_.integer(fmt::format("the count of '{}'", element.name));
        if (count < 0) {
            cursor_.fail(fmt::format("element '{}' has the count {}.", element.name, count));
        }
        for (const PlyElement& other : header_.elements) {
            if (other.name != element.name) continue;
            cursor_.fail(fmt::format("element '{}' is declared twice.", element.name));
        }
        element.count = static_cast<std::uint64_t>(count);
        header_.elements.push_back(std::move(element));
    }

    void property() {
        if (header_.elements.empty()) cursor_.fail("a property stands before the first element.");
        PlyProperty property;
        std::string_view word = cursor_.word();
        if (word == "list") {
            property.is_list = true;
            property.count_type = type(cursor_.word());
            if (property.count_type >= PlyType::Float32) {
                cursor_.fail("the count of a list is a float; expected a whole type.");
            }
            word = cursor_.word();
        }
        property.type = type(word);
        property.name = cursor_.word();
        if (property.name.empty()) cursor_.fail("expected the name of a property, found nothing.");
        header_.elements.back().properties.push_back(std::move(property));
    }

    PlyType type(std::string_view word) {
        std::vector<std::string> known;
        for (const TypeName& entry : kTypeNames) {
            if (entry.name == word) return entry.type;
            known.emplace_back(entry.name);
        }
        cursor_.fail(
            fmt::format("expected a type, found {}.{}", quoted(word), did_you_mean(word, known)));
    }

    TextCursor cursor_;
    PlyHeader header_;
    bool has_format_ = false;
};

int find_property(const PlyElement& element, std::string_view name, bool is_list) {
    for (size_t i = 0; i < element.properties.size(); ++i) {
        const PlyProperty& property = element.properties[i];
        if (property.name == name && property.is_list == is_list) return static_cast<int>(i);
    }
    return -1;
}

}  // namespace

size_t size_of(PlyType type) {
    constexpr std::array<size_t, 8> kSizes = {1, 1, 2, 2, 4, 4, 4, 8};
    return kSizes[static_cast<size_t>(type)];
}

int PlyElement::find_value(std::string_view property_name) const {
    return find_property(*this, property_name, false);
}

int PlyElement::find_list(std::string_view property_name) const {
    return find_property(*this, property_name, true);
}

std::uint64_t PlyElement::least_row_bytes() const {
    std::uint64_t bytes = 0;
    for (const PlyProperty& property : properties) {
        bytes += size_of(property.is_list ? property.count_type : property.type);
    }
    return bytes;
}

PlyHeader read_ply_header(std::string_view bytes, const std::string& file_name) {
    return HeaderReader(find_header(bytes, file_name), file_name).read();
}

}  // namespace toile
