// SPDX-License-Identifier: Apache-2.0
#include "studio/server/hub.h"

#include "toile/core/near_miss.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace toile::studio {
namespace {

constexpr int kInvalidData = 1007;  // close code of a message that is not what it should be
constexpr int kDeepest = 16;        // nesting of a request; ours need 4
constexpr int kMostKeys = 256;      // ours need 20, and each is looked for among those before it

struct Malformed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Json parse_object(std::string_view text) {
    int n_keys = 0;
    const auto watch = [&n_keys](int depth, Json::parse_event_t event, Json&) {
        if (depth > kDeepest) throw Malformed("The message is nested too deeply.");
        if (event == Json::parse_event_t::key && ++n_keys > kMostKeys) {
            throw Malformed("The message has too many keys.");
        }
        return true;
    };
    Json body;
    try {
        body = Json::parse(text, watch);
    } catch (const Json::exception&) {
        throw Malformed("The message is not JSON.");
    }
    if (!body.is_object()) throw Malformed("The message is not a JSON object.");
    return body;
}

/// The number of a request: what it is answered with.
Json id_of(const Json& body) {
    const auto id = body.find("id");
    if (id == body.end() || !id->is_number_integer()) {
        throw Malformed("The message has no whole number 'id'.");
    }
    return *id;
}

}  // namespace

Hub::~Hub() {
    stop();
}

void Hub::add_room(Room& room) {
    rooms_.push_back(&room);
    for (RequestEntry& request : room.requests()) {
        std::string name = request.name;
        const bool is_new = entries_.emplace(name, Entry{std::move(request), &room}).second;
        if (!is_new) throw std::logic_error("two rooms know the request '" + name + "'");
    }
}

int Hub::join(std::shared_ptr<Outlet> outlet) {
    const std::lock_guard lock(mutex_);
    clients_.emplace(++last_client_, std::move(outlet));
    return last_client_;
}

void Hub::leave(int client) {
    {
        const std::lock_guard lock(mutex_);
        if (clients_.erase(client) == 0) return;
    }
    for (Room* room : rooms_) room->post([room, client] { room->client_left(client); });
}

void Hub::receive(int client, std::string_view text) {
    const std::shared_ptr<Outlet> page = outlet(client);
    if (!page) return;
    try {
        Json body = parse_object(text);
        Responder responder(page, id_of(body));
        Request request{{}, std::move(body), client, responder};
        try {
            request.name = "A message";
            request.name = request.text("do");
            dispatch(std::move(request));
        } catch (const Error& e) {
            responder.error(e);
        }
    } catch (const Malformed& e) {
        page->close(kInvalidData, e.what());
    }
}

void Hub::dispatch(Request request) {
    const auto found = entries_.find(request.name);
    if (found == entries_.end()) throw UsageError(unknown(request.name));
    const Entry& entry = found->second;
    Task task;
    const Responder responder = request.responder;
    if (entry.request.newest_wins) {
        task.key = fmt::format("{} {}", request.client, request.name);
        task.skip = [responder] { responder.ok(Json{{"skipped", true}}); };
    }
    const auto shared = std::make_shared<const Request>(std::move(request));
    task.run = [shared, &entry] {
        try {
            shared->responder.answer(entry.request.handle(*shared));
        } catch (const std::exception& e) {
            shared->responder.error(e);
        }
    };
    entry.room->queue().post(std::move(task));
}

std::string Hub::unknown(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& [known, entry] : entries_) names.push_back(known);
    return fmt::format("There is no request '{}'.{}", name.substr(0, 100),
                       did_you_mean(name.substr(0, 100), names));
}

void Hub::publish(const std::string& name, const Json& content) {
    const std::lock_guard lock(mutex_);
    published_[name] = content;
    send_event(name, content);
}

void Hub::announce(const std::string& name, const Json& content) {
    const std::lock_guard lock(mutex_);
    send_event(name, content);
}

void Hub::send_event(const std::string& name, const Json& content) {
    Json event = {{"event", name}};
    event.update(content);
    const auto bytes = std::make_shared<const std::string>(json_text(event));
    for (const auto& [client, page] : clients_) page->send({bytes, false, false});
}

Json Hub::published() const {
    const std::lock_guard lock(mutex_);
    return published_;
}

std::shared_ptr<Outlet> Hub::outlet(int client) const {
    const std::lock_guard lock(mutex_);
    const auto found = clients_.find(client);
    return found == clients_.end() ? nullptr : found->second;
}

void Hub::stop() {
    for (Room* room : rooms_) room->queue().stop();
    rooms_.clear();
}

}  // namespace toile::studio
