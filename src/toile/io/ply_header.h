// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toile {

enum class PlyType { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };
enum class PlyEncoding { Ascii, LittleEndian, BigEndian };

/// Bytes of one value in a binary file.
size_t size_of(PlyType type);

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::Float32;
    bool is_list = false;
    PlyType count_type = PlyType::Uint8;  ///< of a list
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;  ///< as the header claims; not to be trusted
    std::vector<PlyProperty> properties;

    /// Index of the property, -1 where there is none.
    [[nodiscard]] int find_value(std::string_view property_name) const;
    [[nodiscard]] int find_list(std::string_view property_name) const;
    /// The least bytes that a row takes in a binary file.
    [[nodiscard]] std::uint64_t least_row_bytes() const;
};

struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::Ascii;
    std::vector<PlyElement> elements;
    size_t body_offset = 0;  ///< first byte after the header
    int n_lines = 0;         ///< of the header, `end_header` too
};

/// Throws InvalidInput with file and line.
PlyHeader read_ply_header(std::string_view bytes, const std::string& file_name);

}  // namespace toile
