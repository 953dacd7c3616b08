#!/usr/bin/env bash
# Body of ./run bench: kernels, then continuous detection, then whole simulations.
set -euo pipefail
cd "$(dirname "$0")/.."

data=${TOILE_DATA:-../shared/data}
echo "## Kernels (medians of 5)"
build/release/bin/toile_benchmarks --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
echo "## Continuous collision detection"
build/release/bin/toile bench ccd "$data/ccd"
echo "## Transfer and editing"
python3 tools/bench_motion.py
echo "## Simulations"
python3 tools/bench.py "$@"
