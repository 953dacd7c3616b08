// SPDX-License-Identifier: Apache-2.0
#include "toile/io/html_page.h"

#include "toile/core/error.h"
#include "toile/io/atomic_file.h"
#include "toile/io/binary.h"
#include "toile/io/float_points.h"
#include "toile/io/html_player.h"
#include "toile/io/vtp.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace toile {
namespace {

using nlohmann::json;

constexpr double kSteps = 65535;  ///< of a coordinate in the box
/// Browsers refuse strings above about half a gigabyte; base64 adds a third to 6 bytes a point.
constexpr long long kMostScratchBytes = 700LL << 20;

json numbers(const Vec3& v) {
    return json::array({v.x(), v.y(), v.z()});
}

std::string data_element(const std::string& id, std::string_view bytes) {
    return fmt::format("<script type=\"application/octet-stream\" id=\"{}\">{}</script>\n", id,
                       detail::base64(bytes));
}

std::string triangle_bytes(std::span<const Triangle> triangles) {
    std::string bytes;
    for (const Triangle& corners : triangles) {
        for (const int v : corners) append_value(static_cast<std::uint32_t>(v), bytes);
    }
    return bytes;
}

/// Steps of 1/65535 of the box from float32 positions.
std::string quantised(std::string_view points, const BoundingBox& box) {
    const Vec3 size = box.size();
    std::string bytes;
    bytes.reserve(points.size() / 2);
    for (size_t at = 0, k = 0; at < points.size(); at += sizeof(float), ++k) {
        const auto axis = static_cast<Eigen::Index>(k % 3);
        const auto value =
            static_cast<double>(load_value<float>(points.data() + at, std::endian::little));
        const double share = size[axis] > 0 ? (value - box.min[axis]) / size[axis] : 0;
        const double step = std::clamp(std::round(share * kSteps), 0.0, kSteps);
        append_value(static_cast<std::uint16_t>(step), bytes);
    }
    return bytes;
}

}  // namespace

namespace detail {

std::string base64(std::string_view bytes) {
    static constexpr char kDigits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t at = 0; at < bytes.size(); at += 3) {
        const size_t n = std::min<size_t>(3, bytes.size() - at);
        std::uint32_t word = 0;
        for (size_t k = 0; k < 3; ++k) {
            word = word << 8 | (k < n ? static_cast<unsigned char>(bytes[at + k]) : 0U);
        }
        for (size_t k = 0; k < 4; ++k) {
            out += k <= n ? kDigits[word >> (18 - 6 * k) & 63U] : '=';
        }
    }
    return out;
}

}  // namespace detail

HtmlPageWriter::HtmlPageWriter(std::filesystem::path path, std::vector<BodyTrack> bodies,
                               HtmlPageOptions options)
    : path_(std::move(path)),
      options_(std::move(options)),
      bodies_(std::move(bodies)),
      scratch_(path_.parent_path()) {
    check_output(path_, {.overwrite = options_.overwrite});
    if (!(options_.frame_rate > 0) || !std::isfinite(options_.frame_rate)) {
        throw InvalidInput(fmt::format("{}: expected a frame rate above 0, found {}.",
                                       path_.string(), options_.frame_rate));
    }
    if (bodies_.empty()) {
        throw InvalidInput(fmt::format("{}: there is no body to write.", path_.string()));
    }
    for (const BodyTrack& body : bodies_) {
        require_valid_indices(body.mesh.triangles, body.mesh.n_vertices());
    }
    if (options_.title.empty()) options_.title = path_.stem().string();
}

