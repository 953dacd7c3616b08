#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures correspondence, transfer and editing as a user runs them, files in and out, on the field's data.

Prints medians of `--repeats` runs: wall clock and CPU seconds of the whole commands. The data are looked for
in TOILE_DATA, then ../shared/data; without them there is nothing to measure.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def data_folder():
    for candidate in (os.environ.get("TOILE_DATA"), ROOT / "../shared/data"):
        if candidate and (pathlib.Path(candidate) / "transfer").is_dir():
            return (pathlib.Path(candidate) / "transfer").resolve()
    sys.exit("bench: the data folder was not found; set TOILE_DATA to it.")


def jobs(program, data, out):
    """Name and commands of every measured job."""
    horse = data / "horse-camel"
    face = data / "face-head"
    samba = data / "seq-samba"
    correspond = [program, "correspond", horse / "horse-reference.obj", horse / "camel-reference.obj",
                  "--markers", horse / "markers-golevka-107.cons", "-o", out / "pairs.txt"]
    transfer = [program, "transfer", "--source-rest", horse / "horse-reference.obj",
                "--source", horse / "horse-0*.obj", "--target", horse / "camel-reference.obj",
                "--pairs", out / "pairs.txt", "-o", out / "camel_%02d.obj"]
    heads = [program, "correspond", face / "face-reference.obj", face / "head-reference.obj",
             "--markers", face / "face_marker.txt", face / "head_marker.txt",
             "-o", out / "heads.txt"]
    edit = [program, "edit", "--sequence", samba / "mesh_*.obj", "--frame", "10",
            "--edited", out / "edited.obj", "-o", out / "samba.pc2"]
    return {"horse to camel: correspondence and 5 poses": [correspond, transfer],
            "face to head: correspondence": [heads],
            "samba, 27 frames: one edited frame carried through": [edit]}


def write_edited(source, target):
    """The frame with all that lies in the highest tenth (the head) moved up by 5 cm."""
    lines = source.read_text().splitlines()
    heights = [float(line.split()[2]) for line in lines if line.startswith("v ")]
    floor = max(heights) - 0.1 * (max(heights) - min(heights))
    with target.open("w") as out:
        for line in lines:
            words = line.split()
            if line.startswith("v ") and float(words[2]) > floor:
                line = f"v {words[1]} {float(words[2]) + 0.05:.6f} {words[3]}"
            out.write(line + "\n")


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(commands):
    start, cpu = time.monotonic(), cpu_seconds()
    for command in commands:
        subprocess.run([*command, "--quiet", "--force"], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start, cpu_seconds() - cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--program", default=ROOT / "build/release/bin/toile")
    arguments = parser.parse_args()
    data = data_folder()
    print("| job | wall, s | CPU, s |\n| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        write_edited(data / "seq-samba/mesh_0010.obj", out / "edited.obj")
        for name, commands in jobs(arguments.program, data, out).items():
            runs = [measure(commands) for _ in range(arguments.repeats)]
            wall, cpu = (statistics.median(values) for values in zip(*runs))
            print(f"| {name} | {wall:.2f} | {cpu:.2f} |", flush=True)


if __name__ == "__main__":
    main()
