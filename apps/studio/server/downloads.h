// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "studio/server/message.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace toile::studio {

/// A file that was made for somebody to take away.
struct Download {
    std::filesystem::path file;
    std::string name;  ///< under which it is to be saved
};

/// Files by number, until the studio ends. From any thread.
class Downloads {
  public:
    /// `{"download": number, "name", "size"}`, as a job's last event tells it.
    Json add(const Download& download);
    [[nodiscard]] std::optional<Download> find(int number) const;

  private:
    mutable std::mutex mutex_;
    std::map<int, Download> files_;
};

}  // namespace toile::studio