void HtmlPageWriter::write(std::span<const std::span<const Vec3>> positions) {
    if (positions.size() != bodies_.size()) {
        throw InvalidInput(fmt::format("{}: frame {} has {} bodies; expected {}.", path_.string(),
                                       n_frames_, positions.size(), bodies_.size()));
    }
    std::string bytes;
    for (size_t b = 0; b < bodies_.size(); ++b) {
        if (positions[b].size() != bodies_[b].mesh.positions.size()) {
            throw InvalidInput(fmt::format("{}: frame {} of '{}' has {} vertices; its mesh has {}.",
                                           path_.string(), n_frames_, bodies_[b].name,
                                           positions[b].size(), bodies_[b].mesh.n_vertices()));
        }
        if (n_frames_ > 0 && !bodies_[b].moves) continue;
        append_float_points(positions[b], std::endian::little, "the page", bytes);
        const BoundingBox box = bounding_box(positions[b]);
        box_.min = box_.min.cwiseMin(box.min);
        box_.max = box_.max.cwiseMax(box.max);
    }
    if (scratch_.size() + static_cast<long long>(bytes.size()) > kMostScratchBytes) {
        throw InvalidInput(fmt::format(
            "{}: with frame {} the page would grow beyond the half gigabyte that browsers open; "
            "write fewer frames, or a smaller mesh.",
            path_.string(), n_frames_));
    }
    scratch_.append(bytes);
    ++n_frames_;
}

std::string HtmlPageWriter::head() const {
    json bodies = json::array();
    for (const BodyTrack& body : bodies_) {
        bodies.push_back({{"name", body.name},
                          {"vertices", body.mesh.n_vertices()},
                          {"triangles", body.mesh.n_triangles()},
                          {"front", numbers(body.front)},
                          {"back", numbers(body.back)},
                          {"moves", body.moves}});
    }
    const bool empty = box_.empty();
    const Vec3 none = Vec3::Zero();
    const json head = {{"title", options_.title},
                       {"frame_rate", options_.frame_rate},
                       {"n_frames", n_frames_},
                       {"box", {numbers(empty ? none : box_.min), numbers(box_.size())}},
                       {"bodies", bodies}};
    std::string text = head.dump(-1, ' ', true, json::error_handler_t::replace);
    // A name may not end the script element that it stands in.
    for (size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 6) {
        text.replace(at, 1, "\\u003c");
    }
    return text;
}

void HtmlPageWriter::write_frames(AtomicFile& file) const {
    long long at = 0;
    std::string bytes;
    for (int frame = 0; frame < n_frames_; ++frame) {
        for (size_t b = 0; b < bodies_.size(); ++b) {
            if (frame > 0 && !bodies_[b].moves) continue;
            bytes.resize(kFloatPointBytes * bodies_[b].mesh.positions.size());
            scratch_.read_at(at, bytes);
            at += static_cast<long long>(bytes.size());
            file.write(data_element(fmt::format("frame-{}-{}", frame, b), quantised(bytes, box_)));
        }
    }
}

void HtmlPageWriter::finish() {
    if (n_frames_ == 0) {
        throw InvalidInput(fmt::format("There is no frame for '{}'.", path_.string()));
    }
    AtomicFile file(path_, {.overwrite = options_.overwrite});
    file.write(detail::kHtmlPageStart);
    file.write(xml_escaped(options_.title));
    file.write(detail::kHtmlPageMiddle);
    file.write(fmt::format("<script type=\"application/json\" id=\"head\">{}</script>\n", head()));
    for (size_t b = 0; b < bodies_.size(); ++b) {
        file.write(data_element(fmt::format("triangles-{}", b),
                                triangle_bytes(bodies_[b].mesh.triangles)));
    }
    write_frames(file);
    file.write(detail::kHtmlPageEnd);
    file.commit();
}

HtmlPageSink::HtmlPageSink(const std::filesystem::path& path, const TriangleMesh& mesh,
                           HtmlPageOptions options)
    : writer_(path, {BodyTrack{.name = path.stem().string(), .mesh = mesh}}, std::move(options)) {}

void HtmlPageSink::write(std::span<const Vec3> positions) {
    const std::span<const Vec3> all[] = {positions};
    writer_.write(all);
}

}  // namespace toile
