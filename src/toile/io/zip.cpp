// SPDX-License-Identifier: Apache-2.0
#include "toile/io/zip.h"

#include "toile/core/error.h"
#include "toile/io/binary.h"

#include <array>
#include <limits>

namespace toile {
namespace {

constexpr std::uint32_t kFileMark = 0x04034b50;
constexpr std::uint32_t kDirectoryMark = 0x02014b50;
constexpr std::uint32_t kEndMark = 0x06054b50;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kUtf8Names = 0x0800;
constexpr std::uint16_t kFirstDate = 0x0021;  // 1 January 1980: the same bytes every day

std::array<std::uint32_t, 256> make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t k = 0; k < 256; ++k) {
        std::uint32_t value = k;
        for (int bit = 0; bit < 8; ++bit) {
            value = (value & 1U) != 0 ? value >> 1 ^ 0xEDB88320U : value >> 1;
        }
        table[k] = value;
    }
    return table;
}

/// What a file's own head and its line in the directory have in common.
std::string description(const std::string& name, std::string_view bytes) {
    std::string out;
    append_value(kVersion, out);
    append_value(kUtf8Names, out);
    append_value<std::uint16_t>(0, out);  // stored
    append_value<std::uint16_t>(0, out);  // midnight
    append_value(kFirstDate, out);
    append_value(detail::crc32(bytes), out);
    append_value(static_cast<std::uint32_t>(bytes.size()), out);
    append_value(static_cast<std::uint32_t>(bytes.size()), out);
    append_value(static_cast<std::uint16_t>(name.size()), out);
    append_value<std::uint16_t>(0, out);  // nothing extra
    return out;
}

}  // namespace

namespace detail {

std::uint32_t crc32(std::string_view bytes) {
    static const std::array<std::uint32_t, 256> table = make_table();
    std::uint32_t value = 0xFFFFFFFFU;
    for (const char c : bytes) {
        value = table[(value ^ static_cast<unsigned char>(c)) & 255U] ^ value >> 8;
    }
    return ~value;
}

}  // namespace detail

ZipWriter::ZipWriter(const std::filesystem::path& path, OutputOptions options)
    : file_(path, options) {}

void ZipWriter::add(const std::string& name, std::string_view bytes) {
    constexpr std::uint64_t kMostBytes = std::numeric_limits<std::uint32_t>::max();
    constexpr std::uint64_t kMostFiles = std::numeric_limits<std::uint16_t>::max();
    const std::uint64_t heads = 200 + 2 * name.size() + directory_.size();
    if (n_files_ == kMostFiles || size_ + bytes.size() + heads > kMostBytes ||
        name.size() > kMostFiles) {
        throw InvalidInput("A ZIP archive holds at most 65,535 files and 4 GiB, and '" + name +
                           "' would be beyond that.");
    }
    const std::string about = description(name, bytes);
    std::string head;
    append_value(kFileMark, head);
    head += about + name;
    append_value(kDirectoryMark, directory_);
    append_value(kVersion, directory_);
    directory_ += about;
    directory_.append(2 + 2 + 2 + 4, '\0');  // no comment, first disk, no attributes
    append_value(static_cast<std::uint32_t>(size_), directory_);
    directory_ += name;
    file_.write(head);
    file_.write(bytes);
    size_ += head.size() + bytes.size();
    ++n_files_;
}

void ZipWriter::finish() {
    std::string end;
    append_value(kEndMark, end);
    append_value<std::uint32_t>(0, end);  // one disk
    append_value(static_cast<std::uint16_t>(n_files_), end);
    append_value(static_cast<std::uint16_t>(n_files_), end);
    append_value(static_cast<std::uint32_t>(directory_.size()), end);
    append_value(static_cast<std::uint32_t>(size_), end);
    append_value<std::uint16_t>(0, end);
    file_.write(directory_);
    file_.write(end);
    file_.commit();
}

}  // namespace toile
