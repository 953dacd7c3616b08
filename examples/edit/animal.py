#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a swimming animal, frames animal_00.obj to animal_23.obj, and edited.obj: frame 6 with its head
enlarged and turned aside. usage: animal.py FOLDER"""
import math
import pathlib
import sys

RINGS, SEGMENTS, FRAMES, EDITED = 120, 40, 24, 6
LENGTH = 3.0  # metres


def radius(s):
    """At s from 0 (tail) to 1 (nose); metres."""
    thin = 0.055 * min(1.0, 0.15 + 2.5 * s)
    body = 0.21 * math.exp(-((s - 0.42) / 0.14) ** 2)
    head = 0.05 * math.exp(-((s - 0.93) / 0.045) ** 2)
    ends = math.sqrt(max(0.0, 1 - abs(2 * s - 1) ** 40))
    return max(1e-3, (thin + body + head) * ends)


def spine(frame):
    """Points and angles along the body, which waves from side to side and nods."""
    time = 2 * math.pi * frame / FRAMES
    points, angles = [], []
    x = z = 0.0
    for i in range(RINGS + 1):
        s = i / RINGS
        angle = 0.75 * math.sin(time - 4.2 * s) * (1 - 0.4 * s)
        points.append((x, 0.9 * max(0.0, s - 0.5) ** 1.5 + 0.06 * math.sin(time) * s, z))
        angles.append(angle)
        x += LENGTH / RINGS * math.cos(angle)
        z += LENGTH / RINGS * math.sin(angle)
    return points, angles


def positions(frame):
    points, angles = spine(frame)
    result = [points[0]]
    for i in range(1, RINGS):
        (cx, cy, cz), angle, r = points[i], angles[i], radius(i / RINGS)
        for k in range(SEGMENTS):
            turn = 2 * math.pi * k / SEGMENTS
            across, up = r * math.cos(turn), 0.85 * r * math.sin(turn)
            result.append((cx - across * math.sin(angle), cy + up, cz + across * math.cos(angle)))
    result.append(points[-1])
    return result


def faces():
    def at(ring, k):
        return 1 + (ring - 1) * SEGMENTS + k % SEGMENTS

    last = 1 + (RINGS - 1) * SEGMENTS
    result = []
    for k in range(SEGMENTS):
        result.append((0, at(1, k), at(1, k + 1)))
        result.append((last, at(RINGS - 1, k + 1), at(RINGS - 1, k)))
        for ring in range(1, RINGS - 1):
            a, b, c, d = at(ring, k), at(ring + 1, k), at(ring + 1, k + 1), at(ring, k + 1)
            result += [(a, b, c), (a, c, d)]
    return result


def edited(points):
    """Everything before the neck turned by 50 degrees about the vertical and made 1.5 times as large."""
    first = round(0.84 * RINGS)
    hinge = spine(EDITED)[0][first]
    result = list(points)
    for v in range(1 + (first - 1) * SEGMENTS, len(points)):
        ring = RINGS if v == len(points) - 1 else 1 + (v - 1) // SEGMENTS
        share = min(1.0, (ring - first) / 5)
        angle, size = math.radians(50) * share, 1 + 0.5 * share
        x, y, z = (size * (p - h) for p, h in zip(points[v], hinge))
        result[v] = (hinge[0] + x * math.cos(angle) + z * math.sin(angle), hinge[1] + y,
                     hinge[2] - x * math.sin(angle) + z * math.cos(angle))
    return result


def write(path, points, triangles):
    lines = ["v %r %r %r" % p for p in points]
    lines += ["f %d %d %d" % (a + 1, b + 1, c + 1) for a, b, c in triangles]
    path.write_text("\n".join(lines) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    triangles = faces()
    for frame in range(FRAMES):
        write(folder / f"animal_{frame:02}.obj", positions(frame), triangles)
    write(folder / "edited.obj", edited(positions(EDITED)), triangles)


if __name__ == "__main__":
    main()
