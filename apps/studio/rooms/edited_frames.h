// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/types.h"
#include "toile/edit/edit_operator.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace toile::studio {

using Points = std::shared_ptr<const std::vector<Vec3>>;

/// The frames of a sequence that are edited, before and now, with undo and redo over all of them.
class EditedFrames {
  public:
    /// A frame's positions as they are in the sequence; kept where the frame is known already.
    void add(int frame, Points original);
    [[nodiscard]] bool has(int frame) const { return frames_.contains(frame); }
    /// Throws InvalidInput where the frame was not opened.
    [[nodiscard]] const Points& now(int frame) const;

    /// What differs by less than `tolerance` (metres) from the original counts as not edited: the
    /// rounding of a file.
    void change(int frame, Points positions, double tolerance = 0);
    /// The frame that changed. Throw InvalidInput where there is nothing to undo, or to do again.
    int undo();
    int redo();
    [[nodiscard]] bool can_undo() const { return !undo_.empty(); }
    [[nodiscard]] bool can_redo() const { return !redo_.empty(); }

    /// Frames that are other than in the sequence, ascending.
    [[nodiscard]] std::vector<int> edited() const;
    [[nodiscard]] std::vector<EditKey> keys() const;

    /// The frame as it is now is in a file.
    void mark_saved(int frame) { saved_[frame] = now(frame); }
    /// Edited frames that are other now than when they were saved last, ascending.
    [[nodiscard]] std::vector<int> unsaved() const;

  private:
    struct Frame {
        Points original;
        Points now;
        double tolerance = 0;
    };
    struct Step {
        int frame;
        Frame state;
    };
    int swap_step(std::vector<Step>& from, std::vector<Step>& to);

    std::map<int, Frame> frames_;
    std::vector<Step> undo_, redo_;
    std::map<int, Points> saved_;  // as they were saved last; not of frames that never were
};

}  // namespace toile::studio
