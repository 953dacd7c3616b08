// SPDX-License-Identifier: Apache-2.0
#include "toile/io/dropped.h"

#include "toile/core/log.h"

#include <fmt/format.h>

#include <algorithm>

namespace toile {
namespace {
constexpr size_t kMostKinds = 16;  // a file of garbage shall not flood the log
constexpr std::string_view kOthers = "other unknown statements";
}  // namespace

void DroppedKinds::add(std::string_view kind, int line) {
    auto found = std::find_if(kinds_.begin(), kinds_.end(),
                              [&](const Kind& known) { return known.what == kind; });
    if (found == kinds_.end() && kinds_.size() >= kMostKinds && kind != kOthers) {
        return add(kOthers, line);
    }
    if (found == kinds_.end()) {
        found = kinds_.insert(kinds_.end(), Kind{std::string(kind), 0, line});
    }
    ++found->count;
}

void DroppedKinds::warn(const std::string& file_name) const {
    for (const Kind& kind : kinds_) {
        log_warning(fmt::format("{}:{}: {} left out{}.", file_name, kind.first_line, kind.what,
                                kind.count > 1 ? fmt::format(" ({} times)", kind.count) : ""));
    }
}

}  // namespace toile
