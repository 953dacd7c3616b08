#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the curves of `toile bench validate --json` as SVG pictures, and prints their table.

    toile bench validate --json > validation.json
    python3 tools/draw_validation.py validation.json docs/images/validation

Writes one picture a curve, NAME.svg; prints a Markdown table of all rows.
"""
import argparse
import html
import json
import math
import pathlib

WIDTH, HEIGHT = 520, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 34, 48
COLOURS = ["#1f5fa8", "#c2461a", "#2c8a4b", "#8a4fa3", "#a07b00"]


class Axis:
    """From values to places on the picture."""

    def __init__(self, values, start, end, logarithmic):
        self.logarithmic = logarithmic
        self.start, self.end = start, end
        numbers = [self.scale(v) for v in values]
        self.low, self.high = min(numbers), max(numbers)
        margin = 0.04 * (self.high - self.low or 1)
        self.low, self.high = self.low - margin, self.high + margin

    def scale(self, value):
        return math.log10(value) if self.logarithmic else value

    def place(self, value):
        part = (self.scale(value) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self):
        if self.logarithmic:
            return [10.0**i for i in range(math.ceil(self.low), math.floor(self.high) + 1)]
        span = self.high - self.low
        step = 10 ** math.floor(math.log10(span / 4))
        step *= next(k for k in (1, 2, 5, 10) if span / (k * step) <= 6)
        first = math.ceil(self.low / step)
        return [i * step for i in range(first, math.floor(self.high / step) + 1)]


def equalise(x, y):
    """Widens one of two axes so that a metre is as long on both."""
    per_pixel = max((x.high - x.low) / abs(x.end - x.start), (y.high - y.low) / abs(y.end - y.start))
    for axis in (x, y):
        middle, half = (axis.low + axis.high) / 2, per_pixel * abs(axis.end - axis.start) / 2
        axis.low, axis.high = middle - half, middle + half


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{html.escape(words)}</text>'


def frame(x, y, curve):
    parts = [f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" '
             f'height="{HEIGHT - TOP - BOTTOM}" fill="none" stroke="#888"/>']
    for tick in x.ticks():
        at = x.place(tick)
        parts.append(f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        parts.append(text(at, HEIGHT - BOTTOM + 15, f"{tick:.6g}"))
    for tick in y.ticks():
        at = y.place(tick)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(text(LEFT - 5, at + 4, f"{tick:.6g}", "end"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, curve["x_label"]))
    parts.append(text(14, middle, curve["y_label"], more=f'transform="rotate(-90 14 {middle})"'))
    parts.append(text(WIDTH / 2, 20, curve["title"], more='font-weight="bold"'))
    return parts


def draw_series(x, y, series, colour):
    places = [(x.place(px), y.place(py)) for px, py in series["points"]]
    if series["exact"]:
        way = " ".join(f"{px:.1f},{py:.1f}" for px, py in places)
        return [f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.6"/>']
    return [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.6" fill="none" stroke="{colour}" '
            f'stroke-width="1.3"/>' for px, py in places]


def legend(entries):
    parts = []
    for i, (name, exact, colour) in enumerate(entries):
        at = TOP + 16 + 16 * i
        mark = (f'<path d="M{LEFT + 10} {at - 4}h20" stroke="{colour}" stroke-width="1.6"/>' if exact else
                f'<circle cx="{LEFT + 20}" cy="{at - 4}" r="2.6" fill="none" stroke="{colour}"/>')
        parts += [mark, text(LEFT + 36, at, name, "start")]
    return parts


def colours_of(curve):
    """All that is exact in one colour and all that is measured in another; without answers to
    compare with, a colour for each."""
    if all(s["exact"] for s in curve["series"]):
        return [COLOURS[i % len(COLOURS)] for i in range(len(curve["series"]))]
    return [COLOURS[0] if s["exact"] else COLOURS[1] for s in curve["series"]]


def picture(curve):
    points = [p for s in curve["series"] for p in s["points"]]
    x = Axis([p[0] for p in points], LEFT, WIDTH - RIGHT, curve["logarithmic"])
    y = Axis([p[1] for p in points], HEIGHT - BOTTOM, TOP, curve["logarithmic"])
    if curve["equal_scales"]:
        equalise(x, y)
    parts, entries = frame(x, y, curve), []
    for series, colour in zip(curve["series"], colours_of(curve)):
        parts += draw_series(x, y, series, colour)
        if (entry := (series["name"], series["exact"], colour)) not in entries:
            entries.append(entry)
    body = "\n".join(parts + legend(entries))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" font-family="sans-serif" font-size="12" fill="#222">\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n{body}\n</svg>\n')


def table(document):
    lines = ["| quantity | answer | measured | error | bound | |", "| --- | --- | --- | --- | --- | --- |"]
    for case in document["cases"]:
        lines.append(f"| **{case['name']}**: {case['title']} ({case['source']}) | | | | | |")
        for row in case["rows"]:
            if row["measured"] is None:
                lines.append(f"| {row['quantity']} | | | | | **does not hold** |")
                continue
            answer = f"{row['low']:.5g}"
            if row["low"] != row["high"]:
                answer += f" to {row['high']:.5g}"
            lines.append(f"| {row['quantity']} | {answer} | {row['measured']:.5g} | {row['error']:.2g} | "
                         f"{row['bound']:g} | {'holds' if row['holds'] else '**does not hold**'} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("json", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    document = json.loads(options.json.read_text())
    options.folder.mkdir(parents=True, exist_ok=True)
    for case in document["cases"]:
        for curve in case["curves"]:
            (options.folder / f"{curve['name']}.svg").write_text(picture(curve))
    print(table(document))


if __name__ == "__main__":
    main()
