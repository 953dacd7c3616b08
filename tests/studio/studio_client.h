// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/message.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toile::test {

using studio::Json;

/// Sends bytes to a port of this machine and returns all that comes back until the other end
/// closes, or nothing comes for `seconds`.
std::string raw_answer(int port, std::string_view bytes, int seconds = 20);

/// `GET target` with a `Host` header (127.0.0.1:port where empty) and further header lines.
std::string get(int port, const std::string& target, const std::string& host = {},
                const std::string& more = {});

int status_of(const std::string& answer);
/// The value of a header, without regard to its case; nothing where there is none.
std::optional<std::string> header_of(const std::string& answer, const std::string& name);
std::string body_of(const std::string& answer);

/// A binary answer: its header, and its arrays by what the header says of them.
struct BinaryReply {
    Json header;
    std::string payload;

    [[nodiscard]] std::vector<float> floats(const Json& described) const;
    [[nodiscard]] std::vector<std::uint32_t> integers(const Json& described) const;
};

/// A page as far as the protocol goes: a WebSocket made by hand, that can also send what no browser
/// would.
class StudioClient {
  public:
    struct Options {
        std::string host = {};    ///< header; 127.0.0.1:port where empty
        std::string origin = {};  ///< header; none where empty
    };
    /// Connects and asks for the upgrade; `upgrade_status` says whether it was granted.
    StudioClient(int port, const std::string& token);
    StudioClient(int port, const std::string& token, const Options& options);
    ~StudioClient();
    StudioClient(const StudioClient&) = delete;
    StudioClient& operator=(const StudioClient&) = delete;

    [[nodiscard]] int upgrade_status() const { return status_of(upgrade_answer_); }
    [[nodiscard]] const std::string& upgrade_answer() const { return upgrade_answer_; }

    void send_text(std::string_view text) { send_frame(kText, text); }
    void send_frame(int opcode, std::string_view payload);
    void send_bytes(std::string_view bytes);  ///< as they are

    /// Asks and waits for the answer, `{"ok": ...}` or `{"error": ...}`; events on the way are
    /// kept.
    Json ask(const std::string& name, Json body = Json::object());
    /// As ask, but the content of `ok`; throws std::runtime_error with the message of an error.
    Json ok(const std::string& name, Json body = Json::object());
    /// As ask, but the error; throws where there is none.
    Json error(const std::string& name, Json body = Json::object());
    BinaryReply binary(const std::string& name, Json body = Json::object());
    /// Sends a request and returns its number, without waiting.
    int post(const std::string& name, Json body = Json::object());
    /// The answer to a request that was posted, as ask returns it.
    Json answer(int id);

    /// The first kept or coming event of the name for which `wanted` holds; earlier ones of the
    /// name are dropped.
    Json event(const std::string& name, const std::function<bool(const Json&)>& wanted = {});
    /// Waits for the end of the connection; its close code, or 0 where it ended without one.
    int close_code();

    static constexpr int kText = 1;
    static constexpr int kBinary = 2;

  private:
    struct Frame {
        int opcode = 0;
        std::string payload;
    };
    std::optional<Frame> read_frame();
    bool read_exactly(size_t n, std::string& out);
    void read_message();

    int socket_ = -1;
    std::string upgrade_answer_;
    std::deque<Json> events_;
    std::deque<Json> answers_;
    std::deque<BinaryReply> binaries_;
    bool closed_ = false;
    int close_code_ = 0;
    int last_id_ = 0;
};

}  // namespace toile::test
