// SPDX-License-Identifier: Apache-2.0
#include "progress_line.h"

#include "toile/core/timer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

namespace toile::app {
namespace {

constexpr double kSecondsBetweenLines = 10;
constexpr double kSecondsBetweenRedraws = 0.1;
constexpr const char* kEraseLine = "\r\033[K";

bool on_terminal() {
    return isatty(STDERR_FILENO) == 1;
}

std::string duration_words(double seconds) {
    const auto whole = static_cast<long long>(std::ceil(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{}:{:02d} min", whole / 60, whole % 60);
    return fmt::format("{}:{:02d} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressCallback progress_line(const char* what) {
    const double wait = on_terminal() ? kSecondsBetweenRedraws : kSecondsBetweenLines;
    // A resumed run begins with frames that took none of this time.
    return [what, wait, timer = Timer(), shown = 0.0, first = -1](
               int done, int total, const std::string& status) mutable {
        if (first < 0) first = done;
        const double now = timer.seconds();
        if (now - shown < wait && done < total) return;
        shown = now;
        const std::string left =
            done > first
                ? fmt::format(", {} left", duration_words(now / (done - first) * (total - done)))
                : std::string();
        const std::string line = fmt::format("{} {}/{}{}; {}", what, done, total, left, status);
        fmt::print(stderr, "{}{}{}", on_terminal() ? kEraseLine : "", line,
                   on_terminal() ? "" : "\n");
        std::fflush(stderr);
    };
}

void end_progress_line() {
    if (on_terminal()) fmt::print(stderr, "\n");
}

}  // namespace toile::app
