#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Markers for two sheets that lie the same way: of a grid of places, counted in widths and lengths of each
sheet, the nearest vertices, as a .cons file on standard output. A flat sheet can slide in itself, so it takes
markers all over. usage: landmarks.py SOURCE.obj TARGET.obj"""
import itertools
import sys

PLACES = [i / 4 for i in range(5)]


def positions(path):
    """Of all vertices, from 0 to 1 along each side of the bounding box."""
    points = [tuple(map(float, line.split()[1:4])) for line in open(path) if line.startswith("v ")]
    low = [min(p[i] for p in points) for i in range(3)]
    size = [max(p[i] for p in points) - low[i] or 1.0 for i in range(3)]
    flat = max(size) * 1e-6
    return [tuple((p[i] - low[i]) / size[i] if size[i] > flat else 0.0 for i in range(3))
            for p in points]


def nearest(points, place):
    return min(range(len(points)), key=lambda v: sum((a - b) ** 2 for a, b in zip(points[v], place)))


def main():
    source, target = positions(sys.argv[1]), positions(sys.argv[2])
    pairs = []
    for x, y in itertools.product(PLACES, PLACES):
        pairs.append((nearest(source, (x, y, 0)), nearest(target, (x, y, 0))))
    print(len(pairs))
    print("\n".join("%d, %d" % pair for pair in pairs))


if __name__ == "__main__":
    main()
