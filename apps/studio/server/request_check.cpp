// SPDX-License-Identifier: Apache-2.0
#include "studio/server/request_check.h"

#include "toile/core/error.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>

namespace toile::studio {
namespace {

constexpr size_t kTokenBytes = 16;

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool is_ipv4(const std::string& host) {
    in_addr address{};
    return ::inet_pton(AF_INET, host.c_str(), &address) == 1;
}

bool is_ipv6(const std::string& host) {
    in6_addr address{};
    return ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

/// As it stands in a URL.
std::string in_url(const std::string& host) {
    return is_ipv6(host) ? "[" + host + "]" : host;
}

bool listens_everywhere(const std::string& host) {
    return host == "0.0.0.0" || host == "::";
}

std::string machine_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return {};
    return lower(name.data());
}

/// The name before `:port`; nothing where the port is another.
std::optional<std::string> name_before_port(std::string_view host_header, int port) {
    const std::string ending = fmt::format(":{}", port);
    if (host_header.ends_with(ending)) {
        return lower(host_header.substr(0, host_header.size() - ending.size()));
    }
    constexpr int kDefaultPort = 80;
    if (port == kDefaultPort) return lower(host_header);
    return std::nullopt;
}

bool is_address(const std::string& name) {
    if (name.size() > 2 && name.front() == '[' && name.back() == ']') {
        return is_ipv6(name.substr(1, name.size() - 2));
    }
    return is_ipv4(name);
}

}  // namespace

bool is_own_host(std::string_view host_header, const SiteAddress& address) {
    const std::optional<std::string> name = name_before_port(host_header, address.port);
    if (!name) return false;
    if (*name == "127.0.0.1" || *name == "localhost" || *name == "[::1]") return true;
    if (listens_everywhere(address.host)) {
        return is_address(*name) || (!name->empty() && *name == machine_name());
    }
    return *name == lower(in_url(address.host));
}

bool is_own_origin(std::string_view origin, std::string_view host_header) {
    return lower(origin) == "http://" + lower(host_header);
}

bool is_same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    volatile unsigned char difference = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
    }
    return difference == 0;
}

std::string random_token() {
    std::array<unsigned char, kTokenBytes> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        throw Error("The system gave no random numbers for the studio's token.");
    }
    std::string token;
    for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

std::optional<std::string> query_value(std::string_view target, std::string_view key) {
    const size_t mark = target.find('?');
    if (mark == std::string_view::npos) return std::nullopt;
    std::string_view rest = target.substr(mark + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        const size_t equals = pair.find('=');
        if (equals != std::string_view::npos && pair.substr(0, equals) == key) {
            return std::string(pair.substr(equals + 1));
        }
    }
    return std::nullopt;
}

std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find('?'));
}

std::span<const std::pair<std::string_view, std::string_view>> safety_headers() {
    static constexpr std::pair<std::string_view, std::string_view> kHeaders[] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
         "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
    };
    return kHeaders;
}

}  // namespace toile::studio
