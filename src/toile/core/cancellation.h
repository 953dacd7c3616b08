// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace toile {

/// A wish to stop, set from anywhere (a signal handler too) and looked at between steps.
class Cancellation {
  public:
    void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool requested() const noexcept {
        return requested_.load(std::memory_order_relaxed);
    }

  private:
    std::atomic<bool> requested_{false};
    static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");
};

}  // namespace toile
