// SPDX-License-Identifier: Apache-2.0
#include "toile/io/mdd.h"

#include "toile/core/error.h"
#include "toile/core/log.h"
#include "toile/io/binary.h"
#include "toile/io/float_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace toile {
namespace {

constexpr size_t kCopyBytes = size_t{1} << 20;
// Times are float32, so their differences are off by a few units in the last place of the largest.
constexpr double kTimeUnits = 4;

long long frame_bytes(const MddHeader& header) {
    return static_cast<long long>(kFloatPointBytes) * header.n_points;
}

long long frames_offset(const MddHeader& header) {
    return static_cast<long long>(kMddHeaderBytes) +
           static_cast<long long>(sizeof(float)) * header.n_frames;
}

MddHeader read_header(const RandomFile& file) {
    std::array<char, kMddHeaderBytes> bytes;
    const size_t n = file.read_at(0, bytes);
    return parse_mdd_header({bytes.data(), n}, file.path().string());
}

// Frames that no byte backs would be as many as the header likes.
void refuse_frames_of_no_points(const MddHeader& header, const std::string& name) {
    if (header.n_points > 0 || header.n_frames == 0) return;
    throw InvalidInput(fmt::format(
        "{}: byte 4: the header counts {} frames of 0 points; expected 1 point or more.", name,
        header.n_frames));
}

void check_size(const MddHeader& header, const RandomFile& file) {
    const std::string name = file.path().string();
    refuse_frames_of_no_points(header, name);
    const long long left = file.size() - frames_offset(header);
    const bool fits = header.n_frames == 0 || left / frame_bytes(header) >= header.n_frames;
    if (left < 0 || !fits) {
        throw InvalidInput(
            fmt::format("{}: byte 0: the header counts {} frames of {} points; the file ends too "
                        "early, after {} "
                        "bytes.",
                        name, header.n_frames, header.n_points, file.size()));
    }
    const long long behind = left - frame_bytes(header) * header.n_frames;
    if (behind > 0) {
        log_warning(fmt::format("{}: {} bytes behind the last frame are not read.", name, behind));
    }
}

std::string header_bytes(const MddHeader& header, double frame_rate) {
    std::string bytes;
    append_value(static_cast<std::int32_t>(header.n_frames), bytes, std::endian::big);
    append_value(static_cast<std::int32_t>(header.n_points), bytes, std::endian::big);
    for (int k = 0; k < header.n_frames; ++k) {
        append_value(static_cast<float>(k / frame_rate), bytes, std::endian::big);
    }
    return bytes;
}

}  // namespace

MddHeader parse_mdd_header(std::string_view bytes, const std::string& file_name) {
    if (bytes.size() < kMddHeaderBytes) {
        throw InvalidInput(
            fmt::format("{}: byte {}: the file ends; the header of an MDD file has {} bytes.",
                        file_name, bytes.size(), kMddHeaderBytes));
    }
    const MddHeader header{
        .n_frames = load_value<std::int32_t>(bytes.data(), std::endian::big),
        .n_points = load_value<std::int32_t>(bytes.data() + 4, std::endian::big)};
    if (header.n_points < 0 || header.n_frames < 0) {
        throw InvalidInput(fmt::format("{}: byte 0: the header counts {} frames of {} points.",
                                       file_name, header.n_frames, header.n_points));
    }
    return header;
}

MddSource::MddSource(const std::filesystem::path& path)
    : file_(path, RandomFile::Mode::Read), header_(read_header(file_)) {
    check_size(header_, file_);
    // Without frames the count of points is not backed by any bytes.
    if (header_.n_frames == 0) return;
    bytes_.resize(static_cast<size_t>(frame_bytes(header_)));
    read_times();
    find_frame_rate();
}

void MddSource::read_times() {
    std::vector<char> bytes(sizeof(float) * static_cast<size_t>(header_.n_frames));
    file_.read_at(kMddHeaderBytes, bytes);
    for (size_t at = 0; at < bytes.size(); at += sizeof(float)) {
        times_.push_back(load_value<float>(bytes.data() + at, std::endian::big));
    }
}

void MddSource::find_frame_rate() {
    if (times_.size() < 2) return;
    const double first = times_.front(), last = times_.back();
    const double step = (last - first) / static_cast<double>(times_.size() - 1);
    const double room = kTimeUnits * std::numeric_limits<float>::epsilon() *
                        std::max(std::abs(first), std::abs(last));
    const auto fits = [&](double interval) {
        bool even = std::isfinite(interval) && interval > 0;
        for (size_t k = 0; even && k < times_.size(); ++k) {
            even = std::abs(times_[k] - (first + static_cast<double>(k) * interval)) <= room;
        }
        return even;
    };
    // Times of float32 leave a rate of 25 as 24.9999996: the whole number is meant where it fits.
    const double whole = std::round(1 / step);
    if (fits(1 / whole)) {
        frame_rate_ = whole;
    } else if (fits(step)) {
        frame_rate_ = 1 / step;
    } else {
        log_warning(fmt::format("{}: its times of frames are not evenly spaced; not used.",
                                file_.path().string()));
    }
}

bool MddSource::next(std::span<Vec3> out_positions) {
    if (next_ == header_.n_frames) return false;
    const long long offset = frames_offset(header_) + frame_bytes(header_) * next_;
    const size_t n = file_.read_at(offset, bytes_);
    decode_float_points({bytes_.data(), n}, std::endian::big,
                        {file_.path().string(), next_, offset}, out_positions);
    ++next_;
    return true;
}

MddSink::MddSink(const std::filesystem::path& path, int n_points, MddWriteOptions options)
    : file_(path, {.overwrite = options.overwrite}),
      frames_(path.parent_path()),
      name_(path.string()),
      header_{.n_points = n_points},
      frame_rate_(options.frame_rate) {
    if (!(frame_rate_ > 0) || !std::isfinite(frame_rate_)) {
        throw InvalidInput(
            fmt::format("{}: expected a frame rate above 0, found {}.", name_, frame_rate_));
    }
}

void MddSink::write(std::span<const Vec3> positions) {
    if (header_.n_points == 0) {
        throw InvalidInput(fmt::format("{}: MDD cannot keep frames without points.", name_));
    }
    if (static_cast<int>(positions.size()) != header_.n_points) {
        throw InvalidInput(fmt::format("{}: frame {} has {} points; the file has {}.", name_,
                                       header_.n_frames, positions.size(), header_.n_points));
    }
    bytes_.clear();
    append_float_points(positions, std::endian::big, "MDD", bytes_);
    frames_.append(bytes_);
    ++header_.n_frames;
}

void MddSink::finish() {
    file_.write(header_bytes(header_, frame_rate_));
    for (long long at = 0; at < frames_.size();) {
        bytes_.resize(std::min<size_t>(kCopyBytes, static_cast<size_t>(frames_.size() - at)));
        frames_.read_at(at, bytes_);
        file_.write(bytes_);
        at += static_cast<long long>(bytes_.size());
    }
    file_.commit();
}

}  // namespace toile
