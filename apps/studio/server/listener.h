// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/hub.h"
#include "studio/server/site.h"

#include <memory>
#include <string>

namespace toile::studio {

/// The only door to sockets: HTTP/1.1 and WebSocket by Boost.Beast, on one thread of its own, which
/// only moves bytes. Heads are bounded to 16 KiB and 10 s, messages to 4 MiB, connections to 64.
class Listener {
  public:
    /// Binds, so that the port is known; answers nobody yet. `port` 0 is a free one. Throws IoError
    /// where the address cannot be had.
    Listener(const std::string& host, int port);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    [[nodiscard]] int port() const;
    /// Begins to answer. Both outlive the listener, or its `stop`.
    void start(const Site& site, Hub& hub);
    /// Tells all pages that the studio ends, and ends the thread.
    void stop();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace toile::studio
