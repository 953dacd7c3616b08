// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/rooms/edited_frames.h"
#include "studio/server/room.h"
#include "studio/server/services.h"
#include "toile/edit/surface_handle.h"

#include <memory>
#include <optional>
#include <vector>

namespace toile::studio {

/// One sequence whose frames are edited by hand, and the edits carried through it.
class EditRoom final : public Room {
  public:
    explicit EditRoom(Services services);

    [[nodiscard]] std::vector<RequestEntry> requests() override;
    [[nodiscard]] std::vector<std::string> keep_unsaved(
        const std::filesystem::path& folder) override;

  private:
    /// What a handle was taken with, so that it can be made anew when the frame has changed.
    struct Selection {
        std::vector<int> vertices;
        HandleOptions options;
    };
    /// What the last carrying was asked for.
    struct Carry {
        std::optional<int> before, after;  ///< frames; none: all
        double ease = 0;                   ///< frames
        double strength = 1;
    };

    Answer open(const Request& request);
    Answer take_handle(const Request& request);
    Answer drag(const Request& request);
    Answer release();
    Answer load(const Request& request);
    Answer undo();
    Answer redo();
    Answer positions(const Request& request);
    Answer carry(const Request& request);
    Answer save(const Request& request);

    [[nodiscard]] const Item& require_open() const;
    [[nodiscard]] const TriangleMesh& mesh() const;
    SurfaceHandle& handle();
    void show(int frame);
    [[nodiscard]] Carry read_carry(const Request& request) const;
    [[nodiscard]] EditWindow window_of(const Carry& carry, const std::vector<int>& edited) const;
    [[nodiscard]] Json description(int frame, const std::string& mesh_name) const;
    void write_edit(const std::filesystem::path& path, int frame, bool overwrite) const;
    Json tell();
    [[nodiscard]] Json state_json() const;

    Services services_;
    std::optional<Item> item_;
    int body_ = 0;
    int frame_ = 0;
    EditedFrames frames_;
    std::optional<Selection> selection_;
    std::unique_ptr<SurfaceHandle> handle_;  // of the selection; null until it is needed
    Points dragged_;                         // null where nothing was dragged since the release
    Carry carry_;
    std::optional<int> result_;  // item
};

}  // namespace toile::studio
