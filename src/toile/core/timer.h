// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace toile {

/// Wall-clock seconds since construction, from a clock that never goes back.
class Timer {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// Adds the wall-clock seconds of its own lifetime to `out_seconds`.
class ScopedTimer {
  public:
    explicit ScopedTimer(double& out_seconds) : out_seconds_(out_seconds) {}
    ~ScopedTimer() { out_seconds_ += timer_.seconds(); }
    ScopedTimer(const ScopedTimer&) = delete;
    ScopedTimer& operator=(const ScopedTimer&) = delete;

  private:
    double& out_seconds_;
    Timer timer_;
};

/// CPU seconds that this process has used on all its threads.
double process_cpu_seconds();

/// Largest resident memory of this process so far, in bytes; 0 where the system does not tell.
long long peak_memory_bytes();

}  // namespace toile
