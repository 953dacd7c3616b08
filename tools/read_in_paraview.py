# SPDX-License-Identifier: Apache-2.0
"""Reads what `toile convert run/ film.pvd` wrote as ParaView does, compares it with the run's own
files, prints what it found and draws a picture. Run by hand, see docs/other-programs.md:

    xvfb-run -a -s '-noreset -screen 0 1280x1024x24' pvpython tools/read_in_paraview.py \\
        run/ film.pvd picture.png
"""
import json
import math
import struct
import sys

from paraview import simple, servermanager


def pc2_frame(path, frame):
    """Positions of one frame of a PC2 file, read without any library."""
    with open(path, "rb") as file:
        header = file.read(32)
        n_points, _, _, n_frames = struct.unpack("<iffi", header[16:])
        file.seek(32 + 12 * n_points * frame)
        values = struct.unpack(f"<{3 * n_points}f", file.read(12 * n_points))
    return [values[i : i + 3] for i in range(0, len(values), 3)], n_frames


def blocks(data):
    """Leaves of what the reader gives: one block a body, or the body itself where it is alone."""
    if data.IsA("vtkCompositeDataSet"):
        iterator = data.NewIterator()
        iterator.InitTraversal()
        while not iterator.IsDoneWithTraversal():
            yield iterator.GetCurrentDataObject()
            iterator.GoToNextItem()
    else:
        yield data


def finite_range(array):
    values = [array.GetValue(i) for i in range(array.GetNumberOfTuples())]
    finite = [value for value in values if math.isfinite(value)]
    return (min(finite), max(finite)) if finite else (math.nan, math.nan)


def compare(run, reader, record):
    worst = 0.0
    for frame in sorted({0, record["frames_done"] // 2, record["frames_done"]}):
        time = reader.TimestepValues[frame]
        reader.UpdatePipeline(time)
        leaves = list(blocks(servermanager.Fetch(reader)))
        for body, leaf in zip(record["bodies"], leaves):
            positions, n_frames = pc2_frame(f"{run}/{body['name']}.pc2", frame)
            assert leaf.GetNumberOfPoints() == len(positions) == body["vertices"]
            assert leaf.GetNumberOfCells() == body["triangles"]
            assert n_frames == len(reader.TimestepValues)
            for v, expected in enumerate(positions):
                found = leaf.GetPoint(v)
                worst = max(worst, max(abs(a - b) for a, b in zip(found, expected)))
            line = f"  frame {frame}, t = {time:g} s, {body['name']}: {len(positions)} points"
            for data, name in (
                (leaf.GetPointData(), "speed"),
                (leaf.GetPointData(), "gap"),
                (leaf.GetCellData(), "strain"),
            ):
                low, high = finite_range(data.GetArray(name))
                line += f"; {name} {low:.4g} to {high:.4g}"
            print(line)
            print(f"    vertex 0: ParaView {leaf.GetPoint(0)}, file {positions[0]}")
    print(f"largest difference of a coordinate: {worst:g} m")
    assert worst == 0.0


def draw(reader, picture):
    """The last frame, coloured by speed, seen from above with the first body in the middle."""
    view = simple.CreateRenderView()
    view.ViewSize = [640, 400]
    display = simple.Show(reader, view)
    simple.ColorBy(display, ("POINTS", "speed"))
    view.ViewTime = reader.TimestepValues[-1]
    simple.Render(view)
    reader.UpdatePipeline(view.ViewTime)
    display.RescaleTransferFunctionToDataRange(False, True)
    display.SetScalarBarVisibility(view, True)
    low_x, high_x, low_y, high_y, low_z, high_z = next(blocks(servermanager.Fetch(reader))).GetBounds()
    center = [(low_x + high_x) / 2, (low_y + high_y) / 2, (low_z + high_z) / 2]
    size = max(high_x - low_x, high_y - low_y, high_z - low_z)
    view.CameraFocalPoint = center
    view.CameraPosition = [c + size * d for c, d in zip(center, (0.8, 1.0, 1.6))]
    view.CameraViewUp = [0.0, 1.0, 0.0]
    simple.Render(view)
    simple.SaveScreenshot(picture, view)
    print(f"drew {picture}")


def main():
    run, pvd, picture = sys.argv[1:4]
    with open(f"{run}/run.json", encoding="utf-8") as file:
        record = json.load(file)
    reader = simple.PVDReader(FileName=pvd)
    reader.UpdatePipelineInformation()
    times = reader.TimestepValues
    print(f"ParaView {simple.GetParaViewVersion()}: {len(times)} time steps, {times[0]:g} to {times[-1]:g} s")
    compare(run, reader, record)
    draw(reader, picture)


main()
