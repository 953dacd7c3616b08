#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prepares the scenes that break simulators: copies a scene and makes the meshes it needs.

usage: prepare.py [--fineness F] [--data FOLDER] -o OUT [NAME...]

Writes OUT/NAME/scene.toml and OUT/NAME/meshes/ for each scene named (all by default). --fineness
multiplies the divisions of every cloth: 1 is the scene as it stands (about 10,000 vertices), 0.33
the one that the tests run, 2 four times the vertices. The dancer of 'skirt' comes from FOLDER/transfer/seq-samba,
and the scene is left out where there is none.
"""
import argparse
import math
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent


def write_obj(path, vertices, triangles):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["v %.9g %.9g %.9g" % tuple(v) for v in vertices]
    lines += ["f %d %d %d" % tuple(i + 1 for i in t) for t in triangles]
    path.write_text("\n".join(lines) + "\n")


def grid(rows, columns, point, closed=False):
    """A grid of rows x columns cells; point(i, j) gives the vertex at fractions i, j in [0, 1]."""
    n = columns if closed else columns + 1
    vertices = [point(i / rows, j / columns) for i in range(rows + 1) for j in range(n)]
    triangles = []
    for i in range(rows):
        for j in range(columns):
            a, b = i * n + j, i * n + (j + 1) % n
            c, d = a + n, b + n
            triangles += [(a, b, d), (a, d, c)] if (i + j) % 2 == 0 else [(a, b, c), (b, d, c)]
    return vertices, triangles


def revolved(profile, segments):
    """A surface of revolution about y through (radius, height) points; radius 0 makes a tip."""
    vertices, rings, triangles = [], [], []
    for radius, height in profile:
        n = 1 if radius == 0 else segments
        rings.append(range(len(vertices), len(vertices) + n))
        vertices += [(radius * math.cos(2 * math.pi * k / segments), height,
                      radius * math.sin(2 * math.pi * k / segments)) for k in range(n)]
    for lower, upper in zip(rings, rings[1:]):
        for k in range(segments):
            a, b = lower[k % len(lower)], lower[(k + 1) % len(lower)]
            c, d = upper[k % len(upper)], upper[(k + 1) % len(upper)]
            triangles += [t for t in ((a, d, b), (a, c, d)) if len(set(t)) == 3]
    return vertices, triangles


def joined(parts):
    vertices, triangles = [], []
    for part_vertices, part_triangles in parts:
        first = len(vertices)
        vertices += part_vertices
        triangles += [tuple(first + i for i in t) for t in part_triangles]
    return vertices, triangles


def moved(part, shift):
    vertices, triangles = part
    return [tuple(a + b for a, b in zip(v, shift)) for v in vertices], triangles


def knot_curve(s):
    """Half of a reef knot in the plane z ~ 0: a bight that opens to -x, by its arc's fraction s.

    The other ribbon is this one turned half a turn about y. Where the bights' ends cross the
    other's legs this one is below, where the legs cross it is above."""
    near, far, waist, end, height = 0.035, 0.1, 0.115, 0.5, 0.014
    middle = 0.5 * (near + far)
    center = waist - math.sqrt(far**2 - near**2)  # of the bight's half circle
    lengths = [end - waist, waist + center, math.pi * far, waist + center, end - waist]
    at = s * sum(lengths)
    side = 1 if s < 0.5 else -1
    at = min(at, sum(lengths) - at)  # the curve is symmetric
    if at < lengths[0]:
        x, y = -end + at, near
    elif at < lengths[0] + lengths[1]:
        x = -waist + (at - lengths[0])
        t = min(1.0, max(0.0, (x + 0.6 * waist) / (1.2 * waist)))
        y = near + (far - near) * t * t * (3 - 2 * t)
    else:
        angle = (at - lengths[0] - lengths[1]) / far
        x, y = center + far * math.sin(angle), far * math.cos(angle)
    z = -height * math.cos(math.pi * max(-1.0, min(1.0, x / waist)))
    if x < -waist:
        z = height * max(0.0, 1 - (-waist - x) / 0.1) ** 2 * (1 + 2 * (-waist - x) / 0.1)
    return x, side * y, z


def ribbon(fineness, turned):
    """A ribbon along the knot's curve, its width in the plane."""
    width = 0.024
    columns, rows = max(2, round(8 * fineness)), max(60, round(460 * fineness))

    def point(i, j):
        before, after = knot_curve(max(0, i - 1e-4)), knot_curve(min(1, i + 1e-4))
        dx, dy = after[0] - before[0], after[1] - before[1]
        x, y, z = knot_curve(i)
        offset = (j - 0.5) * width / math.hypot(dx, dy)
        x, y = x - offset * dy, y + offset * dx
        return (-x, y, -z) if turned else (x, y, z)

    return grid(rows, columns, point)


