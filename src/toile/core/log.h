// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace toile {

enum class LogLevel { Debug, Info, Warning };

/// Receives every message; calls come one at a time.
using LogSink = std::function<void(LogLevel, const std::string&)>;

/// Replaces where messages go (an empty sink drops them, which is the default of the library) and
/// returns the sink there was. The one process-wide setting of Toile: see docs/decisions.md.
LogSink set_log_sink(LogSink sink);

void log(LogLevel level, const std::string& message);

inline void log_info(const std::string& message) {
    log(LogLevel::Info, message);
}
inline void log_warning(const std::string& message) {
    log(LogLevel::Warning, message);
}

}  // namespace toile
