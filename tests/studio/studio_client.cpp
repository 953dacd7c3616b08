// SPDX-License-Identifier: Apache-2.0
#include "studio/studio_client.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <cstring>
#include <netinet/in.h>
#include <stdexcept>

namespace toile::test {
namespace {

constexpr int kPatience = 60;  // s, that a test waits for an answer before it fails

int connect_to(int port, int seconds) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{seconds, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(fd);
        throw std::runtime_error("cannot connect to the studio");
    }
    return fd;
}

/// Stops quietly where the other end has closed.
void send_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n <= 0) return;
        bytes.remove_prefix(static_cast<size_t>(n));
    }
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::string local_host(int port) {
    return "127.0.0.1:" + std::to_string(port);
}

}  // namespace

std::string raw_answer(int port, std::string_view bytes, int seconds) {
    const int fd = connect_to(port, seconds);
    send_all(fd, bytes);
    std::string answer;
    std::array<char, 65536> piece{};
    ssize_t n = 0;
    while ((n = ::recv(fd, piece.data(), piece.size(), 0)) > 0) {
        answer.append(piece.data(), static_cast<size_t>(n));
    }
    ::close(fd);
    return answer;
}

std::string get(int port, const std::string& target, const std::string& host,
                const std::string& more) {
    return raw_answer(port, "GET " + target + " HTTP/1.1\r\nHost: " +
                                (host.empty() ? local_host(port) : host) + "\r\n" + more + "\r\n");
}

int status_of(const std::string& answer) {
    if (!answer.starts_with("HTTP/1.1 ")) return 0;
    return std::atoi(answer.c_str() + std::strlen("HTTP/1.1 "));
}

