// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace toile::studio {

/// One message on its way to a page.
struct Outgoing {
    std::shared_ptr<const std::string> bytes;
    bool binary = false;
    bool answers = false;  ///< a request, which is then no longer open
};

/// A page's end of its connection. Every function may be called from any thread, and does nothing
/// once the page has gone.
class Outlet {
  public:
    virtual ~Outlet() = default;
    virtual void send(Outgoing message) = 0;
    /// Ends the connection with a WebSocket close code.
    virtual void close(int code, const std::string& reason) = 0;
};

}  // namespace toile::studio
