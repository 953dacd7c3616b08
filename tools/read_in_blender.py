# SPDX-License-Identifier: Apache-2.0
"""Imports a body of a run into Blender (its .obj, and its .pc2 or .mdd through the Mesh Cache
modifier), compares every vertex of three frames with the file, prints what it found and draws a
picture. Run by hand, see docs/other-programs.md:

    blender --background --factory-startup --python-exit-code 3 \\
        --python tools/read_in_blender.py -- run/cloth.obj run/cloth.pc2 picture.png
"""
import struct
import sys

import bpy
from mathutils import Vector as vector


def pc2_frames(path):
    with open(path, "rb") as file:
        data = file.read()
    n_points, _, _, n_frames = struct.unpack("<iffi", data[16:32])
    return [frame_at(data, 32 + 12 * n_points * k, n_points, "<") for k in range(n_frames)]


def mdd_frames(path):
    with open(path, "rb") as file:
        data = file.read()
    n_frames, n_points = struct.unpack(">2i", data[:8])
    start = 8 + 4 * n_frames
    return [frame_at(data, start + 12 * n_points * k, n_points, ">") for k in range(n_frames)]


def frame_at(data, offset, n_points, order):
    values = struct.unpack_from(f"{order}{3 * n_points}f", data, offset)
    return [values[i : i + 3] for i in range(0, len(values), 3)]


def add_cache(item, path):
    cache = item.modifiers.new("Toile", "MESH_CACHE")
    cache.cache_format = "MDD" if path.endswith(".mdd") else "PC2"
    cache.filepath = path
    cache.frame_start = 0  # scene frame k shows frame k of the run
    cache.interpolation = "NONE"
    return cache


def evaluated(item):
    """Vertices after the modifiers, in the object's own space."""
    graph = bpy.context.evaluated_depsgraph_get()
    mesh = item.evaluated_get(graph).to_mesh()
    return [tuple(vertex.co) for vertex in mesh.vertices]


def compare(item, frames):
    worst = 0.0
    for k in sorted({0, len(frames) // 2, len(frames) - 1}):
        bpy.context.scene.frame_set(k)
        found = evaluated(item)
        assert len(found) == len(frames[k]), (len(found), len(frames[k]))
        for a, b in zip(found, frames[k]):
            worst = max(worst, max(abs(x - y) for x, y in zip(a, b)))
        print(f"  scene frame {k}: {len(found)} vertices; vertex 0: Blender {found[0]}, file {frames[k][0]}")
        up = item.matrix_world @ vector(found[0])
        print(f"    in the world, z up: {tuple(round(x, 6) for x in up)}")
    print(f"largest difference of a coordinate: {worst:g} m")
    assert worst == 0.0


def draw(item, picture):
    scene = bpy.context.scene
    scene.frame_set(scene.frame_end)
    corners = [item.matrix_world @ vertex for vertex in map(vector, evaluated(item))]
    center = sum(corners, vector((0, 0, 0))) / len(corners)
    size = max((corner - center).length for corner in corners)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.location = center + vector((1.2, -3.6, 2.0)) * size
    camera.rotation_euler = (center - camera.location).to_track_quat("-Z", "Y").to_euler()
    scene.camera = camera
    light = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    light.data.energy = 2.0
    light.rotation_euler = (0.6, 0.3, 0.0)
    scene.collection.objects.link(light)
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 64
    scene.cycles.use_denoising = False
    scene.cycles.device = "CPU"
    scene.render.resolution_x, scene.render.resolution_y = 480, 300
    scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)
    print(f"drew {picture}")


def main():
    mesh_path, cache_path, picture = sys.argv[sys.argv.index("--") + 1 :][:3]
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.ops.wm.obj_import(filepath=mesh_path)
    item = bpy.context.selected_objects[0]
    degrees = [round(angle * 57.29577951308232, 3) for angle in item.rotation_euler]
    print(f"Blender {bpy.app.version_string}: imported '{item.name}', {len(item.data.vertices)} vertices, "
          f"{len(item.data.polygons)} faces, {len(item.data.uv_layers)} UV layer, rotation {degrees} degrees")
    frames = mdd_frames(cache_path) if cache_path.endswith(".mdd") else pc2_frames(cache_path)
    cache = add_cache(item, cache_path)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, len(frames) - 1
    print(f"{cache.cache_format}: {len(frames)} frames of {len(frames[0])} points")
    compare(item, frames)
    draw(item, picture)


main()
