// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/request.h"
#include "studio/server/task_queue.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace toile::studio {

/// A request that a room knows.
struct RequestEntry {
    std::string name;  ///< as `do` says: "sim.play"
    /// Called on the room's thread. What it throws becomes the error that the page is told.
    std::function<Answer(const Request&)> handle;
    /// Of several that one page has waiting, only the last is done; the others are answered
    /// `{"skipped": true}`.
    bool newest_wins = false;
};

/// A part of the studio with a state of its own. Its handlers run one at a time, in the order of
/// their requests, on a thread of the room's own: so they need no locks, and a slow one delays no
/// other room. What takes longer than a person waits goes to the JobRunner.
class Room {
  public:
    virtual ~Room() = default;

    /// Asked for once, when the room is added to the hub.
    [[nodiscard]] virtual std::vector<RequestEntry> requests() = 0;
    /// A page has gone; called on the room's thread.
    virtual void client_left(int /*client*/) {}
    /// The studio ends: writes what exists nowhere else into a folder, and returns the files'
    /// names. Called when no handler runs any more.
    [[nodiscard]] virtual std::vector<std::string> keep_unsaved(
        const std::filesystem::path& /*folder*/) {
        return {};
    }

    /// Has the room's thread do something, as the end of a job that changes the room's state.
    void post(std::function<void()> task) { queue_.post({.run = std::move(task)}); }
    [[nodiscard]] TaskQueue& queue() { return queue_; }

  private:
    TaskQueue queue_;
};

}  // namespace toile::studio
