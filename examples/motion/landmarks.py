#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Markers for two T-shirts: the vertices that stand out most in the same directions, as a .cons file on
standard output. usage: landmarks.py SOURCE.obj TARGET.obj"""
import sys

# Sleeves, hem, shoulders, neck and armpits of an upright shirt that looks along +z.
OUTWARD = [(x, y) for x in (-1, 1) for y in (0, 1, 0.5, -0.4, -1.5, -4)] + [(0, -1)]
FRONT_AND_BACK = (-0.3, 0.3)


def positions(path):
    points = [tuple(map(float, line.split()[1:4])) for line in open(path) if line.startswith("v ")]
    middle = [sum(p[i] for p in points) / len(points) for i in range(3)]
    return [tuple(p[i] - middle[i] for i in range(3)) for p in points]


def farthest(points, direction):
    return max(range(len(points)), key=lambda v: sum(a * b for a, b in zip(points[v], direction)))


def main():
    source, target = positions(sys.argv[1]), positions(sys.argv[2])
    pairs = {}
    for x, y in OUTWARD:
        for z in FRONT_AND_BACK:
            pairs.setdefault(farthest(source, (x, y, z)), farthest(target, (x, y, z)))
    used = set()
    lines = []
    for s, t in pairs.items():
        if t not in used:
            used.add(t)
            lines.append("%d, %d" % (s, t))
    print(len(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
