// SPDX-License-Identifier: Apache-2.0
#include "toile/edit/edit_operator.h"

#include "toile/core/error.h"
#include "toile/mesh/topology.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {

constexpr double kCrumpledShare = 0.01;  // of the edited triangles, that is worth a warning

[[noreturn]] void refuse_pose(const std::string& what, const PoseCheck& check,
                              const std::string& against) {
    throw InvalidInput(
        fmt::format("{} does not seem to have the vertex order of {}: {:.1f} % of the edges change "
                    "their length fourfold; {}. Say so if it is meant (--allow-bad-pose).",
                    what, against, 100 * check.share(), check.worst_edges()));
}

bool is_partial(const EditOptions& options, size_t n_keys) {
    return n_keys > 1 || options.window.ease_in > 0 || options.window.ease_out > 0 ||
           (options.strength != 0 && options.strength != 1);
}

void require_placed(const EditDiagnosis& diagnosis, int frame, bool allowed) {
    if (!diagnosis.is_placement || allowed) return;
    throw InvalidInput(
        fmt::format("The edit of frame {} moves all vertices by one turn and shift (up to {:.6g} "
                    "m): the frame was placed elsewhere, not edited. Say so if it is meant "
                    "(--allow-placement).",
                    frame, diagnosis.largest_offset));
}

}  // namespace

std::vector<std::string> sequence_warnings(const EditReport& report) {
    std::vector<std::string> warnings;
    if (!report.doubtful_frames.empty()) {
        warnings.push_back(
            fmt::format("Some vertices may stand in another order than in the frame before, in {} "
                        "frames: {}.",
                        report.doubtful_frames.size(), first_few(report.doubtful_frames)));
    }
    if (!report.crumpled_frames.empty()) {
        warnings.push_back(fmt::format(
            "The edited region is crumpled against the edited frame in {} frames ({:.0f} % of its "
            "triangles in frame {}), so turns mean little there; edit a smoother frame: {}.",
            report.crumpled_frames.size(), 100 * report.worst_crumpled_share,
            report.worst_crumpled_frame, first_few(report.crumpled_frames)));
    }
    return warnings;
}

EditOperator::EditOperator(std::unique_ptr<FrameSource> source, std::span<const Triangle> triangles,
                           std::vector<EditKey> keys, EditOptions options)
    : FrameOperator(std::move(source)),
      options_(std::move(options)),
      edges_(build_edges(triangles, input().n_vertices()).edges) {
    if (keys.empty()) throw InvalidInput("There is no edited frame to carry.");
    std::sort(keys.begin(), keys.end(),
              [](const EditKey& a, const EditKey& b) { return a.frame < b.frame; });
    for (EditKey& key : keys) add_layer(triangles, std::move(key));
}

void EditOperator::add_layer(std::span<const Triangle> triangles, EditKey key) {
    const std::optional<int> n = n_frames();
    if (key.frame < 0 || (n && key.frame >= *n)) {
        throw InvalidInput(
            fmt::format("There is no frame {} to edit; frames are counted from 0 to {}.", key.frame,
                        n.value_or(0) - 1));
    }
    if (!key_frames_.empty() && key_frames_.back() == key.frame) {
        throw InvalidInput(fmt::format("Frame {} is edited twice.", key.frame));
    }
    if (static_cast<int>(key.original.size()) != n_vertices()) {
        throw InvalidInput(fmt::format("Frame {} has {} vertices; the sequence has {}.", key.frame,
                                       key.original.size(), n_vertices()));
    }
    if (key.edited.size() == key.original.size() && !options_.allow_bad_pose) {
        const PoseCheck check = check_pose(edges_, key.original, key.edited);
        if (!check.belongs()) {
            refuse_pose(fmt::format("The edited frame {}", key.frame), check, "the sequence");
        }
    }
    CarryOptions carry = options_.carry;
    carry.tolerance = key.tolerance;
    CarriedEdit edit(triangles, std::move(key.original), std::move(key.edited), std::move(carry));
    report_.keys.push_back(diagnose_edit(edit));
    report_.keys.back().frame = key.frame;
    report_.keys.back().tolerance = key.tolerance;
    report_.keys.back().window_weight = window_weight(options_.window, key.frame);
    require_placed(report_.keys.back(), key.frame, options_.allow_placement);
    key_frames_.push_back(key.frame);
    layers_.push_back({key.frame, std::move(edit), {}});
}

