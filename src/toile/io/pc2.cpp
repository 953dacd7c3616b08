// SPDX-License-Identifier: Apache-2.0
#include "toile/io/pc2.h"

#include "toile/core/assert.h"
#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/binary.h"
#include "toile/io/float_points.h"
#include "toile/io/text_cursor.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace toile {
namespace {

constexpr std::string_view kMagic("POINTCACHE2\0", 12);
constexpr std::int32_t kVersion = 1;

long long frame_bytes(const Pc2Header& header) {
    return static_cast<long long>(kFloatPointBytes) * header.n_points;
}

long long frame_offset(const Pc2Header& header, int frame) {
    return static_cast<long long>(kPc2HeaderBytes) + frame_bytes(header) * frame;
}

// Whole frames that a file has room for.
long long frames_that_fit(const Pc2Header& header, long long file_size) {
    return (file_size - static_cast<long long>(kPc2HeaderBytes)) / frame_bytes(header);
}

Pc2Header read_header(const RandomFile& file) {
    std::array<char, kPc2HeaderBytes> bytes;
    const size_t n = file.read_at(0, bytes);
    return parse_pc2_header({bytes.data(), n}, file.path().string());
}

// Nothing in the file would back their number.
void refuse_frames_of_no_points(const Pc2Header& header, const std::string& name) {
    if (header.n_points > 0 || header.n_frames == 0) return;
    throw InvalidInput(
        fmt::format("{}: byte 16: the header counts {} frames of 0 points; expected "
                    "1 point or more.",
                    name, header.n_frames));
}

void check_size(Pc2Header& header, const RandomFile& file, const Pc2ReadOptions& options) {
    refuse_frames_of_no_points(header, file.path().string());
    if (header.n_frames == 0) return;
    const long long size = file.size();
    const long long fit = frames_that_fit(header, size);
    if (header.n_frames <= fit) return;
    const std::string message = fmt::format(
        "{}: byte 16: the header counts {} frames of {} points; the file ends after {} whole "
        "frames ({} bytes).",
        file.path().string(), header.n_frames, header.n_points, fit, size);
    if (!options.accept_truncated) throw InvalidInput(message);
    log_warning(message);
    header.n_frames = static_cast<int>(fit);
}

void check_frame_size(std::span<const Vec3> positions, const Pc2Header& header,
                      const std::string& name) {
    if (header.n_points == 0) {
        throw InvalidInput(fmt::format("{}: PC2 cannot keep frames without points.", name));
    }
    if (static_cast<int>(positions.size()) == header.n_points) return;
    throw InvalidInput(fmt::format("{}: frame {} has {} points; the file has {}.", name,
                                   header.n_frames, positions.size(), header.n_points));
}

}  // namespace

Pc2Header parse_pc2_header(std::string_view bytes, const std::string& file_name) {
    if (bytes.substr(0, kMagic.size()) != kMagic) {
        throw InvalidInput(fmt::format("{}: byte 0: expected 'POINTCACHE2' and a zero, found {}.",
                                       file_name, quoted(bytes.substr(0, kMagic.size()))));
    }
    if (bytes.size() < kPc2HeaderBytes) {
        throw InvalidInput(
            fmt::format("{}: byte {}: the file ends; the header of a PC2 file has {} bytes.",
                        file_name, bytes.size(), kPc2HeaderBytes));
    }
    const auto integer = [&](size_t at) {
        return load_value<std::int32_t>(bytes.data() + at, std::endian::little);
    };
    const auto number = [&](size_t at) {
        return load_value<float>(bytes.data() + at, std::endian::little);
    };
    if (integer(12) != kVersion) {
        throw InvalidInput(fmt::format("{}: byte 12: expected the PC2 version {}, found {}.",
                                       file_name, kVersion, integer(12)));
    }
    const Pc2Header header{
        .n_points = integer(16), .start = number(20), .rate = number(24), .n_frames = integer(28)};
    if (header.n_points < 0 || header.n_frames < 0) {
        throw InvalidInput(fmt::format("{}: byte 16: the header counts {} points and {} frames.",
                                       file_name, header.n_points, header.n_frames));
    }
    if (!std::isfinite(header.start) || !std::isfinite(header.rate) || !(header.rate > 0)) {
        log_warning(fmt::format("{}: byte 20: start {} and rate {} are no times; not used.",
                                file_name, header.start, header.rate));
    }
    return header;
}

std::string format_pc2_header(const Pc2Header& header) {
    std::string bytes(kMagic);
    append_value(kVersion, bytes);
    append_value(static_cast<std::int32_t>(header.n_points), bytes);
    append_value(header.start, bytes);
    append_value(header.rate, bytes);
    append_value(static_cast<std::int32_t>(header.n_frames), bytes);
    return bytes;
}

