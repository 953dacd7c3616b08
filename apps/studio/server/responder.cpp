// SPDX-License-Identifier: Apache-2.0
#include "studio/server/responder.h"

#include <atomic>
#include <utility>

namespace toile::studio {

struct Responder::State {
    State(std::shared_ptr<Outlet> page, Json number)
        : outlet(std::move(page)), id(std::move(number)) {}
    ~State() { send_text("error", error_json(Busy("The studio gave the request up."))); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void send(std::string bytes, bool binary) {
        if (answered.exchange(true)) return;
        outlet->send({std::make_shared<const std::string>(std::move(bytes)), binary, true});
    }
    void send_text(const char* key, const Json& content) {
        if (!answered) send(json_text({{"id", id}, {key, content}}), false);
    }

    std::shared_ptr<Outlet> outlet;
    Json id;
    std::atomic<bool> answered{false};
};

Responder::Responder(std::shared_ptr<Outlet> outlet, Json id)
    : state_(std::make_shared<State>(std::move(outlet), std::move(id))) {}

void Responder::ok(const Json& content) const {
    state_->send_text("ok", content);
}

void Responder::ok(const JsonText& content) const {
    if (state_->answered) return;
    state_->send("{\"id\":" + json_text(state_->id) + ",\"ok\":" + content.text + "}", false);
}

void Responder::binary(const BinaryMessage& message) const {
    if (!state_->answered) state_->send(message.bytes(state_->id), true);
}

void Responder::error(const std::exception& error) const {
    state_->send_text("error", error_json(error));
}

void Responder::answer(const Answer& answer) const {
    if (const auto* json = std::get_if<Json>(&answer)) ok(*json);
    if (const auto* text = std::get_if<JsonText>(&answer)) ok(*text);
    if (const auto* message = std::get_if<BinaryMessage>(&answer)) binary(*message);
}

}  // namespace toile::studio
