#!/usr/bin/env python3
"""Writes the folder `environment` beside this script: ClothOnTable as a scene of the simulator of
[Manen10]. z is up; the cloth is a square of 32 by 32 cells over one end of a table.

usage: make_environment.py"""
import math
import pathlib

CELLS = 32
HEIGHT = 0.9
FOLDER = pathlib.Path(__file__).parent / "environment"


def number(x):
    return f"{round(x, 6):g}"


def stl(name, triangles):
    lines = [f"solid {name}"]
    for a, b, c in triangles:
        u = [b[i] - a[i] for i in range(3)]
        v = [c[i] - a[i] for i in range(3)]
        n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        size = math.sqrt(sum(x * x for x in n))
        lines.append("facet normal " + " ".join(number(x / size) for x in n))
        lines.append("outer loop")
        lines += ["vertex " + " ".join(number(x) for x in p) for p in (a, b, c)]
        lines += ["endloop", "endfacet"]
    return "\n".join(lines + [f"endsolid {name}"]) + "\n"


def cloth():
    def point(i, j):
        return (i / CELLS - 0.25, j / CELLS - 0.5, HEIGHT)

    triangles = []
    for i in range(CELLS):
        for j in range(CELLS):
            a, b, c, d = point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)
            triangles += [(a, b, c), (a, c, d)]
    return triangles


def vertex_at(triangles, place):
    """The number of a vertex, which are counted by first appearance."""
    seen = {}
    for triangle in triangles:
        for p in triangle:
            seen.setdefault(tuple(number(x) for x in p), len(seen))
    return seen[tuple(number(x) for x in place)]


def box(low, high):
    x, y, z = zip(low, high)
    p = [(x[i], y[j], z[k]) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return [t for a, b, c, d in faces for t in ((p[a], p[b], p[c]), (p[a], p[c], p[d]))]


def leg(x, y, radius=0.025, top=0.7197, segments=16):
    ring = [(x + radius * math.cos(2 * math.pi * k / segments),
             y + radius * math.sin(2 * math.pi * k / segments)) for k in range(segments)]
    triangles = []
    for k in range(segments):
        p, q = ring[k], ring[(k + 1) % segments]
        a, b, c, d = (*p, 0), (*q, 0), (*q, top), (*p, top)
        triangles += [(a, b, c), (a, c, d), ((x, y, top), d, c), ((x, y, 0), b, a)]
    return triangles


def table():
    triangles = box((-0.5, -0.6, 0.72), (0.5, 0.6, 0.75))
    for x in (-0.45, 0.45):
        for y in (-0.55, 0.55):
            triangles += leg(x, y)
    return triangles


def parameters(density, thickness, colour):
    return ("# All four values must be there; what does not apply is not used.\n"
            f"Density (kg/m^2) (only used for DPO): {density}\n"
            "Mass (kg) (only used for Rigid Objects): 0\n"
            f"Thickness (m) (for Rigid Objects this should be zero): {thickness}\n"
            f"Diffuse color (rgb): {colour}\n")


def held(vertices):
    return ("# From each time on, until the next.\n"
            f"Time: 0\nNumber of constraint vectors: {len(vertices)}\n"
            + "".join(f"VertexId: {v}  Vector: 0 0 0\n" for v in vertices))


def main():
    sheet = cloth()
    corners = [vertex_at(sheet, (0.75, y, HEIGHT)) for y in (-0.5, 0.5)]
    files = {
        "world_parameters/world_parameters":
            "# Parameters of the world.\n"
            "Gravity (m/s^2): 9.81\nFramerate (frames/second): 25\n# end\n",
        "bodies/body_list":
            "# For every body its mesh, its parameters and its velocities. dpo_ is the prefix of a\n"
            "# deformable planar object, rig_ that of a rigid one.\n"
            "List of bodies:\n"
            "dpo_cloth par_cloth vel_cloth\nrig_table par_table vel_table\n",
        "bodies/dpo_cloth": stl("cloth", sheet),
        "bodies/par_cloth": parameters(0.15, 0.003, "0 0 0.9"),
        "bodies/vel_cloth": held(corners),
        "bodies/rig_table": stl("table", table()),
        "bodies/par_table": parameters(0, 0, "0.55 0.4 0.25"),
        "bodies/vel_table": held([0]),
    }
    for name, text in files.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
