// SPDX-License-Identifier: Apache-2.0
#include "toile/io/float_points.h"

#include "toile/core/error.h"
#include "toile/io/binary.h"

#include <fmt/format.h>

namespace toile {

void decode_float_points(std::string_view bytes, std::endian order, const FramePlace& place,
                         std::span<Vec3> out_positions) {
    if (bytes.size() < kFloatPointBytes * out_positions.size()) {
        throw InvalidInput(
            fmt::format("{}: byte {}: the file ends within frame {}.", place.file_name,
                        place.offset + static_cast<long long>(bytes.size()), place.frame));
    }
    const char* at = bytes.data();
    for (size_t v = 0; v < out_positions.size(); ++v) {
        for (double& coordinate : out_positions[v]) {
            coordinate = static_cast<double>(load_value<float>(at, order));
            at += sizeof(float);
        }
        if (out_positions[v].allFinite()) continue;
        throw InvalidInput(fmt::format(
            "{}: byte {}: frame {}, point {}: found ({}, {}, {}); expected finite coordinates.",
            place.file_name, place.offset + static_cast<long long>(kFloatPointBytes * v),
            place.frame, v, out_positions[v].x(), out_positions[v].y(), out_positions[v].z()));
    }
}

void append_float_points(std::span<const Vec3> positions, std::endian order,
                         std::string_view format, std::string& out_bytes) {
    const size_t before = out_bytes.size();
    out_bytes.resize(before + kFloatPointBytes * positions.size());
    char* at = out_bytes.data() + before;
    for (const Vec3& position : positions) {
        for (const double coordinate : position) {
            store_value(to_float32(coordinate, format), at, order);
            at += sizeof(float);
        }
    }
}

}  // namespace toile
