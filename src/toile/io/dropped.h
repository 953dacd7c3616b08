// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace toile {

/// Counts what a reader leaves out and tells the log one warning for each kind.
class DroppedKinds {
  public:
    void add(std::string_view kind, int line);
    [[nodiscard]] bool empty() const { return kinds_.empty(); }
    [[nodiscard]] int first_line() const { return kinds_.front().first_line; }
    void warn(const std::string& file_name) const;

  private:
    struct Kind {
        std::string what;
        int count = 0;
        int first_line = 0;
    };
    std::vector<Kind> kinds_;
};

}  // namespace toile
