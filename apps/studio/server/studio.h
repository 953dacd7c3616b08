// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/cancellation.h"

#include <memory>
#include <string>
#include <vector>

namespace toile::studio {

struct StudioOptions {
    std::vector<std::string> paths;  ///< to open; none: the current folder can be looked through
    std::string host = "127.0.0.1";
    int port = 0;  ///< 0: a free one
};

/// The whole studio: rooms, workspace and server.
class Studio {
  public:
    /// Opens the paths and listens. Throws IoError or InvalidInput as they are opened.
    explicit Studio(const StudioOptions& options);
    ~Studio();  ///< as `end`, with what it returns lost
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;

    [[nodiscard]] std::string url() const;  ///< with the token
    /// Leads to it once: for a browser's command line, which others can read.
    [[nodiscard]] std::string ticket_url() const;
    [[nodiscard]] int port() const;
    [[nodiscard]] const std::string& token() const;

    /// Tells all pages what the library warns of: the event `note`.
    void note(const std::string& message);

    /// Ends server, jobs and rooms. Work that was made and not saved is kept in a folder, whose
    /// path is returned; empty where there is none.
    std::string end();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Waits until the cancellation is requested.
void wait_for(const Cancellation& cancellation);

}  // namespace toile::studio
