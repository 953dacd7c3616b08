// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/rooms/simulation.h"
#include "studio/server/room.h"
#include "studio/server/services.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace toile::studio {

/// One scene that is simulated while people look on, change it and take hold of its cloth. Its
/// frames are a run folder among what is not saved yet.
class SimulateRoom final : public Room {
  public:
    explicit SimulateRoom(Services services);

    [[nodiscard]] std::vector<RequestEntry> requests() override;
    void client_left(int client) override;
    [[nodiscard]] std::vector<std::string> keep_unsaved(
        const std::filesystem::path& folder) override;

  private:
    void item_closed(int item);
    Answer open(const Request& request);
    Answer play();
    Answer pause();
    Answer step();
    Answer rewind();
    Answer latest(const Request& request);
    Answer keep_trace(const Request& request);
    Answer grab(const Request& request);
    Answer drag(const Request& request);
    Answer drop();
    Answer schema();
    Answer change(const Request& request);
    Answer text();
    Answer save(const Request& request);
    Answer keep();
    Answer log(const Request& request);
    Answer trace(const Request& request);

    /// `latest` of a page that waits for a newer state than it has.
    struct Waiting {
        Responder responder;
        std::vector<std::string> fields;
        int after = 0;
        int client = 0;
    };
    void on_changed();
    void answer_waiting();
    [[nodiscard]] BinaryMessage frame_message(const SimSnapshot& snapshot,
                                              const std::vector<std::string>& fields);
    void make_world();
    void show_world();
    void remake_if_changed();
    void begin_run();
    void end_run();
    void require_scene() const;
    Json tell();
    [[nodiscard]] Json state_json() const;

    Services services_;
    std::string item_name_;
    std::optional<int> item_;
    std::filesystem::path scene_path_;  // of the item: what its mesh paths are relative to
    Scene scene_;                       // as it was changed
    bool changed_ = false;              // since the world was made
    bool unsaved_changes_ = false;
    bool run_is_kept_ = false;                  // an item shows it
    int grabbed_by_ = 0;                        // client
    std::shared_ptr<const SimSnapshot> start_;  // of the world
    std::unique_ptr<FrameFields> fields_;       // of the world's bodies
    std::vector<Waiting> waiting_;
    std::filesystem::path run_;
    std::unique_ptr<Simulation> simulation_;  // last: its thread posts to this room
};

}  // namespace toile::studio
