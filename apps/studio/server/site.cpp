// SPDX-License-Identifier: Apache-2.0
#include "studio/server/site.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace toile::studio {
namespace {

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr std::string_view kDownloadPath = "/download/";

HttpAnswer plain(int status, std::string body) {
    HttpAnswer answer;
    answer.status = status;
    answer.body = std::move(body) + "\n";
    return answer;
}

HttpAnswer content(const char* type, std::string_view bytes) {
    HttpAnswer answer;
    answer.type = type;
    answer.body = bytes;
    return answer;
}

std::optional<int> number_after(std::string_view path, std::string_view prefix) {
    const std::string_view digits = path.substr(prefix.size());
    int number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

constexpr std::string_view kNoTokenPage = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Toile</title>
<link rel="icon" href="data:,"></head>
<body><h1>Toile's studio</h1>
<p>This address lacks the studio's token. Open the whole address that <code>toile studio</code>
has printed in its terminal: it ends in <code>?token=</code> and 32 letters and digits.</p>
</body></html>
)";

}  // namespace

Site::Site(SiteAddress address, std::string token, const Downloads& downloads)
    : address_(std::move(address)), token_(std::move(token)), downloads_(downloads) {}

HttpAnswer Site::answer(const HttpHead& head) const {
    if (std::optional<HttpAnswer> no = refusal(head)) return *std::move(no);
    const std::string_view path = path_of(head.target);
    const std::optional<std::string> token = query_value(head.target, "token");
    const bool knows_token = token && is_same_secret(*token, token_);
    if (path == "/") return page(knows_token);
    if (path == "/open") return open(query_value(head.target, "ticket"));
    if (path == "/studio.js") return content("text/javascript; charset=utf-8", page_files().script);
    if (path == "/studio.css") return content("text/css; charset=utf-8", page_files().style);
    const bool is_socket = path == "/socket";
    if (!is_socket && !path.starts_with(kDownloadPath)) return plain(404, "There is nothing here.");
    if (!knows_token) return plain(403, "The token is missing or wrong.");
    if (!is_socket) return download(path);
    if (!head.upgrade) return plain(426, "This address is for a WebSocket.");
    HttpAnswer answer;
    answer.status = 101;
    answer.socket = true;
    return answer;
}

std::optional<HttpAnswer> Site::refusal(const HttpHead& head) const {
    if (!head.host || !is_own_host(*head.host, address_)) {
        return plain(403, fmt::format("This is not the studio's address; it is on port {} of {}.",
                                      address_.port, address_.host));
    }
    if (head.origin && !is_own_origin(*head.origin, *head.host)) {
        return plain(403, "Another site's page may not ask the studio.");
    }
    if (head.method != "GET") {
        HttpAnswer answer = plain(405, "Only GET is answered.");
        answer.allow = "GET";
        return answer;
    }
    if (head.has_body) return plain(413, "A request has no body.");
    return std::nullopt;
}

HttpAnswer Site::page(bool knows_token) const {
    if (knows_token) return content(kHtml, page_files().html);
    HttpAnswer answer = content(kHtml, kNoTokenPage);
    answer.status = 403;
    return answer;
}

HttpAnswer Site::open(const std::optional<std::string>& ticket) const {
    const bool is_right = ticket && is_same_secret(*ticket, ticket_);
    if (!is_right || ticket_is_used_.exchange(true)) return page(false);
    HttpAnswer answer = plain(303, "The studio is here.");
    answer.location = "/?token=" + token_;
    return answer;
}

HttpAnswer Site::download(std::string_view path) const {
    const std::optional<int> number = number_after(path, kDownloadPath);
    const std::optional<Download> found = number ? downloads_.find(*number) : std::nullopt;
    if (!found) return plain(404, "There is no such download.");
    HttpAnswer answer;
    answer.type = "application/octet-stream";
    answer.file = found->file;
    answer.file_name = found->name;
    return answer;
}

std::string Site::url() const {
    return address_of("?token=" + token_);
}

std::string Site::ticket_url() const {
    return address_of("open?ticket=" + ticket_);
}

std::string Site::address_of(const std::string& target) const {
    const bool everywhere = address_.host == "0.0.0.0" || address_.host == "::";
    std::string host = everywhere ? "127.0.0.1" : address_.host;
    if (host.find(':') != std::string::npos) host = "[" + host + "]";
    return fmt::format("http://{}:{}/{}", host, address_.port, target);
}

}  // namespace toile::studio
