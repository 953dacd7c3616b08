// SPDX-License-Identifier: Apache-2.0
#include "fuzz/mutation.h"

#include <algorithm>
#include <array>

namespace toile::test {
namespace {

using namespace std::string_view_literals;

constexpr int kMostChanges = 4;
constexpr size_t kLongestPiece = 64;
constexpr std::array kPieces = {
    "nan"sv,
    "-1"sv,
    "0"sv,
    "4294967295"sv,
    "2147483648"sv,
    "1e999"sv,
    "-1e-999"sv,
    "18446744073709551616"sv,
    "inf"sv,
    "\n"sv,
    "\r\n"sv,
    " "sv,
    "#"sv,
    "/"sv,
    "\\\n"sv,
    "\""sv,
    "[["sv,
    "]"sv,
    "="sv,
    "\xff\xff\xff\x7f"sv,
    "\x7f\xff\xff\xff"sv,
    "\x80\0\0\0"sv,
    "\0\0\0\0"sv,
    "\0\0\xc0\x7f"sv,
    "\x7f\x80\0\0"sv,
    "\xef\xbb\xbf"sv,
};

}  // namespace

std::string Mutation::mutate(std::string bytes, std::string_view other) {
    const size_t n_changes = 1 + below(kMostChanges);
    for (size_t i = 0; i < n_changes; ++i) change(bytes, other);
    return bytes;
}

void Mutation::change(std::string& bytes, std::string_view other) {
    const size_t at = below(bytes.size());
    const size_t length = std::min(1 + below(kLongestPiece), bytes.size() - at);
    const std::string_view piece = kPieces[below(kPieces.size())];
    switch (bytes.empty() ? 3 : below(8)) {
        case 0:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 1:
            bytes[at] = static_cast<char>(random_());
            break;
        case 2:
            bytes.erase(at, length);
            break;
        case 3:
            bytes.insert(at, piece);
            break;
        case 4:
            bytes.replace(at, std::min(piece.size(), bytes.size() - at), piece);
            break;
        case 5:
            bytes.resize(at);
            break;
        case 6:
            repeat(bytes);
            break;
        default:
            splice(bytes, other);
            break;
    }
}

void Mutation::repeat(std::string& bytes) {
    const size_t at = below(bytes.size());
    bytes.insert(at, bytes.substr(at, 1 + below(kLongestPiece)));
}

void Mutation::splice(std::string& bytes, std::string_view other) {
    bytes.insert(below(bytes.size()), other.substr(below(other.size()), 1 + below(kLongestPiece)));
}

}  // namespace toile::test
