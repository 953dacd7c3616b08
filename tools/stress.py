#!/usr/bin/env python3
"""Run the scenes of examples/stress, and hold each run against the scene's [expect].

Usage: stress.py TOILE [-o OUT] [--fineness F] [--threads N] [--minutes M] [--data DIR] [NAME...]

`toile check` must find no crossing in any written frame and see what the scene expects; a run that
stops by itself must say why; a scene that expects to be refused must be, with its pairs named, and
leave nothing. --minutes breaks a run off: it then is reported, and counts as not held. Prints a
table and ends with 0 if all hold.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

STRESS = pathlib.Path(__file__).resolve().parents[1] / "examples" / "stress"


def expected_outcome(scene):
    text = scene.read_text()
    for outcome in ("either", "refused"):
        if 'outcome = "%s"' % outcome in text:
            return outcome
    return "complete"


def last_line(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


class Runner:
    def __init__(self, arguments):
        self.toile = str(arguments.toile)
        self.threads = arguments.threads
        self.seconds = arguments.minutes * 60 if arguments.minutes else None

    def command(self, *words, timeout=None):
        threads = ["--threads", str(self.threads)] if self.threads else []
        return subprocess.run([self.toile, *map(str, words), *threads, "--quiet"],
                              capture_output=True, text=True, timeout=timeout)

    def refused(self, scene, run):
        """A scene that must not start."""
        done = self.command("simulate", scene, "-o", run)
        named = "cross" in done.stderr or "cross" in done.stdout
        held = done.returncode not in (0, 1) and named and not run.exists()
        return held, {"why": last_line(done.stderr)}

    def run(self, scene, run):
        if expected_outcome(scene) == "refused":
            return self.refused(scene, run)
        facts = {}
        try:
            done = self.command("simulate", scene, "-o", run, timeout=self.seconds)
            if done.returncode:
                facts["why"] = last_line(done.stderr)
            ended = done.returncode in (0, 1)
        except subprocess.TimeoutExpired:
            facts["why"] = "broken off"
            ended = False
        checked = self.command("check", run)
        facts["check"] = checked.stdout + checked.stderr
        facts |= numbers_of(run)
        return ended and checked.returncode == 0, facts


def numbers_of(run):
    path = run / "frames.jsonl"
    if not path.exists():
        return {}
    frames = [json.loads(line) for line in path.read_text().splitlines()]
    return {"frames": frames[-1]["frame"],
            "strain": max(f["largest_strain"] for f in frames),
            "speed": 1000 * frames[-1]["rms_speed"],
            "fail_safe": sum(f["fail_safe"] for f in frames)}


def row(name, held, seconds, facts):
    number = lambda key, form: form % facts[key] if key in facts else "-"
    return "| %-13s | %-8s | %5s | %7.0f | %6s | %9s | %s |" % (
        name, "holds" if held else "DOES NOT", number("frames", "%d"), seconds,
        number("strain", "%.2f"), number("speed", "%.1f"), facts.get("why", ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toile", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--fineness", type=float, default=1.0)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--data", type=pathlib.Path)
    arguments = parser.parse_intermixed_args()
    out = arguments.output or pathlib.Path(tempfile.mkdtemp(prefix="toile-stress-"))
    prepare = [sys.executable, STRESS / "prepare.py", "-o", out / "scenes", "--fineness", str(arguments.fineness)]
    if arguments.data:
        prepare += ["--data", arguments.data]
    scenes = subprocess.run([*prepare, *arguments.names], check=True, capture_output=True, text=True)
    print("| scene         |          | frames | seconds | strain | end, mm/s | |\n"
          "| ---           | ---      | ---   | ---     | ---    | ---       | --- |")
    runner, all_held = Runner(arguments), True
    for path in map(pathlib.Path, scenes.stdout.split()):
        name, run = path.parent.name, out / "runs" / path.parent.name
        shutil.rmtree(run, ignore_errors=True)
        run.parent.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        held, facts = runner.run(path, run)
        print(row(name, held, time.monotonic() - start, facts), flush=True)
        if not held:
            print(facts.get("check", ""), file=sys.stderr, flush=True)
        all_held &= held
    if not arguments.output:
        shutil.rmtree(out)
    return 0 if all_held else 1


if __name__ == "__main__":
    sys.exit(main())
