// SPDX-License-Identifier: Apache-2.0
#include "toile/core/hash.h"

#include <fmt/format.h>

namespace toile {

Hash& Hash::add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) {
        value_ ^= static_cast<std::uint64_t>(byte);
        value_ *= 0x100000001b3ULL;
    }
    return *this;
}

std::string Hash::hex() const {
    return fmt::format("{:016x}", value_);
}

}  // namespace toile
