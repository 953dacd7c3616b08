// SPDX-License-Identifier: Apache-2.0
#include "studio/server/message.h"

#include <bit>
#include <cstring>
#include <filesystem>

namespace toile::studio {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are sent as they lie in memory");
static_assert(sizeof(Triangle) == 3 * sizeof(std::uint32_t));

constexpr size_t kNumberBytes = 4;

Json described(const char* type, size_t offset, size_t length) {
    return {{"type", type}, {"offset", offset}, {"length", length}};
}

const char* kind_of(const std::exception& error) {
    if (dynamic_cast<const UsageError*>(&error)) return "usage";
    if (dynamic_cast<const Busy*>(&error)) return "busy";
    if (dynamic_cast<const InvalidInput*>(&error)) return "invalid";
    if (dynamic_cast<const IoError*>(&error)) return "files";
    if (dynamic_cast<const std::filesystem::filesystem_error*>(&error)) return "files";
    if (dynamic_cast<const MissingFeature*>(&error)) return "missing";
    return "failed";
}

std::string words_of(const std::exception& error) {
    if (const auto* files = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
        return "'" + files->path1().string() + "': " + files->code().message() + ".";
    }
    if (dynamic_cast<const std::bad_alloc*>(&error)) return "Out of memory.";
    return error.what();
}

}  // namespace

Json BinaryMessage::add(std::span<const float> values) {
    const size_t offset = payload_.size();
    payload_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    return described("f32", offset, values.size());
}

Json BinaryMessage::add(std::span<const std::uint32_t> values) {
    const size_t offset = payload_.size();
    payload_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    return described("u32", offset, values.size());
}

Json BinaryMessage::add_numbers(std::span<const double> values) {
    const size_t offset = payload_.size();
    payload_.resize(offset + kNumberBytes * values.size());
    char* out = payload_.data() + offset;
    for (const double value : values) {
        const auto rounded = static_cast<float>(value);
        std::memcpy(out, &rounded, kNumberBytes);
        out += kNumberBytes;
    }
    return described("f32", offset, values.size());
}

Json BinaryMessage::add_points(std::span<const Vec3> points) {
    return add_numbers(
        {reinterpret_cast<const double*>(points.data()), static_cast<size_t>(3) * points.size()});
}

Json BinaryMessage::add_triangles(std::span<const Triangle> triples) {
    const size_t offset = payload_.size();
    payload_.append(reinterpret_cast<const char*>(triples.data()), triples.size_bytes());
    return described("u32", offset, 3 * triples.size());
}

std::string BinaryMessage::bytes(const Json& id) const {
    Json whole = {{"id", id}};
    whole.update(header);
    std::string head = json_text(whole);
    head.resize((head.size() + kNumberBytes - 1) / kNumberBytes * kNumberBytes, ' ');
    const auto length = static_cast<std::uint32_t>(head.size());
    std::string message(kNumberBytes, '\0');
    std::memcpy(message.data(), &length, kNumberBytes);
    message.reserve(kNumberBytes + head.size() + payload_.size());
    return message.append(head).append(payload_);
}

std::string json_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json error_json(const std::exception& error) {
    return {{"message", words_of(error)}, {"kind", kind_of(error)}};
}

}  // namespace toile::studio
