// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/io/ply_header.h"
#include "toile/io/text_cursor.h"

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace toile {

/// The values of a PLY file after its header, one after the other, from an ASCII file: each row on
/// a line of its own. Same interface as PlyBinaryBody, so that one reader template serves both.
class PlyAsciiBody {
  public:
    PlyAsciiBody(std::string_view bytes, const PlyHeader& header, const std::string& file_name);

    /// Throws where `element.count` rows cannot stand in the bytes that are left.
    void check_count(const PlyElement& element) const;
    void begin_row(const PlyElement& element);
    double value(PlyType type);
    void check_list(std::uint64_t length, PlyType type) const;
    void end_row();
    [[noreturn]] void fail(const std::string& message) const;

  private:
    std::string_view bytes_;
    TextCursor cursor_;
};

/// As PlyAsciiBody, from a binary file.
class PlyBinaryBody {
  public:
    PlyBinaryBody(std::string_view bytes, const PlyHeader& header, const std::string& file_name);

    void check_count(const PlyElement& element) const;
    void begin_row(const PlyElement&) {}
    double value(PlyType type);
    void check_list(std::uint64_t length, PlyType type) const;
    void end_row() {}
    [[noreturn]] void fail(const std::string& message) const;

  private:
    [[nodiscard]] std::uint64_t bytes_left() const { return bytes_.size() - at_; }

    std::string_view bytes_;
    std::endian order_;
    const std::string& file_name_;
    size_t at_;
    size_t last_ = 0;  // where the value read last began
};

}  // namespace toile
