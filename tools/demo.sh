#!/usr/bin/env bash
# The body of `./run demo`: simulates every example, proves its frames free of crossings, and makes a
# contact sheet and a film of each. Ends with a summary; fails if any example fails its check.
# usage: tools/demo.sh [EXAMPLE...]
set -euo pipefail
cd "$(dirname "$0")/.."

toile=build/release/bin/toile
out=out/demo
sheet=(--sheet 4x3 --size 480x270 --samples 16)
film=(--size 480x270 --samples 8)
declare -A views=([hangingcloth]=three-quarter-left)  # where the usual view sees only an edge
examples=("$@")
if [ ${#examples[@]} -eq 0 ]; then
    for scene in examples/*/scene.toml; do examples+=("$(basename "$(dirname "$scene")")"); done
fi

# Runs a command, and leaves its wall-clock time in `seconds`.
timed() {
    local start=$EPOCHREALTIME status=0
    "$@" || status=$?
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
    return $status
}

# Says what a check found, of the JSON that it printed.
verdict() {
    python3 - "$1" <<'PYTHON'
import json, sys
check = json.load(open(sys.argv[1]))
frames = check["frames"]
crossings = sum(f["crossings"] for f in frames)
gaps = [f["smallest_gap"] for f in frames if f["smallest_gap"] is not None]
gap = f", smallest gap {min(gaps) * 1000:.3g} mm" if gaps else ""
print(f"{len(frames)} frames, {crossings} crossings{gap}")
PYTHON
}

# Runs the example in the form of the first thesis's simulator too; every body must move alike, to the
# bit.
same_from_folder() {
    local name=$1 body
    "$toile" simulate "examples/$name/environment" -o "$out/$name-environment" --force || return 1
    for body in "$out/$name"/*.pc2; do
        cmp "$body" "$out/$name-environment/$(basename "$body")" || return 1
    done
}

failed=0
summary=()
mkdir -p "$out"
for name in "${examples[@]}"; do
    echo "== $name" >&2
    run=$out/$name
    if ! timed "$toile" simulate "examples/$name/scene.toml" -o "$run" --force; then
        failed=1
        summary+=("$name: FAILED to simulate")
        continue
    fi
    simulated=$seconds
    checked=yes
    timed "$toile" --json --quiet check "$run" >"$run.check.json" || checked=no
    found=$(verdict "$run.check.json" 2>/dev/null) || { found="the check did not end"; checked=no; }
    proved=$seconds
    view=${views[$name]:-three-quarter}
    timed "$toile" render "$run" -o "$run.png" --force --view "$view" "${sheet[@]}"
    drawn=$seconds
    timed "$toile" render "$run" -o "$run.mp4" --force --view "$view" "${film[@]}"
    summary+=("$name: $found")
    summary+=("    simulated in $simulated s, checked in $proved s, drawn in $drawn s, filmed in $seconds s")
    summary+=("    $run/    $run.png    $run.mp4")
    if [ -d "examples/$name/environment" ]; then
        if same_from_folder "$name"; then
            summary+=("    examples/$name/environment/ gives the same positions to the bit")
        else
            failed=1
            summary+=("    FAILED: examples/$name/environment/ gives other positions")
        fi
    fi
    if [ $checked = no ]; then
        failed=1
        summary+=("    FAILED its check: $toile check $run")
    fi
done

echo
printf '%s\n' "${summary[@]}"
echo
if [ $failed -eq 0 ]; then
    echo "All ${#examples[@]} examples hold: nothing passes through anything. (${SECONDS} s)"
else
    echo "Some examples failed. (${SECONDS} s)"
fi
if [ $# -eq 0 ]; then
    echo
    tools/demo_motion.sh || failed=1
fi
exit $failed
