#!/usr/bin/env bash
# Body of ./run soak: the whole suite under the sanitizers, then every reader fuzzed for
# TOILE_SOAK_MINUTES (default 60) each, then runs that are killed and resumed, then random contact
# scenes re-checked by brute force for as long, then all scenes that break simulators.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=${TOILE_SOAK_MINUTES:-60}
for preset in asan tsan; do
    cmake --preset "$preset" >/dev/null
    cmake --build "build/$preset" -j "$(nproc)"
done
export UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=halt_on_error=1
ctest --test-dir build/asan --no-tests=error --output-on-failure -j "$(nproc)"
ctest --test-dir build/tsan --no-tests=error --output-on-failure -R '^(Parallel|Bvh|Contact|Certificate|World|Cloth)'

tools/fuzz.sh "$minutes"

cmake --preset release >/dev/null
cmake --build build/release -j "$(nproc)" --target toile_soak toile_cli
tools/kill_test.py build/release/bin/toile
build/release/bin/toile_soak --minutes "$minutes"
tools/stress.py build/release/bin/toile
