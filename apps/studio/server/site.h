// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/downloads.h"
#include "studio/server/page_files.h"
#include "studio/server/request_check.h"

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

  private:
    [[nodiscard]] std::optional<HttpAnswer> refusal(const HttpHead& head) const;
    [[nodiscard]] HttpAnswer page(bool knows_token) const;
    [[nodiscard]] HttpAnswer download(std::string_view path) const;

    SiteAddress address_;
    std::string token_;
    const Downloads& downloads_;
};

}  // namespace toile::studio
