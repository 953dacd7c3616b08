#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every #include of src/toile against tools/layers.txt; exits 1 and names each forbidden one."""
import argparse
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]toile/([a-z_]+)/([a-z0-9_/]+\.h)[>"]')


def read_layers(root):
    layers = {}
    for line in (root / "tools/layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            module, allowed = line.split(":")
            layers[module.strip()] = set(allowed.split())
    return layers


def forbidden_includes(root, layers):
    source = root / "src/toile"
    for path in sorted(source.rglob("*")):
        if path.suffix not in (".h", ".cpp") or path.parent == source:
            continue
        module = path.relative_to(source).parts[0]
        if module not in layers:
            yield path, 0, f"module '{module}' is not in tools/layers.txt"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match.group(1) not in layers[module] | {module}:
                yield path, number, f"'{module}' may not include '{match.group(1)}/{match.group(2)}'"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    layers = read_layers(root)
    order = list(layers)
    for module, allowed in layers.items():
        for other in allowed:
            if order.index(other) >= order.index(module):
                sys.exit(f"tools/layers.txt: '{module}' may not name '{other}', which stands above it")
    found = list(forbidden_includes(root, layers))
    for path, number, message in found:
        print(f"{path.relative_to(root)}:{number}: {message}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
