// SPDX-License-Identifier: Apache-2.0
#include "toile/core/timer.h"

#include <sys/resource.h>

namespace toile {
namespace {

double to_seconds(const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

rusage own_usage() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage;
}

}  // namespace

double process_cpu_seconds() {
    const rusage usage = own_usage();
    return to_seconds(usage.ru_utime) + to_seconds(usage.ru_stime);
}

long long peak_memory_bytes() {
    return 1024LL * own_usage().ru_maxrss;
}

}  // namespace toile
