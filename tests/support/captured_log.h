// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/core/log.h"

#include <string>
#include <vector>

namespace toile::test {

/// Keeps the warnings logged while it lives.
class CapturedLog {
  public:
    CapturedLog()
        : previous_(set_log_sink([this](LogLevel level, const std::string& message) {
              if (level == LogLevel::Warning) warnings.push_back(message);
          })) {}
    ~CapturedLog() { set_log_sink(previous_); }
    CapturedLog(const CapturedLog&) = delete;
    CapturedLog& operator=(const CapturedLog&) = delete;

    std::vector<std::string> warnings;

  private:
    LogSink previous_;
};

}  // namespace toile::test