std::optional<std::string> header_of(const std::string& answer, const std::string& name) {
    const std::string head = answer.substr(0, answer.find("\r\n\r\n")) + "\r\n";
    const size_t found = lower(head).find("\r\n" + lower(name) + ": ");
    if (found == std::string::npos) return std::nullopt;
    const size_t begin = found + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

std::string body_of(const std::string& answer) {
    const size_t end = answer.find("\r\n\r\n");
    return end == std::string::npos ? "" : answer.substr(end + 4);
}

std::vector<float> BinaryReply::floats(const Json& described) const {
    if (described.at("type") != "f32") throw std::runtime_error("the array is not f32");
    std::vector<float> values(described.at("length").get<size_t>());
    const auto offset = described.at("offset").get<size_t>();
    if (offset + 4 * values.size() > payload.size()) throw std::runtime_error("array too long");
    std::memcpy(values.data(), payload.data() + offset, 4 * values.size());
    return values;
}

std::vector<std::uint32_t> BinaryReply::integers(const Json& described) const {
    if (described.at("type") != "u32") throw std::runtime_error("the array is not u32");
    std::vector<std::uint32_t> values(described.at("length").get<size_t>());
    const auto offset = described.at("offset").get<size_t>();
    if (offset + 4 * values.size() > payload.size()) throw std::runtime_error("array too long");
    std::memcpy(values.data(), payload.data() + offset, 4 * values.size());
    return values;
}

StudioClient::StudioClient(int port, const std::string& token)
    : StudioClient(port, token, Options()) {}

StudioClient::StudioClient(int port, const std::string& token, const Options& options)
    : socket_(connect_to(port, kPatience)) {
    std::string head = "GET /socket?token=" + token + " HTTP/1.1\r\nHost: " +
                       (options.host.empty() ? local_host(port) : options.host) +
                       "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                       "Sec-WebSocket-Version: 13\r\n";
    if (!options.origin.empty()) head += "Origin: " + options.origin + "\r\n";
    send_all(socket_, head + "\r\n");
    std::string byte;
    while (!upgrade_answer_.ends_with("\r\n\r\n") && read_exactly(1, byte)) upgrade_answer_ += byte;
}

StudioClient::~StudioClient() {
    ::close(socket_);
}

void StudioClient::send_bytes(std::string_view bytes) {
    send_all(socket_, bytes);
}

void StudioClient::send_frame(int opcode, std::string_view payload) {
    constexpr int kLast = 0x80, kMasked = 0x80;
    const size_t n = payload.size();
    std::string frame(1, static_cast<char>(kLast | opcode));
    const int n_bytes = n < 126 ? 0 : n < 65536 ? 2 : 8;
    frame += static_cast<char>(kMasked | (n_bytes == 0   ? static_cast<int>(n)
                                          : n_bytes == 2 ? 126
                                                         : 127));
    for (int i = n_bytes - 1; i >= 0; --i) frame += static_cast<char>((n >> (8 * i)) & 0xff);
    const std::string mask = "\x12\x34\x56\x78";
    frame += mask;
    for (size_t i = 0; i < n; ++i) frame += static_cast<char>(payload[i] ^ mask[i % 4]);
    send_all(socket_, frame);
}

bool StudioClient::read_exactly(size_t n, std::string& out) {
    out.resize(n);
    size_t done = 0;
    while (done < n) {
        const ssize_t got = ::recv(socket_, out.data() + done, n - done, 0);
        if (got <= 0) return false;
        done += static_cast<size_t>(got);
    }
    return true;
}

std::optional<StudioClient::Frame> StudioClient::read_frame() {
    std::string head;
    if (!read_exactly(2, head)) return std::nullopt;
    std::uint64_t length = static_cast<unsigned char>(head[1]) & 0x7f;
    if (length >= 126) {
        std::string more;
        if (!read_exactly(length == 126 ? 2 : 8, more)) return std::nullopt;
        length = 0;
        for (const char c : more) length = length << 8 | static_cast<unsigned char>(c);
    }
    Frame frame{static_cast<unsigned char>(head[0]) & 0x0f, {}};
    if (!read_exactly(length, frame.payload)) return std::nullopt;
    return frame;
}

void StudioClient::read_message() {
    constexpr int kClose = 8;
    const std::optional<Frame> frame = read_frame();
    if (!frame || frame->opcode == kClose) {
        closed_ = true;
        if (frame && frame->payload.size() >= 2) {
            close_code_ = static_cast<unsigned char>(frame->payload[0]) << 8 |
                          static_cast<unsigned char>(frame->payload[1]);
        }
        if (frame) send_frame(kClose, frame->payload.substr(0, 2));
        return;
    }
    if (frame->opcode == kBinary) {
        std::uint32_t length = 0;
        std::memcpy(&length, frame->payload.data(), 4);
        binaries_.push_back(
            {Json::parse(frame->payload.substr(4, length)), frame->payload.substr(4 + length)});
    } else if (frame->opcode == kText) {
        Json message = Json::parse(frame->payload);
        (message.contains("event") ? events_ : answers_).push_back(std::move(message));
    }
}

int StudioClient::post(const std::string& name, Json body) {
    body["id"] = ++last_id_;
    body["do"] = name;
    send_text(studio::json_text(body));
    return last_id_;
}

Json StudioClient::answer(int id) {
    while (true) {
        const auto found = std::find_if(answers_.begin(), answers_.end(),
                                        [&](const Json& message) { return message["id"] == id; });
        if (found != answers_.end()) {
            Json message = *found;
            answers_.erase(found);
            return message;
        }
        if (closed_) throw std::runtime_error("the connection ended before the answer");
        read_message();
    }
}

Json StudioClient::ask(const std::string& name, Json body) {
    return answer(post(name, std::move(body)));
}

Json StudioClient::ok(const std::string& name, Json body) {
    Json message = ask(name, std::move(body));
    if (!message.contains("ok")) throw std::runtime_error(studio::json_text(message));
    return message["ok"];
}

Json StudioClient::error(const std::string& name, Json body) {
    Json message = ask(name, std::move(body));
    if (!message.contains("error")) throw std::runtime_error("'" + name + "' was no error");
    return message["error"];
}

BinaryReply StudioClient::binary(const std::string& name, Json body) {
    const int id = post(name, std::move(body));
    while (true) {
        const auto found =
            std::find_if(binaries_.begin(), binaries_.end(),
                         [&](const BinaryReply& reply) { return reply.header["id"] == id; });
        if (found != binaries_.end()) {
            BinaryReply reply = std::move(*found);
            binaries_.erase(found);
            return reply;
        }
        for (const Json& message : answers_) {
            if (message["id"] == id) throw std::runtime_error(studio::json_text(message));
        }
        if (closed_) throw std::runtime_error("the connection ended before the answer");
        read_message();
    }
}

Json StudioClient::event(const std::string& name, const std::function<bool(const Json&)>& wanted) {
    while (true) {
        while (!events_.empty()) {
            Json event = std::move(events_.front());
            events_.pop_front();
            if (event["event"] == name && (!wanted || wanted(event))) return event;
        }
        if (closed_) throw std::runtime_error("the connection ended before the event");
        read_message();
    }
}

int StudioClient::close_code() {
    while (!closed_) read_message();
    return close_code_;
}

}  // namespace toile::test
