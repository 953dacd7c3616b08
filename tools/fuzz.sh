#!/usr/bin/env bash
# Fuzzes every reader with libFuzzer under the address and undefined-behaviour sanitizers, for MINUTES
# each, as many at a time as there are cores: tools/fuzz.sh MINUTES [READER...]
# Starts from the kept files (tests/data) and what earlier runs found (build/fuzz/corpus). Stops with 1
# where an input broke a reader; the input then lies in build/fuzz/found, and belongs, with a name that
# says what is wrong, into tests/data/fuzz/READER.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=$1
shift
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "${TOILE_JOBS:-$(nproc)}"

fuzz_reader() {
    local reader=$1 seconds=$2
    local corpus=build/fuzz/corpus/$reader found=build/fuzz/found/$reader
    local kept=()
    local folder
    for folder in tests/data/broken tests/data/odd tests/data/fuzz; do
        [ -d "$folder/$reader" ] && kept+=("$folder/$reader")
    done
    mkdir -p "$corpus" "$found"
    build/fuzz/bin/fuzz_"$reader" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=10 -max_len=8192 \
        -use_value_profile=1 -print_final_stats=1 -verbosity=0 -artifact_prefix="$found/" \
        "$corpus" "${kept[@]}" >"build/fuzz/$reader.log" 2>&1 ||
        { tail -n 40 "build/fuzz/$reader.log"; echo "fuzz_$reader FAILED: see $found"; return 1; }
    echo "fuzz_$reader: $(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$reader.log") inputs, none broke it"
}
export -f fuzz_reader
export UBSAN_OPTIONS=print_stacktrace=1

readers=("$@")
if [ ${#readers[@]} -eq 0 ]; then
    readers=($(sed -n 's/^set(readers \(.*\))$/\1/p' tests/fuzz/CMakeLists.txt))
fi
printf '%s\n' "${readers[@]}" |
    xargs -P "${TOILE_JOBS:-$(nproc)}" -I{} bash -c "fuzz_reader {} $((minutes * 60))"
