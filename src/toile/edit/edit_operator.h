// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/deformation/pose_check.h"
#include "toile/edit/carried_edit.h"
#include "toile/edit/edit_check.h"
#include "toile/edit/edit_weights.h"
#include "toile/sequence/frame_operator.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace toile {

/// One frame of a sequence before and after its edit.
struct EditKey {
    int frame = 0;  ///< counted from 0
    std::vector<Vec3> original = {};
    std::vector<Vec3> edited = {};
    double tolerance = 0;  ///< metres; see CarryOptions, whose value this replaces
};

struct EditOptions {
    CarryOptions carry = {};
    double strength = 1;  ///< of the edits; 0 changes nothing, above 1 exaggerates
    EditWindow window = {};
    bool allow_placement = false;  ///< an edit that only moves the whole frame
    bool allow_bad_pose = false;   ///< frames or edits that look like another vertex order
};

/// What happened to a sequence, complete after the last frame.
struct EditReport {
    std::vector<EditDiagnosis> keys;
    int n_frames = 0;
    int n_changed = 0;                 ///< frames that the window lets change
    std::vector<int> doubtful_frames;  ///< vertex order differs from the frame before, perhaps
    std::vector<int> crumpled_frames;  ///< over 1 % of the edited triangles are crumpled
    double worst_crumpled_share = 0;
    int worst_crumpled_frame = -1;
};

/// Sentences for a person about report.doubtful_frames and report.crumpled_frames.
std::vector<std::string> sequence_warnings(const EditReport& report);

/// Carries the edits of one or several frames through a sequence. With several, each frame between
/// two edited ones takes both as layers, the later on top of the earlier, with weights that sum
/// to 1; an edited frame within the window comes out bit for bit as edited where the strength is
/// 1. Frames of weight 0, and vertices that no edit moves, keep every bit. Memory does not grow
/// with the number of frames.
class EditOperator final : public FrameOperator {
  public:
    /// Keys may come in any order. Throws InvalidInput, naming the frame, where one is not in the
    /// sequence or given twice, where an edit is a mere placement or looks like another vertex
    /// order, or as CarriedEdit.
    EditOperator(std::unique_ptr<FrameSource> input, std::span<const Triangle> triangles,
                 std::vector<EditKey> keys, EditOptions options = {});

    /// Throws InvalidInput for a frame that looks like another vertex order than the one before,
    /// and at the end where an edited frame was not reached.
    bool next(std::span<Vec3> out_positions) override;

    [[nodiscard]] const EditReport& report() const { return report_; }
    /// Sentences about the edits, known before the first frame.
    [[nodiscard]] std::vector<std::string> key_warnings() const;

  private:
    struct Layer {
        int frame;
        CarriedEdit edit;
        CarriedEdit::Workspace workspace;
    };

    void add_layer(std::span<const Triangle> triangles, EditKey key);
    void check_frame(std::span<const Vec3> positions);
    void edit_frame(std::span<Vec3> inout_positions);
    void carry(Layer& layer, double strength, std::span<Vec3> inout_positions);
    void require_all_reached() const;

    EditOptions options_;
    std::vector<Edge> edges_;
    std::vector<Layer> layers_;
    std::vector<int> key_frames_;
    std::vector<Vec3> previous_;  ///< input frame before this one
    int frame_ = 0;               ///< the next one
    EditReport report_;
};

/// Reads the given frames (ascending) of a source and no further than the last. Throws InvalidInput
/// where it ends before.
std::vector<std::vector<Vec3>> read_frames(FrameSource& source, std::span<const int> frames);

}  // namespace toile