def needle_bed(count, spacing):
    cone = revolved([(0.012, 0.0), (0.006, 0.06), (0.0, 0.12)], 10)
    return joined([moved(cone, ((i - (count - 1) / 2) * spacing, 0.0005,
                                (k - (count - 1) / 2) * spacing))
                   for i in range(count) for k in range(count)])


def knife():
    """A blade: a triangular prism along z, its edge up."""
    n, length = 12, 0.5
    vertices = [(x, y, length * (k / n - 0.5)) for k in range(n + 1)
                for x, y in ((-0.01, 0.0005), (0.01, 0.0005), (0.0, 0.15))]
    triangles = [(0, 2, 1), (3 * n, 3 * n + 1, 3 * n + 2)]
    for k in range(n):
        for i in range(3):
            a, b = 3 * k + i, 3 * k + (i + 1) % 3
            triangles += [(a, b, b + 3), (a, b + 3, a + 3)]
    return vertices, triangles


ARM_RADIUS, JOINT_LENGTH = 0.045, 0.14


def arm_axis(along, bend):
    """Point and direction of the arm's axis at a length `along` from the shoulder; the elbow is a
    circular arc, so that the arm never meets itself."""
    first = 0.3
    if along <= first:
        return (0.0, -0.3 + along, 0.0), (0.0, 1.0, 0.0)
    part = min(1.0, (along - first) / JOINT_LENGTH)
    angle = bend * part
    radius = JOINT_LENGTH / bend if bend > 1e-6 else None
    if radius is None:
        x, y = 0.0, part * JOINT_LENGTH
    else:
        x, y = radius * (1 - math.cos(angle)), radius * math.sin(angle)
    rest = max(0.0, along - first - JOINT_LENGTH)
    direction = (math.sin(angle), math.cos(angle), 0.0)
    return (x + rest * direction[0], y + rest * direction[1], 0.0), direction


def arm(bend):
    length, rings, segments = 0.74, 60, 24
    vertices, triangles = grid(rings, segments,
                               lambda i, j: arm_point(i * length, 2 * math.pi * j, bend), closed=True)
    for ring, center, flip in ((0, arm_axis(0, bend)[0], False),
                               (rings, arm_axis(length, bend)[0], True)):
        tip = len(vertices)
        vertices.append(center)
        for j in range(segments):
            a, b = ring * segments + j, ring * segments + (j + 1) % segments
            triangles.append((tip, a, b) if flip else (tip, b, a))
    return vertices, triangles


def arm_point(along, around, bend, radius=ARM_RADIUS):
    (x, y, z), (dx, dy, _) = arm_axis(along, bend)
    across = radius * math.cos(around)
    return x + across * dy, y - across * dx, radius * math.sin(around)


def arm_bend(time):
    """Degrees: bends, holds, stretches again."""
    def smooth(t):
        t = min(1.0, max(0.0, t))
        return t * t * t * (10 - 15 * t + 6 * t * t)
    return 150 * (smooth((time - 0.4) / 1.4) - smooth((time - 2.6) / 1.2))


def make_elbow(folder, fineness, _data):
    for frame in range(100):
        write_obj(folder / "arm" / ("%04d.obj" % frame), *arm(math.radians(arm_bend(frame / 25))))
    rows, columns = max(12, round(150 * fineness)), max(10, round(66 * fineness))
    write_obj(folder / "sleeve.obj",
              *grid(rows, columns,
                    lambda i, j: arm_point(0.6 * i, 2 * math.pi * j, 0.0, ARM_RADIUS + 0.012),
                    closed=True))


def make_funnel(folder, _fineness, _data):
    write_obj(folder / "funnel.obj",
              *revolved([(0.04, -0.12), (0.04, 0.0), (0.05, 0.03), (0.45, 0.4)], 48))
    cap = [(0.02 * math.sin(a), -0.02 * math.cos(a))
           for a in (k * math.pi / 16 for k in range(1, 9))]
    write_obj(folder / "rod.obj", *revolved([(0.0, -0.02)] + cap + [(0.02, 0.7), (0.0, 0.7)], 24))


def make_reefknot(folder, fineness, _data):
    write_obj(folder / "left.obj", *ribbon(fineness, False))
    write_obj(folder / "right.obj", *ribbon(fineness, True))


def make_needles(folder, _fineness, _data):
    write_obj(folder / "needles.obj", *needle_bed(7, 0.06))
    write_obj(folder / "knife.obj", *knife())


def make_press(folder, fineness, _data):
    n = max(12, round(70 * fineness))
    write_obj(folder / "wavy.obj",
              *grid(n, n, lambda i, j: (0.4 * (i - 0.5),
                                        0.03 + 0.02 * math.sin(14 * i) * math.cos(9 * j),
                                        0.4 * (j - 0.5))))


