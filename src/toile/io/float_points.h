// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace toile {

/// Bytes of a point as point caches keep it: x y z as float32.
inline constexpr size_t kFloatPointBytes = 12;

/// Which frame of which file bytes are of, for messages.
struct FramePlace {
    const std::string& file_name;
    int frame = 0;
    long long offset = 0;  ///< of the frame in the file, bytes
};

/// Points of one frame from its 12 n bytes. Throws InvalidInput naming file, byte, frame and point
/// where bytes are missing or a coordinate is not finite.
void decode_float_points(std::string_view bytes, std::endian order, const FramePlace& place,
                         std::span<Vec3> out_positions);

/// Appends the nearest float32 of every coordinate. Throws InvalidInput, naming `format`, where one
/// is beyond float32 or not finite.
void append_float_points(std::span<const Vec3> positions, std::endian order,
                         std::string_view format, std::string& out_bytes);

}  // namespace toile
