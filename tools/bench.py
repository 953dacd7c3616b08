#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures whole simulations and prints the tables of docs/benchmarks.md.

Each scene of benchmarks/scenes runs on one thread, `--repeats` times; every figure is the median of
the repeats. CPU seconds are those of the process, start and files included. The meshes are looked
for in TOILE_DATA, then ../shared/data; without them there is nothing to measure.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PHASES = ("dynamics", "broad", "narrow", "continuous", "response", "certificate", "velocities",
          "verification")


def data_folder():
    for candidate in (os.environ.get("TOILE_DATA"), ROOT / "../shared/data"):
        if candidate and (pathlib.Path(candidate) / "cloth").is_dir():
            return pathlib.Path(candidate).resolve()
    sys.exit("bench: the data folder was not found; set TOILE_DATA to it.")


def simulate(program, scene_text, frames):
    """Runs one scene and returns (run.json, list of frames.jsonl lines)."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "scene.toml"
        scene.write_text(scene_text)
        run = pathlib.Path(folder) / "run"
        command = [program, "simulate", scene, "-o", run, "--threads", "1", "--quiet"]
        if frames:
            command += ["--frames", str(frames)]
        subprocess.run(command, check=True)
        subprocess.run([program, "check", run, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        lines = [json.loads(line) for line in (run / "frames.jsonl").read_text().splitlines()]
        return json.loads((run / "run.json").read_text()), [line for line in lines if line["frame"]]


def measure(program, scene_text, frames, repeats):
    runs = [simulate(program, scene_text, frames) for _ in range(repeats)]

    def median(figure):
        return statistics.median(figure(record, lines) for record, lines in runs)

    row = {
        "vertices": sum(b["vertices"] for b in runs[0][0]["bodies"] if b["kind"] == "cloth"),
        "frames": len(runs[0][1]),
        "cpu": median(lambda r, l: r["seconds"]["cpu"] / len(l)),
        "worst": median(lambda r, l: max(f["seconds"]["total"] for f in l)),
        "megabytes": median(lambda r, l: r["peak_memory_bytes"] / 1e6),
        "steps": median(lambda r, l: sum(f["steps"] for f in l) / len(l)),
        "strain": median(lambda r, l: max(f["largest_strain"] for f in l)),
        "rest": median(lambda r, l: l[-1]["rms_speed"]),
    }
    for phase in PHASES:
        row[phase] = median(lambda r, l, p=phase: sum(f["seconds"][p] for f in l) / len(l))
    return row


def print_tables(rows):
    print("| scene | vertices | frames | CPU s a frame | worst frame, s | peak MB | steps a frame "
          "| largest strain | rms speed at the end, m/s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, r in rows.items():
        print(f"| {name} | {r['vertices']:,} | {r['frames']} | {r['cpu']:.3f} | {r['worst']:.2f} | "
              f"{r['megabytes']:.0f} | {r['steps']:.1f} | {r['strain']:.2f} | {r['rest']:.4f} |")
    print("\nSeconds a frame, phase by phase:\n")
    print("| scene | " + " | ".join(PHASES) + " |")
    print("|---" * (len(PHASES) + 1) + "|")
    for name, r in rows.items():
        print(f"| {name} | " + " | ".join(f"{r[p]:.3f}" for p in PHASES) + " |")
    if {"drape", "drape-fine"} <= rows.keys():
        ratio = rows["drape-fine"]["cpu"] / rows["drape"]["cpu"]
        vertices = rows["drape-fine"]["vertices"] / rows["drape"]["vertices"]
        print(f"\nGrowth of drape: {vertices:.2f} times the vertices take {ratio:.2f} times the CPU.")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", help="names in benchmarks/scenes (default: all)")
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/toile"))
    parser.add_argument("--frames", type=int, help="run only the first frames")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    data = data_folder()
    rows = {}
    for path in sorted((ROOT / "benchmarks/scenes").glob("*.toml")):
        if arguments.scenes and path.stem not in arguments.scenes:
            continue
        print(f"bench: {path.stem}", file=sys.stderr)
        text = path.read_text().replace("@DATA@", str(data))
        rows[path.stem] = measure(arguments.program, text, arguments.frames, arguments.repeats)
    if arguments.json:
        print(json.dumps({"machine": platform.processor(), "scenes": rows}, indent=1))
    else:
        print_tables(rows)


if __name__ == "__main__":
    main()
