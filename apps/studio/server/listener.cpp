// SPDX-License-Identifier: Apache-2.0
#include "studio/server/listener.h"

#include "studio/server/socket_session.h"
#include "toile/core/error.h"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace toile::studio {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using beast::error_code;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kLongestHead = 16 << 10;  // bytes
constexpr auto kHeadTime = std::chrono::seconds(10);
constexpr auto kAnswerTime = std::chrono::minutes(10);  // a film through a slow tunnel
constexpr auto kGoodbyeTime = std::chrono::milliseconds(500);
constexpr auto kBetweenLooks = std::chrono::milliseconds(5);
constexpr int kMostConnections = 64;
constexpr auto kAfterAcceptError = std::chrono::milliseconds(100);  // as where no handle is left

tcp::endpoint resolve(asio::io_context& context, const std::string& host, int port) {
    tcp::resolver resolver(context);
    error_code error;
    const auto found = resolver.resolve(host, std::to_string(port), error);
    if (error || found.empty()) {
        throw IoError(fmt::format("--host {}: no such address ({}).", host, error.message()));
    }
    return *found.begin();
}

std::optional<std::string> only_value(const UpgradeRequest& request, http::field field) {
    if (request.count(field) != 1) return std::nullopt;
    return std::string(request[field]);
}

HttpHead head_of(const UpgradeRequest& request) {
    HttpHead head;
    head.method = std::string(request.method_string());
    head.target = std::string(request.target());
    head.host = only_value(request, http::field::host);
    head.origin = request.count(http::field::origin) == 0
                      ? std::nullopt
                      : std::optional(only_value(request, http::field::origin).value_or(""));
    head.upgrade = beast::websocket::is_upgrade(request);
    head.has_body = request.chunked() ||
                    (request.has_content_length() && request[http::field::content_length] != "0");
    return head;
}

template <class Body>
void set_headers(const HttpAnswer& answer, http::response<Body>& response) {
    response.version(11);
    response.result(static_cast<unsigned>(answer.status));
    response.keep_alive(false);
    response.set(http::field::content_type, answer.type);
    if (!answer.location.empty()) response.set(http::field::location, answer.location);
    if (!answer.allow.empty()) response.set(http::field::allow, answer.allow);
    if (!answer.file_name.empty()) {
        response.set(http::field::content_disposition,
                     "attachment; filename=\"" + answer.file_name + "\"");
    }
    for (const auto& [name, value] : safety_headers()) {
        response.set(beast::string_view(name.data(), name.size()),
                     beast::string_view(value.data(), value.size()));
    }
}

/// Of a name in quotes in a header: letters that could end it become `_`.
std::string quotable(std::string name) {
    for (char& c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\') c = '_';
    }
    return name;
}

HttpAnswer bad_head(const error_code& error) {
    HttpAnswer answer;
    const bool too_long = error == http::error::header_limit;
    answer.status = too_long ? 431 : 400;
    answer.body = too_long ? "The request's head is longer than 16 KiB.\n"
                           : "The request is not understood.\n";
    return answer;
}

}  // namespace

struct Listener::Parts {
    const Site* site = nullptr;
    OpenSockets sockets;
    int n_connections = 0;        // that have not been answered, or upgraded
    asio::io_context context{1};  // after what its handlers use
    tcp::acceptor acceptor{context};
    asio::steady_timer timer{context};
    std::thread thread;

    void accept();
    /// Ends the thread once all pages have said goodbye, or at the latest time.
    void end_when_quiet(Clock::time_point latest);
};

namespace {

/// One HTTP connection: one request, one answer.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
  public:
    HttpSession(tcp::socket socket, const Site& site, OpenSockets& sockets, int& n_connections)
        : stream_(std::move(socket)),
          site_(site),
          sockets_(sockets),
          n_connections_(n_connections) {
        ++n_connections_;
    }
    ~HttpSession() { --n_connections_; }
    HttpSession(const HttpSession&) = delete;
    HttpSession& operator=(const HttpSession&) = delete;

    void run() {
        parser_.header_limit(kLongestHead);
        stream_.expires_after(kHeadTime);
        http::async_read_header(
            stream_, buffer_, parser_,
            [self = shared_from_this()](const error_code& error, size_t) { self->on_head(error); });
    }

