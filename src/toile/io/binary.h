// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace toile {

/// The float32 nearest to `value`. Throws InvalidInput where it is beyond float32; `format` says in
/// the message what asked for it.
float to_float32(double value, std::string_view format);

/// The value whose bytes, in the given order, stand at `bytes` (any alignment).
template <class T>
T load_value(const char* bytes, std::endian order) {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes, sizeof(T));
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
}

/// Writes the bytes of a value at `out_bytes`, by default least significant first.
template <class T>
void store_value(T value, char* out_bytes, std::endian order = std::endian::little) {
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    std::memcpy(out_bytes, raw.data(), sizeof(T));
}

/// Appends the bytes of a value, by default least significant first.
template <class T>
void append_value(T value, std::string& out, std::endian order = std::endian::little) {
    std::array<char, sizeof(T)> raw;
    store_value(value, raw.data(), order);
    out.append(raw.data(), raw.size());
}

}  // namespace toile
