// SPDX-License-Identifier: Apache-2.0
#include "studio/server/socket_session.h"

#include "studio/server/request_check.h"

#include <boost/asio/post.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <utility>

namespace toile::studio {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using beast::error_code;

namespace {

constexpr size_t kLongestMessage = size_t{4} << 20;  // bytes, of a page
constexpr size_t kMostWaiting = size_t{64} << 20;    // bytes for a page: it is heard again below
constexpr size_t kMostUnread = size_t{1} << 30;      // bytes for a page: it is given up above
constexpr int kMostOpen = 64;                        // unanswered requests of a page

websocket::close_reason reason(int code, const std::string& words) {
    constexpr size_t kMostWords = 120;  // of the 123 bytes that a close frame can take
    return {static_cast<websocket::close_code>(code), words.substr(0, kMostWords)};
}

}  // namespace

/// One WebSocket. A page that asks faster than it reads is not heard until it has read.
class SocketSession final : public Outlet, public std::enable_shared_from_this<SocketSession> {
  public:
    SocketSession(beast::tcp_stream stream, OpenSockets& sockets)
        : stream_(std::move(stream)), sockets_(sockets) {}

    void accept(UpgradeRequest request);
    void send(Outgoing message) override;
    void close(int code, const std::string& words) override;
    void close_now(const websocket::close_reason& why);

  private:
    void read();
    void on_read(const error_code& error);
    void queue(Outgoing message);
    void write();
    void on_write(const error_code& error);
    void on_accept(const error_code& error);
    void send_close();
    void end();

    websocket::stream<beast::tcp_stream> stream_;
    OpenSockets& sockets_;
    UpgradeRequest request_;
    beast::flat_buffer buffer_;
    std::deque<Outgoing> outgoing_;
    size_t waiting_bytes_ = 0;
    int client_ = 0;
    int open_requests_ = 0;
    bool reading_ = false;
    bool writing_ = false;
    bool open_ = false;  // the handshake is done
    bool closing_ = false;
    websocket::close_reason why_;
    bool ended_ = false;
};

void SocketSession::accept(UpgradeRequest request) {
    request_ = std::move(request);
    stream_.set_option(websocket::stream_base::timeout::suggested(beast::role_type::server));
    stream_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
        for (const auto& [name, value] : safety_headers()) {
            response.set(beast::string_view(name.data(), name.size()),
                         beast::string_view(value.data(), value.size()));
        }
    }));
    stream_.read_message_max(kLongestMessage);
    stream_.auto_fragment(false);
    sockets_.sessions.insert(
        shared_from_this());  // so that it is told of an end during the handshake
    stream_.async_accept(
        request_, [self = shared_from_this()](const error_code& error) { self->on_accept(error); });
}

void SocketSession::on_accept(const error_code& error) {
    if (error) return end();
    open_ = true;
    client_ = sockets_.hub->join(shared_from_this());
    if (closing_) return send_close();
    read();
}

void SocketSession::read() {
    const bool full = open_requests_ >= kMostOpen || waiting_bytes_ > kMostWaiting;
    if (reading_ || closing_ || ended_ || full) return;
    reading_ = true;
    stream_.async_read(buffer_, [self = shared_from_this()](const error_code& error, size_t) {
        self->reading_ = false;
        self->on_read(error);
    });
}

void SocketSession::on_read(const error_code& error) {
    if (error) return end();
    if (!stream_.got_text()) return close_now(reason(1003, "Messages of a page are text."));
    const std::string text = beast::buffers_to_string(buffer_.data());
    buffer_.clear();
    ++open_requests_;
    sockets_.hub->receive(client_, text);
    read();
}

void SocketSession::send(Outgoing message) {
    boost::asio::post(stream_.get_executor(),
                      [self = shared_from_this(), message = std::move(message)]() mutable {
                          self->queue(std::move(message));
                      });
}

void SocketSession::close(int code, const std::string& words) {
    boost::asio::post(stream_.get_executor(), [self = shared_from_this(), code, words] {
        self->close_now(reason(code, words));
    });
}

void SocketSession::queue(Outgoing message) {
    if (message.answers) --open_requests_;
    if (ended_ || closing_) return;
    waiting_bytes_ += message.bytes->size();
    if (waiting_bytes_ > kMostUnread) return end();
    outgoing_.push_back(std::move(message));
    write();
    read();
}

void SocketSession::write() {
    if (writing_ || outgoing_.empty() || closing_ || ended_) return;
    writing_ = true;
    stream_.binary(outgoing_.front().binary);
    const std::string& bytes = *outgoing_.front().bytes;
    stream_.async_write(boost::asio::buffer(bytes),
                        [self = shared_from_this()](const error_code& error, size_t) {
                            self->writing_ = false;
                            self->on_write(error);
                        });
}

void SocketSession::on_write(const error_code& error) {
    if (error) return end();
    waiting_bytes_ -= outgoing_.front().bytes->size();
    outgoing_.pop_front();
    write();
    read();
}

void SocketSession::close_now(const websocket::close_reason& why) {
    if (closing_ || ended_) return;
    closing_ = true;
    why_ = why;
    if (open_) send_close();
}

void SocketSession::send_close() {
    stream_.async_close(why_, [self = shared_from_this()](const error_code&) { self->end(); });
}

void SocketSession::end() {
    if (ended_) return;
    ended_ = true;
    beast::get_lowest_layer(stream_).cancel();
    if (open_) sockets_.hub->leave(client_);
    sockets_.sessions.erase(shared_from_this());
}

void serve_socket(beast::tcp_stream stream, UpgradeRequest request, OpenSockets& sockets) {
    std::make_shared<SocketSession>(std::move(stream), sockets)->accept(std::move(request));
}

void close_sockets(OpenSockets& sockets) {
    constexpr int kGoingAway = 1001;
    const auto sessions = sockets.sessions;
    for (const auto& session : sessions) {
        session->close_now(reason(kGoingAway, "The studio has ended."));
    }
}

}  // namespace toile::studio
