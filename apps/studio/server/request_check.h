// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace toile::studio {

/// Where the server was asked to listen, and where it does.
struct SiteAddress {
    std::string host;  ///< as asked for: a name or an IP address
    int port = 0;
};

/// Whether a `Host` header names this server, so that no other name can be made to lead here (DNS
/// rebinding): a name of the loopback, or the host that was asked for, with the port. A server that
/// was asked to listen on all addresses takes every IP address, and this machine's own name, too.
bool is_own_host(std::string_view host_header, const SiteAddress& address);

/// Whether an `Origin` header is that of a page that came from the host that the request names.
bool is_own_origin(std::string_view origin, std::string_view host_header);

/// Compares in a time that depends on the lengths alone.
bool is_same_secret(std::string_view a, std::string_view b);

/// 32 hexadecimal digits from the system's random numbers.
std::string random_token();

/// The value of a key in the query of a request's target, as it stands there.
std::optional<std::string> query_value(std::string_view target, std::string_view key);

/// The target without its query.
std::string_view path_of(std::string_view target);

/// Headers of every answer: what a page of ours may load, and that nobody may keep or embed it.
std::span<const std::pair<std::string_view, std::string_view>> safety_headers();

}  // namespace toile::studio
