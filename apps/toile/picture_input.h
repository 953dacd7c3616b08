// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/transform.h"
#include "toile/render/scene_view.h"
#include "toile/sequence/frame_stream.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace toile::app {

/// What `render` is asked to show.
struct PictureInputOptions {
    std::vector<std::string> inputs;                 ///< meshes and sequences, or run folders
    std::optional<std::filesystem::path> mesh = {};  ///< of a PC2 file without one beside it
    std::optional<Vec3> up = {};                     ///< else that of the scene, or +y
};

/// The bodies of the inputs at one frame after another. Bodies of one frame stand still; the others
/// must have equally many.
class PictureInput {
  public:
    explicit PictureInput(const PictureInputOptions& options);

    [[nodiscard]] int n_frames() const { return n_frames_; }
    [[nodiscard]] std::optional<double> frame_rate() const { return frame_rate_; }
    /// At the frame sought last; looks may be changed.
    [[nodiscard]] SceneView& view() { return view_; }
    /// Moves a body, in all frames, from where its input has it; to be seen at the next `seek`.
    void place(size_t body, const Transform& transform);
    /// Puts all bodies where they are at `frame`, in [0, n_frames); cheapest in ascending order.
    void seek(int frame);

  private:
    struct Motion {
        std::string spec;
        std::unique_ptr<FrameSource> frames;
        int n_frames = 0;
        int next = 0;  ///< frame that `frames` gives next
        Transform placement = {};
    };
    void add_run(const std::filesystem::path& folder);
    void add_sequence(const std::string& spec, const SurfaceLook& look, std::string name);
    void reopen(Motion& motion) const;
    void settle_frame_count();

    PictureInputOptions options_;
    SceneView view_;
    std::vector<Motion> motions_;  ///< of each body
    int n_frames_ = 1;
    std::optional<double> frame_rate_;
};

}  // namespace toile::app