std::vector<std::string> EditOperator::key_warnings() const {
    std::vector<std::string> all;
    for (const EditDiagnosis& key : report_.keys) {
        for (std::string& warning : edit_warnings(key, is_partial(options_, layers_.size()))) {
            all.push_back(std::move(warning));
        }
    }
    return all;
}

bool EditOperator::next(std::span<Vec3> out_positions) {
    if (!input().next(out_positions)) {
        require_all_reached();
        return false;
    }
    check_frame(out_positions);
    edit_frame(out_positions);
    report_.n_frames = ++frame_;
    return true;
}

void EditOperator::require_all_reached() const {
    if (key_frames_.back() < frame_) return;
    throw InvalidInput(
        fmt::format("There is no frame {} to edit; the sequence has {} frames, counted from 0.",
                    key_frames_.back(), frame_));
}

void EditOperator::check_frame(std::span<const Vec3> positions) {
    for (size_t v = 0; v < positions.size(); ++v) {
        if (positions[v].allFinite()) continue;
        throw InvalidInput(
            fmt::format("Vertex {} of frame {} has a coordinate that is not finite.", v, frame_));
    }
    if (frame_ > 0 && !options_.allow_bad_pose) {
        const PoseCheck check = check_pose(edges_, previous_, positions);
        if (!check.belongs()) {
            refuse_pose(fmt::format("Frame {}", frame_), check, "the frame before");
        }
        if (check.is_doubtful()) report_.doubtful_frames.push_back(frame_);
    }
    previous_.assign(positions.begin(), positions.end());
}

void EditOperator::edit_frame(std::span<Vec3> inout_positions) {
    const double in_window = window_weight(options_.window, frame_);
    if (in_window == 0 || options_.strength == 0) return;
    ++report_.n_changed;
    const std::vector<double> weights = key_weights(key_frames_, frame_);
    for (size_t k = 0; k < layers_.size(); ++k) {
        const double strength = options_.strength * in_window * weights[k];
        if (strength == 1 && layers_[k].frame == frame_) {
            for (const int v : layers_[k].edit.moved()) {
                inout_positions[v] = layers_[k].edit.edited()[v];
            }
        } else if (strength != 0) {
            carry(layers_[k], strength, inout_positions);
        }
    }
}

void EditOperator::carry(Layer& layer, double strength, std::span<Vec3> inout_positions) {
    const CarryReport report = layer.edit.apply(strength, inout_positions, layer.workspace);
    if (report.n_triangles == 0) return;
    const double share = double(report.n_crumpled) / report.n_triangles;
    if (share > report_.worst_crumpled_share) {
        report_.worst_crumpled_share = share;
        report_.worst_crumpled_frame = frame_;
    }
    const bool listed =
        !report_.crumpled_frames.empty() && report_.crumpled_frames.back() == frame_;
    if (share > kCrumpledShare && !listed) report_.crumpled_frames.push_back(frame_);
}

std::vector<std::vector<Vec3>> read_frames(FrameSource& source, std::span<const int> frames) {
    std::vector<std::vector<Vec3>> result;
    int next = 0;
    for (const int frame : frames) {
        std::vector<Vec3> positions(static_cast<size_t>(source.n_vertices()));
        bool more = true;
        while (more && next < frame) {
            more = source.skip();
            ++next;
        }
        if (!more || !source.next(positions)) {
            throw InvalidInput(fmt::format(
                "There is no frame {} in the sequence; frames are counted from 0.", frame));
        }
        ++next;
        result.push_back(std::move(positions));
    }
    return result;
}

}  // namespace toile
