// SPDX-License-Identifier: Apache-2.0
#include "studio/server/downloads.h"

namespace toile::studio {

Json Downloads::add(const Download& download) {
    const auto size = std::filesystem::file_size(download.file);
    const std::lock_guard lock(mutex_);
    const int number = static_cast<int>(files_.size()) + 1;
    files_.emplace(number, download);
    return {{"download", number}, {"name", download.name}, {"size", size}};
}

std::optional<Download> Downloads::find(int number) const {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(number);
    if (found == files_.end()) return std::nullopt;
    return found->second;
}

}  // namespace toile::studio