def read_obj(path):
    vertices, triangles = [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append(tuple(float(w) for w in words[1:4]))
        elif words[:1] == ["f"]:
            corners = [int(w.split("/")[0]) - 1 for w in words[1:]]
            triangles += [(corners[0], corners[k], corners[k + 1]) for k in range(1, len(corners) - 1)]
    return vertices, triangles


def ellipse(points):
    """Center (x, z) and semi-axes of an upright ellipse round points."""
    low, high = ([f(p[k] for p in points) for k in (0, 2)] for f in (min, max))
    center = [(a + b) / 2 for a, b in zip(low, high)]
    axes = [(b - a) / 2 for a, b in zip(low, high)]
    reach = max(math.hypot((p[0] - center[0]) / axes[0], (p[2] - center[1]) / axes[1]) for p in points)
    return center[0], center[1], axes[0] * reach, axes[1] * reach


def make_skirt(folder, fineness, data):
    """The dancer's feet on the floor, 1.7 m tall, y up; a tube round the hips."""
    paths = sorted((data / "transfer" / "seq-samba").rglob("*.obj"))
    poses = [read_obj(p) for p in paths]
    first = poses[0][0]
    lowest, highest = (f(v[1] for v in first) for f in (min, max))
    scale = 1.7 / (highest - lowest)
    middle = [sum(v[k] for v in first) / len(first) for k in (0, 2)]
    for frame, (vertices, triangles) in enumerate(poses):
        placed = [((x - middle[0]) * scale, (y - lowest) * scale, (z - middle[1]) * scale)
                  for x, y, z in vertices]
        if frame == 0:
            body = placed
        write_obj(folder / "dancer" / ("%04d.obj" % frame), placed, triangles)
    waist, hem, gap, arms = 1.02, 0.76, 0.008, 0.21
    torso = [v for v in body if hem - 0.02 < v[1] < waist + 0.05 and abs(v[2]) < arms]
    rows, columns = max(10, round(45 * fineness)), max(24, round(180 * fineness))
    axes = [ellipse([v for v in torso if abs(v[1] - (waist + (hem - waist) * i / rows)) < 0.04])
            for i in range(rows + 1)]
    center = axes[0][:2]
    widths = [tuple(max(a[2 + k] + abs(a[k] - center[k]) for a in axes[:i + 1]) + gap for k in (0, 1))
              for i in range(rows + 1)]

    def point(i, j):
        a, b = widths[round(i * rows)]
        return (center[0] + a * math.cos(2 * math.pi * j), waist + (hem - waist) * i,
                center[1] + b * math.sin(2 * math.pi * j))

    write_obj(folder / "skirt.obj", *grid(rows, columns, point, closed=True))


MAKERS = {"elbow": make_elbow, "funnel": make_funnel, "needles": make_needles, "press": make_press,
          "reefknot": make_reefknot, "skirt": make_skirt}


def finer(text, fineness):
    """The scene with the divisions and sizes of its cloths' meshes multiplied."""
    def cloth(match):
        block = match.group(0)
        block = re.sub(r"divisions = \[(\d+), (\d+)\]",
                       lambda m: "divisions = [%d, %d]" % tuple(
                           max(4, round(int(n) * fineness)) for n in m.groups()), block)
        block = re.sub(r"edge_length = ([\d.]+)",
                       lambda m: "edge_length = %.4g" % (float(m.group(1)) / fineness), block)
        return re.sub(r"rings = (\d+)", lambda m: "rings = %d" % max(3, round(int(m.group(1)) * fineness)),
                      block)
    return re.sub(r"\[\[cloth\]\].*?(?=\n\[\[obstacle|\n\[expect|\Z)", cloth, text, flags=re.S)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = sorted(p.parent.name for p in HERE.glob("*/scene.toml"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of: " + ", ".join(names))
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="OUT")
    parser.add_argument("--fineness", type=float, default=1.0, metavar="F")
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parents[2] / "shared" / "data")
    arguments = parser.parse_args()
    for name in arguments.names or names:
        if name not in names:
            parser.error("there is no scene '%s'; there are: %s" % (name, ", ".join(names)))
        if name == "skirt" and not any((arguments.data / "transfer" / "seq-samba").rglob("*.obj")):
            print("skirt: left out, there is no dancer in %s" % arguments.data, file=sys.stderr)
            continue
        folder = arguments.output / name
        folder.mkdir(parents=True, exist_ok=True)
        text = (HERE / name / "scene.toml").read_text()
        (folder / "scene.toml").write_text(finer(text, arguments.fineness))
        if name in MAKERS:
            MAKERS[name](folder / "meshes", arguments.fineness, arguments.data)
        print(folder / "scene.toml")


if __name__ == "__main__":
    main()
