#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a swimming animal, frames animal_00.obj to animal_23.obj, and edited.obj: frame 6 with its head
enlarged and turned aside. For transfer also rest.obj, the animal at rest; another.obj, a stouter one of
other size, place and connectivity; and markers.cons, which vertices of the two belong together.
usage: animal.py FOLDER"""
import math
import pathlib
import sys

FRAMES, EDITED = 24, 6


class Body:
    """A body of revolution round a spine."""

    def __init__(self, rings, segments, length, radius):
        self.rings, self.segments, self.length, self.radius = rings, segments, length, radius

    def vertex(self, ring, k):
        """Index of a vertex; rings 0 and the last are points."""
        if ring == 0:
            return 0
        if ring == self.rings:
            return 1 + (self.rings - 1) * self.segments
        return 1 + (ring - 1) * self.segments + k % self.segments

    def spine(self, frame):
        """Points and angles along the body, which waves from side to side and nods; None: at rest."""
        time = 2 * math.pi * (frame or 0) / FRAMES
        points, angles = [], []
        x = z = 0.0
        for i in range(self.rings + 1):
            s = i / self.rings
            wave = 0 if frame is None else 1
            angle = wave * 0.75 * math.sin(time - 4.2 * s) * (1 - 0.4 * s)
            nod = wave * 0.06 * math.sin(time) * s
            points.append((x, 0.9 * max(0.0, s - 0.5) ** 1.5 + nod, z))
            angles.append(angle)
            x += self.length / self.rings * math.cos(angle)
            z += self.length / self.rings * math.sin(angle)
        return points, angles

    def positions(self, frame):
        points, angles = self.spine(frame)
        result = [points[0]]
        for i in range(1, self.rings):
            (cx, cy, cz), angle, r = points[i], angles[i], self.radius(i / self.rings)
            for k in range(self.segments):
                turn = 2 * math.pi * k / self.segments
                across, up = r * math.cos(turn), 0.85 * r * math.sin(turn)
                result.append((cx - across * math.sin(angle), cy + up, cz + across * math.cos(angle)))
        result.append(points[-1])
        return result

    def faces(self):
        result = []
        for k in range(self.segments):
            result.append((0, self.vertex(1, k), self.vertex(1, k + 1)))
            result.append((self.vertex(self.rings, 0), self.vertex(self.rings - 1, k + 1),
                           self.vertex(self.rings - 1, k)))
            for ring in range(1, self.rings - 1):
                a, b = self.vertex(ring, k), self.vertex(ring + 1, k)
                c, d = self.vertex(ring + 1, k + 1), self.vertex(ring, k + 1)
                result += [(a, b, c), (a, c, d)]
        return result


def slim(s):
    """Radius at s from 0 (tail) to 1 (nose); metres."""
    thin = 0.055 * min(1.0, 0.15 + 2.5 * s)
    body = 0.21 * math.exp(-((s - 0.42) / 0.14) ** 2)
    head = 0.05 * math.exp(-((s - 0.93) / 0.045) ** 2)
    ends = math.sqrt(max(0.0, 1 - abs(2 * s - 1) ** 40))
    return max(1e-3, (thin + body + head) * ends)


def stout(s):
    """The same for the other animal: a thick tail, a heavy body, a big head."""
    thin = 0.10 * min(1.0, 0.4 + 2.5 * s)
    body = 0.30 * math.exp(-((s - 0.38) / 0.17) ** 2)
    head = 0.14 * math.exp(-((s - 0.9) / 0.06) ** 2)
    ends = math.sqrt(max(0.0, 1 - abs(2 * s - 1) ** 30))
    return max(1e-3, (thin + body + head) * ends)


ANIMAL = Body(rings=120, segments=40, length=3.0, radius=slim)
ANOTHER = Body(rings=84, segments=28, length=2.6, radius=stout)


def elsewhere(points):
    """In another place, at 0.6 of the size."""
    return [(0.6 * x + 2, 0.6 * y - 1, 0.6 * z) for x, y, z in points]


def markers():
    pairs = []
    for place in (0, 0.08, 0.2, 0.3, 0.42, 0.55, 0.7, 0.84, 0.92, 1):
        quarters = (0,) if place in (0, 1) else (0, 1, 2, 3)
        for quarter in quarters:
            pairs.append(tuple(body.vertex(round(place * body.rings), quarter * body.segments // 4)
                               for body in (ANIMAL, ANOTHER)))
    return pairs


def edited(points):
    """Everything before the neck turned by 50 degrees about the vertical and made 1.5 times as large."""
    first = round(0.84 * ANIMAL.rings)
    hinge = ANIMAL.spine(EDITED)[0][first]
    result = list(points)
    for v in range(ANIMAL.vertex(first, 0), len(points)):
        ring = ANIMAL.rings if v == len(points) - 1 else 1 + (v - 1) // ANIMAL.segments
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
    triangles = ANIMAL.faces()
    for frame in range(FRAMES):
        write(folder / f"animal_{frame:02}.obj", ANIMAL.positions(frame), triangles)
    write(folder / "edited.obj", edited(ANIMAL.positions(EDITED)), triangles)
    write(folder / "rest.obj", ANIMAL.positions(None), triangles)
    write(folder / "another.obj", elsewhere(ANOTHER.positions(None)), ANOTHER.faces())
    pairs = markers()
    (folder / "markers.cons").write_text(
        "\n".join([str(len(pairs))] + ["%d, %d" % pair for pair in pairs]) + "\n")


if __name__ == "__main__":
    main()