void decode_pc2_frame(std::string_view bytes, const std::string& file_name, int frame,
                      std::span<Vec3> out_positions) {
    const auto n_bytes = static_cast<long long>(kFloatPointBytes * out_positions.size());
    const long long offset = static_cast<long long>(kPc2HeaderBytes) + n_bytes * frame;
    decode_float_points(bytes, std::endian::little, {file_name, frame, offset}, out_positions);
}

void encode_pc2_frame(std::span<const Vec3> positions, std::string& out_bytes) {
    out_bytes.clear();
    append_float_points(positions, std::endian::little, "PC2", out_bytes);
}

Pc2Source::Pc2Source(const std::filesystem::path& path, Pc2ReadOptions options)
    : file_(path, RandomFile::Mode::Read), header_(read_header(file_)) {
    check_size(header_, file_, options);
    // Without frames the count of points is not backed by any bytes.
    if (header_.n_frames > 0) bytes_.resize(static_cast<size_t>(frame_bytes(header_)));
}

bool Pc2Source::next(std::span<Vec3> out_positions) {
    if (next_ == header_.n_frames) return false;
    const size_t n = file_.read_at(frame_offset(header_, next_), bytes_);
    decode_pc2_frame({bytes_.data(), n}, file_.path().string(), next_, out_positions);
    ++next_;
    return true;
}

bool Pc2Source::skip() {
    if (next_ == header_.n_frames) return false;
    ++next_;
    return true;
}

void Pc2Source::seek(int frame) {
    if (frame < 0 || frame > header_.n_frames) {
        throw InvalidInput(fmt::format("{}: there is no frame {}; the file has frames 0 to {}.",
                                       file_.path().string(), frame, header_.n_frames - 1));
    }
    next_ = frame;
}

Pc2Appender::Pc2Appender(RandomFile file, const Pc2Header& header)
    : file_(std::move(file)), header_(header) {}

Pc2Appender Pc2Appender::create(const std::filesystem::path& path, const Pc2Header& header,
                                OutputOptions options) {
    Pc2Header empty = header;
    empty.n_frames = 0;
    write_file(path, format_pc2_header(empty), options);
    return {RandomFile(path, RandomFile::Mode::Modify), empty};
}

Pc2Appender Pc2Appender::resume(const std::filesystem::path& path, int n_points, int n_frames) {
    RandomFile file(path, RandomFile::Mode::Modify);
    Pc2Header header = read_header(file);
    check_size(header, file, {});
    if (header.n_points != n_points || n_frames < 0 || header.n_frames < n_frames) {
        throw InvalidInput(fmt::format(
            "{}: found {} frames of {} points; cannot go on after {} frames of {} points.",
            path.string(), header.n_frames, header.n_points, n_frames, n_points));
    }
    Pc2Appender appender(std::move(file), header);
    appender.cut(n_frames);
    return appender;
}

void Pc2Appender::cut(int n_frames) {
    TOILE_ASSERT(n_frames >= 0 && n_frames <= header_.n_frames);
    // The count first: it must never cover what is not there.
    commit_count(n_frames);
    file_.truncate(frame_offset(header_, n_frames));
    file_.flush();
}

void Pc2Appender::write(std::span<const Vec3> positions) {
    check_frame_size(positions, header_, file_.path().string());
    encode_pc2_frame(positions, bytes_);
    file_.write_at(frame_offset(header_, header_.n_frames), bytes_);
    file_.flush();
    commit_count(header_.n_frames + 1);
}

void Pc2Appender::commit_count(int n_frames) {
    std::string count;
    append_value(static_cast<std::int32_t>(n_frames), count);
    file_.write_at(static_cast<long long>(kPc2HeaderBytes - count.size()), count);
    file_.flush();
    header_.n_frames = n_frames;
}

Pc2Sink::Pc2Sink(const std::filesystem::path& path, const Pc2Header& header, OutputOptions options)
    : file_(path, options), name_(path.string()), header_(header) {
    header_.n_frames = 0;
    file_.write(format_pc2_header(header_));
}

void Pc2Sink::write(std::span<const Vec3> positions) {
    check_frame_size(positions, header_, name_);
    encode_pc2_frame(positions, bytes_);
    file_.write(bytes_);
    ++header_.n_frames;
}

void Pc2Sink::finish() {
    file_.rewrite(0, format_pc2_header(header_));
    file_.commit();
}

}  // namespace toile
