// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/outlet.h"
#include "studio/server/room.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace toile::studio {

/// Brings pages and rooms together: requests of pages to the rooms that know them, events of rooms
/// to all pages. Knows nothing of sockets.
class Hub {
  public:
    ~Hub();

    /// Before the first page joins. The room outlives the hub, or the hub's `stop`.
    void add_room(Room& room);

    /// A page has come; its number.
    int join(std::shared_ptr<Outlet> outlet);
    void leave(int client);
    /// A text message of a page. What is no JSON object ends its connection with 1007.
    void receive(int client, std::string_view text);

    /// Tells all pages `{"event": name, ...content}` and keeps the content as that part of the
    /// state which `hello` answers. From any thread.
    void publish(const std::string& name, const Json& content);
    /// Tells all pages, and keeps nothing.
    void announce(const std::string& name, const Json& content);
    /// The content of every event published, by name.
    [[nodiscard]] Json published() const;

    /// Ends the threads of all rooms; what is waiting, and further requests, are given up.
    void stop();

  private:
    struct Entry {
        RequestEntry request;
        Room* room;
    };
    void dispatch(Request request);
    void send_event(const std::string& name, const Json& content);
    [[nodiscard]] std::shared_ptr<Outlet> outlet(int client) const;
    [[nodiscard]] std::string unknown(const std::string& name) const;

    std::map<std::string, Entry> entries_;
    std::vector<Room*> rooms_;
    mutable std::mutex mutex_;  // of all below
    std::map<int, std::shared_ptr<Outlet>> clients_;
    Json published_ = Json::object();
    int last_client_ = 0;
};

}  // namespace toile::studio
