#!/usr/bin/env python3
"""Kill a run at random instants, resume it, and compare it with a run that was never broken.

Usage: kill_test.py TOILE [--kills 20] [--threads 1,2,3] [--frames 24] [--divisions 24] [--seed 1]

For every number of threads one run is left alone and one is killed (SIGKILL) at each of the random
instants and resumed; a run is killed again and again until all instants are used. At the end both
folders must hold the same files with the same bytes, but for what tells of time and machine in
run.json and `seconds` in frames.jsonl. Ends with 0 if they do.
"""
import argparse
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

SCENE = """
[scene]
frame_rate = 25
frames = {frames}

[[cloth]]
name = "cloth"
shape = {{ type = "rectangle", width = 1, length = 1, divisions = [{n}, {n}] }}
translation = [0, 0.27, 0]
fabric = "cotton"

[[cloth.pin]]
vertices = [0]
keyframe = [{{ time = 0 }}, {{ time = 0.6, translation = [0.1, 0.1, 0] }}]

[[obstacle]]
name = "ball"
shape = {{ type = "sphere", radius = 0.25, subdivisions = 2 }}
"""

TIMES = ("seconds", "peak_memory_bytes", "machine", "options")


def timeless(path):
    data = path.read_bytes()
    if path.name == "run.json":
        record = json.loads(data)
        for key in TIMES:
            record.pop(key, None)
        return json.dumps(record).encode()
    if path.name == "frames.jsonl":
        lines = [json.loads(line) for line in data.decode().splitlines()]
        for line in lines:
            line.pop("seconds", None)
        return json.dumps(lines).encode()
    return data


def files_of(folder):
    return {str(p.relative_to(folder)): timeless(p) for p in sorted(folder.rglob("*")) if p.is_file()}


def differences(expected, found):
    a, b = files_of(expected), files_of(found)
    names = sorted(set(a) | set(b))
    return [name for name in names if a.get(name) != b.get(name)]


def run_command(arguments, scene, folder, threads):
    """`resume` where there is a run with a whole frame, else `simulate`, as a user would."""
    if folder.exists():
        words = ["resume", str(folder)]
    else:
        words = ["simulate", str(scene), "-o", str(folder)]
    return [arguments.toile, *words, "--threads", str(threads), "--quiet"]


def finished_lines(folder):
    lines = folder / "frames.jsonl"
    return lines.read_bytes().count(b"\n") if lines.exists() else 0


def kill_once(command, delay):
    """Starts it and kills it after the delay; True if the kill met it alive."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        process.wait(timeout=delay)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True, b""
    return False, process.stderr.read()


def broken_run(arguments, scene, folder, threads, whole_seconds, generator):
    kills = at_start = 0
    attempts = 0
    while kills < arguments.kills:
        attempts += 1
        if attempts > 20 * arguments.kills:
            sys.exit("too many attempts: the run always ends before the kill")
        # Long enough to reach the end after a few kills: then another run is begun for the others.
        delay = generator.uniform(0, 0.6 * whole_seconds)
        was_killed, errors = kill_once(run_command(arguments, scene, folder, threads), delay)
        if was_killed:
            kills += 1
            print(f"  kill {kills:2} after {delay:6.3f} s: {finished_lines(folder)} frames whole")
        elif b"before its first frame was whole" in errors or (errors and not finished_lines(folder)):
            at_start += 1
            subprocess.run(["rm", "-rf", str(folder)], check=True)
        elif errors:
            sys.exit(errors.decode())
        else:  # the run is done: begin another for the kills that are left
            compare(arguments, folder)
            subprocess.run(["rm", "-rf", str(folder)], check=True)
    for _ in range(2):
        done = subprocess.run(run_command(arguments, scene, folder, threads), stderr=subprocess.PIPE)
        if done.returncode == 0:
            break
        if b"before its first frame was whole" not in done.stderr and finished_lines(folder):
            sys.exit(done.stderr.decode())
        at_start += 1
        subprocess.run(["rm", "-rf", str(folder)], check=True)
    return kills, at_start


def compare(arguments, folder):
    found = differences(arguments.whole, folder)
    if found:
        sys.exit(f"differs from the unbroken run: {', '.join(found)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("toile")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--threads", default="1,2,3")
    parser.add_argument("--frames", type=int, default=24)
    parser.add_argument("--divisions", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        scene = root / "scene.toml"
        scene.write_text(SCENE.format(frames=arguments.frames, n=arguments.divisions))
        arguments.whole = root / "whole"
        for threads in map(int, arguments.threads.split(",")):
            whole = root / f"whole_{threads}"
            began = time.monotonic()
            subprocess.run(run_command(arguments, scene, whole, threads), check=True)
            seconds = time.monotonic() - began
            if not arguments.whole.exists():
                whole.rename(arguments.whole)
            else:
                compare(arguments, whole)
            print(f"{threads} threads: unbroken run of {arguments.frames} frames, {seconds:.1f} s")
            broken = root / f"broken_{threads}"
            kills, at_start = broken_run(arguments, scene, broken, threads, seconds, generator)
            compare(arguments, broken)
            n_files = len(files_of(broken))
            print(f"{threads} threads: {kills} kills ({at_start} before the first frame was whole, "
                  f"begun anew); all {n_files} files are the same")


if __name__ == "__main__":
    main()
