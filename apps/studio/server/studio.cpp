// SPDX-License-Identifier: Apache-2.0
#include "studio/server/studio.h"

#include "studio/rooms/edit_room.h"
#include "studio/rooms/export_room.h"
#include "studio/rooms/files_room.h"
#include "studio/rooms/look_room.h"
#include "studio/rooms/match_room.h"
#include "studio/rooms/simulate_room.h"
#include "studio/rooms/transfer_room.h"
#include "studio/server/listener.h"
#include "studio/server/services.h"
#include "toile/core/log.h"

#include <chrono>
#include <exception>
#include <thread>
#include <vector>

namespace toile::studio {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(50);

std::vector<std::unique_ptr<Room>> make_rooms(const Services& services) {
    std::vector<std::unique_ptr<Room>> rooms;
    rooms.push_back(std::make_unique<LookRoom>(services));
    rooms.push_back(std::make_unique<FilesRoom>(services));
    rooms.push_back(std::make_unique<SimulateRoom>(services));
    const auto board = std::make_shared<MatchBoard>();
    rooms.push_back(std::make_unique<MatchRoom>(services, board));
    rooms.push_back(std::make_unique<TransferRoom>(services, board));
    rooms.push_back(std::make_unique<EditRoom>(services));
    rooms.push_back(std::make_unique<ExportRoom>(services));
    return rooms;
}

/// Whether a room had something to keep. One that cannot write it says so, and hinders no other.
bool keeps_unsaved(Room& room, const std::filesystem::path& folder) {
    try {
        return !room.keep_unsaved(folder).empty();
    } catch (const std::exception& e) {
        log_warning(e.what());
        return true;
    }
}

}  // namespace

struct Studio::Parts {
    explicit Parts(const StudioOptions& options) : listener(options.host, options.port) {
        site = std::make_unique<Site>(SiteAddress{options.host, listener.port()}, token, downloads);
    }

    Listener listener;  // first: what rooms and hub still hold of pages ends before it
    Hub hub;
    Downloads downloads;
    Workspace workspace{hub};
    JobRunner jobs{hub};
    std::vector<std::unique_ptr<Room>> rooms = make_rooms({hub, workspace, jobs, downloads});
    std::string token = random_token();
    std::unique_ptr<Site> site;
    bool ended = false;
};

Studio::Studio(const StudioOptions& options) : parts_(std::make_unique<Parts>(options)) {
    if (options.paths.empty()) parts_->workspace.roots().add(".");
    for (const std::string& path : options.paths) parts_->workspace.open_argument(path);
    for (const auto& room : parts_->rooms) parts_->hub.add_room(*room);
    parts_->listener.start(*parts_->site, parts_->hub);
}

Studio::~Studio() {
    end();
}

std::string Studio::url() const {
    return parts_->site->url();
}

std::string Studio::ticket_url() const {
    return parts_->site->ticket_url();
}

int Studio::port() const {
    return parts_->listener.port();
}

const std::string& Studio::token() const {
    return parts_->token;
}

void Studio::note(const std::string& message) {
    parts_->hub.announce("note", {{"message", message}});
}

std::string Studio::end() {
    if (parts_->ended) return {};
    parts_->ended = true;
    parts_->listener.stop();
    parts_->jobs.cancel();
    parts_->hub.stop();
    parts_->jobs.stop();
    Workspace& workspace = parts_->workspace;
    workspace.keep_scratch(true);  // until it is known that nothing is in it
    bool keep = false;
    for (const Item& item : workspace.items()) keep = keep || item.unsaved;
    for (const auto& room : parts_->rooms) keep = keeps_unsaved(*room, workspace.scratch()) || keep;
    workspace.keep_scratch(keep);
    return keep ? workspace.scratch().string() : std::string();
}

void wait_for(const Cancellation& cancellation) {
    while (!cancellation.requested()) std::this_thread::sleep_for(kBetweenLooks);
}

}  // namespace toile::studio
