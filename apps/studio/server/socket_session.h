// SPDX-License-Identifier: Apache-2.0
// Includes Boost.Beast: only for listener.cpp and socket_session.cpp.
#pragma once

#include "studio/server/hub.h"

#include <boost/asio/io_context.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <set>

namespace toile::studio {

class SocketSession;

/// The WebSocket sessions that are open; only for the socket thread.
struct OpenSockets {
    Hub* hub = nullptr;
    std::set<std::shared_ptr<SocketSession>> sessions;
};

using UpgradeRequest = boost::beast::http::request<boost::beast::http::empty_body>;

/// Accepts the upgrade and serves the connection until it ends. On the socket thread.
void serve_socket(boost::beast::tcp_stream stream, UpgradeRequest request, OpenSockets& sockets);

/// Says goodbye to all (close code 1001).
void close_sockets(OpenSockets& sockets);

}  // namespace toile::studio