  private:
    void on_head(const error_code& error) {
        if (error == http::error::end_of_stream || error == beast::error::timeout) return;
        if (error) return write(bad_head(error));
        HttpAnswer answer = site_.answer(head_of(parser_.get()));
        if (answer.socket) {
            stream_.expires_never();
            return serve_socket(std::move(stream_), parser_.release(), sockets_);
        }
        answer.file_name = quotable(answer.file_name);
        write(answer);
    }

    void write(const HttpAnswer& answer) {
        if (!answer.file.empty()) return write_file(answer);
        auto response = std::make_shared<http::response<http::string_body>>();
        set_headers(answer, *response);
        response->body() = answer.body;
        response->prepare_payload();
        send(response);
    }

    void write_file(const HttpAnswer& answer) {
        auto response = std::make_shared<http::response<http::file_body>>();
        error_code error;
        response->body().open(answer.file.c_str(), beast::file_mode::scan, error);
        if (error) {
            HttpAnswer gone;
            gone.status = 404;
            gone.body = "The file is no longer there.\n";
            return write(gone);
        }
        set_headers(answer, *response);
        response->prepare_payload();
        send(response);
    }

    template <class Response>
    void send(std::shared_ptr<Response> response) {
        stream_.expires_after(kAnswerTime);
        http::async_write(
            stream_, *response,
            [self = shared_from_this(), response](const error_code&, size_t) { self->finish(); });
    }

    /// Reads what the other end still sends, a little, so that it sees the answer and no reset.
    void finish() {
        error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
        stream_.expires_after(kGoodbyeTime);
        drain();
    }

    void drain() {
        stream_.async_read_some(asio::buffer(rest_),
                                [self = shared_from_this()](const error_code& error, size_t) {
                                    if (!error) self->drain();
                                });
    }

    beast::tcp_stream stream_;
    const Site& site_;
    OpenSockets& sockets_;
    int& n_connections_;
    beast::flat_buffer buffer_{kLongestHead};
    http::request_parser<http::empty_body> parser_;
    std::array<char, 4096> rest_{};
};

}  // namespace

Listener::Listener(const std::string& host, int port) : parts_(std::make_unique<Parts>()) {
    const tcp::endpoint endpoint = resolve(parts_->context, host, port);
    error_code error;
    parts_->acceptor.open(endpoint.protocol(), error);
    if (!error) parts_->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) parts_->acceptor.bind(endpoint, error);
    if (!error) parts_->acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
        throw IoError(
            fmt::format("Cannot listen on port {} of {}: {}.", port, host, error.message()));
    }
}

Listener::~Listener() {
    stop();
}

int Listener::port() const {
    return parts_->acceptor.local_endpoint().port();
}

void Listener::Parts::accept() {
    acceptor.async_accept([this](const error_code& error, tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        const auto n_open = n_connections + static_cast<int>(sockets.sessions.size());
        if (!error && n_open < kMostConnections) {
            std::make_shared<HttpSession>(std::move(socket), *site, sockets, n_connections)->run();
        }
        if (!error) return accept();
        timer.expires_after(kAfterAcceptError);
        timer.async_wait([this](const error_code& stopped) {
            if (!stopped) accept();
        });
    });
}

void Listener::start(const Site& site, Hub& hub) {
    parts_->site = &site;
    parts_->sockets.hub = &hub;
    parts_->accept();
    parts_->thread = std::thread([this] { parts_->context.run(); });
}

void Listener::Parts::end_when_quiet(Clock::time_point latest) {
    if (sockets.sessions.empty() || Clock::now() >= latest) return context.stop();
    timer.expires_after(kBetweenLooks);
    timer.async_wait([this, latest](const error_code&) { end_when_quiet(latest); });
}

void Listener::stop() {
    if (!parts_->thread.joinable()) return;
    asio::post(parts_->context, [this] {
        error_code ignored;
        parts_->acceptor.close(ignored);
        close_sockets(parts_->sockets);
        parts_->end_when_quiet(Clock::now() + kGoodbyeTime);
    });
    parts_->thread.join();
    parts_->sockets.sessions.clear();
}

}  // namespace toile::studio
