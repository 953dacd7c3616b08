// SPDX-License-Identifier: Apache-2.0
#include "toile/core/log.h"

#include <mutex>
#include <utility>

namespace toile {
namespace {

struct SharedSink {
    std::mutex mutex;
    LogSink sink;
};

SharedSink& shared_sink() {
    static SharedSink shared;
    return shared;
}

}  // namespace

LogSink set_log_sink(LogSink sink) {
    SharedSink& shared = shared_sink();
    const std::lock_guard lock(shared.mutex);
    return std::exchange(shared.sink, std::move(sink));
}

void log(LogLevel level, const std::string& message) {
    SharedSink& shared = shared_sink();
    const std::lock_guard lock(shared.mutex);
    if (shared.sink) shared.sink(level, message);
}

}  // namespace toile
