// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/frame_fields.h"
#include "studio/server/frame_reader.h"
#include "studio/server/message.h"
#include "toile/mesh/triangle_mesh.h"

#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace toile::studio {

enum class ItemKind { Mesh, Sequence, Run, Scene };
enum class BodyRole { Cloth, Obstacle, Mesh };

/// One surface of an item.
struct ItemBody {
    std::string name;
    BodyRole role = BodyRole::Mesh;
    std::shared_ptr<const TriangleMesh> mesh;      ///< at rest: what its file says
    std::optional<SequenceFiles> motion = {};      ///< nothing where the item has no frames of it
    std::shared_ptr<const Cloth> cloth = nullptr;  ///< of a run's or a scene's cloth
    bool moves = false;
    std::optional<Vec3> color = {};  ///< sRGB, each part from 0 to 1, where its scene gives one
};

/// Of sequences that tell no frame rate, 1/s: that of scenes which tell none.
inline constexpr double kDefaultFrameRate = 25;

/// The positions of all bodies at one frame, and what fields are computed from.
struct ItemFrame {
    std::vector<std::shared_ptr<const std::vector<Vec3>>> positions;
    std::vector<std::shared_ptr<const std::vector<Vec3>>> start;
    std::vector<std::vector<Vec3>> velocities;  ///< m/s, by differences of frames
    [[nodiscard]] FieldFrame view() const;
};

/// Surfaces and their frames. Never changes but for what it remembers; from any thread.
class ItemContent {
  public:
    struct Facts {
        std::vector<ItemBody> bodies;
        int n_frames = 1;
        double frame_rate = kDefaultFrameRate;  ///< 1/s
        std::optional<Vec3> up = {};            ///< opposite to gravity, of a scene
        std::filesystem::path run = {};         ///< folder of a run, or empty
        std::filesystem::path source = {};      ///< what was opened
    };
    explicit ItemContent(Facts facts);

    [[nodiscard]] const Facts& facts() const { return facts_; }
    [[nodiscard]] const ItemBody& body(int index) const;  ///< throws InvalidInput
    /// Positions of one body at a frame; frames asked for lately come from memory. Throws
    /// InvalidInput where there is no such frame or body, IoError where it cannot be read.
    [[nodiscard]] std::shared_ptr<const std::vector<Vec3>> positions(int body, int frame) const;
    /// Throws as `positions`.
    [[nodiscard]] ItemFrame frame(int frame) const;
    [[nodiscard]] const FrameFields& fields() const { return fields_; }
    /// A source of its own, for a job that plays all frames of a body.
    [[nodiscard]] std::unique_ptr<FrameSource> play(int body) const;

    void require_frame(int frame) const;

  private:
    struct Remembered {
        int body;
        int frame;
        std::shared_ptr<const std::vector<Vec3>> positions;
    };
    void remember(Remembered frame) const;

    Facts facts_;
    FrameFields fields_;
    mutable std::mutex mutex_;                                   // of all below
    mutable std::vector<std::unique_ptr<FrameReader>> readers_;  // of bodies that were asked for
    mutable std::deque<Remembered> remembered_;                  // the last used one last
    mutable size_t remembered_bytes_ = 0;
};

/// Something opened or made, as the workspace lists it. A value: changes are made by
/// Workspace::update.
struct Item {
    int number = 0;
    ItemKind kind = ItemKind::Mesh;
    std::string name;
    int root = -1;     ///< -1 for what lies in no opened folder
    std::string path;  ///< relative to the root; empty for what was made and not saved
    std::string made_by;
    bool unsaved = false;
    int revision = 1;  ///< counts changes of its meshes
    std::shared_ptr<const ItemContent> content;
};

Json item_json(const Item& item);

}  // namespace toile::studio
