// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/downloads.h"
#include "studio/server/page_files.h"
#include "studio/server/request_check.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>

namespace toile::studio {

/// The head of an HTTP request, as far as the studio looks at it.
struct HttpHead {
    std::string method;
    std::string target;
    std::optional<std::string> host;  ///< nothing where there is none, or more than one
    std::optional<std::string> origin;
    bool upgrade = false;  ///< to a WebSocket
    bool has_body = false;
};

/// What it is answered with, besides safety_headers().
struct HttpAnswer {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::string body = {};
    std::filesystem::path file = {};  ///< instead of the body, where not empty
    std::string file_name = {};       ///< under which the browser saves it
    std::string allow = {};           ///< the methods that there are, of a 405
    std::string location = {};        ///< where to go instead, of a 303
    bool socket = false;              ///< the upgrade is granted
};

/// Decides on every request: first that it may be asked at all, then what it gets. Knows nothing of
/// sockets.
class Site {
  public:
    Site(SiteAddress address, std::string token, const Downloads& downloads);

    [[nodiscard]] HttpAnswer answer(const HttpHead& head) const;
    /// The page's address, with the token.
    [[nodiscard]] std::string url() const;
    /// Leads to it once, for the command line of a browser: other users of the machine can read
    /// that, and the token must not stand there.
    [[nodiscard]] std::string ticket_url() const;

  private:
    [[nodiscard]] std::optional<HttpAnswer> refusal(const HttpHead& head) const;
    [[nodiscard]] std::string address_of(const std::string& target) const;
    [[nodiscard]] HttpAnswer page(bool knows_token) const;
    [[nodiscard]] HttpAnswer open(const std::optional<std::string>& ticket) const;
    [[nodiscard]] HttpAnswer download(std::string_view path) const;

    SiteAddress address_;
    std::string token_;
    std::string ticket_ = random_token();
    mutable std::atomic<bool> ticket_is_used_ = false;
    const Downloads& downloads_;
};

}  // namespace toile::studio
