// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace toile {

/// FNV-1a, 64 bits: names content (scene hash, checksum of a state); no defence against an
/// attacker.
class Hash {
  public:
    Hash& add(std::span<const std::byte> bytes);
    template <class T>
    Hash& add_values(std::span<const T> values) {
        return add(std::as_bytes(values));
    }
    Hash& add_text(const std::string& text) { return add_values(std::span<const char>(text)); }

    [[nodiscard]] std::uint64_t value() const { return value_; }
    /// 16 lower-case hexadecimal digits.
    [[nodiscard]] std::string hex() const;

  private:
    std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

}  // namespace toile
