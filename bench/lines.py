"""A line plot as an SVG file, drawn without a plotting library. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

WIDTH, HEIGHT = 620, 280  # pixels, of which the plot takes what the margins leave
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 54, 40
COLOURS = ("#2f6f4f", "#c0703a", "#5a6fa8", "#8a8a8a")
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)  # between two labels of an axis, times a power of ten
_LABELS = 5

Points = Sequence[tuple[float, float]]


def lines(title: str, series: Mapping[str, Points], *, x_label: str, highest: float | None = None) -> str:
    """One line per series, by name, from zero up to the highest value, or to `highest` for shares."""
    points = [point for each in series.values() for point in each]
    top = highest if highest is not None else max((y for _, y in points), default=1.0) or 1.0
    low = min(0.0, min((y for _, y in points), default=0.0))
    last = max((x for x, _ in points), default=1.0) or 1.0
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + across * x / last, TOP + down * (1.0 - (y - low) / (top - low))

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="18" font-size="13" font-weight="bold">{escape(title)}</text>',
        f'<text x="{LEFT + across / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(x_label)}</text>',
    ]
    for value in ticks(low, top):
        _, y = at(0, value)
        drawn.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        drawn.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    for value in ticks(0.0, last):
        x, _ = at(value, low)
        drawn.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{value:g}</text>')
    for place, (name, each) in enumerate(series.items()):
        colour = COLOURS[place % len(COLOURS)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in each))
        key = LEFT + place * 150
        drawn += [
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<line x1="{key}" x2="{key + 20}" y1="36" y2="36" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{key + 26}" y="40">{escape(name)}</text>',
        ]
    return "\n".join([*drawn, "</svg>", ""])


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from low to high, about five of them."""
    rough = (high - low) / _LABELS
    power = 1.0
    while power * 10.0 <= rough:
        power *= 10.0
    while power > rough:
        power /= 10.0
    step = next(power * step for step in _STEPS if power * step >= rough * 0.999)
    first = -int(-low // step) if low < 0 else 0
    found = [round((first + number) * step, 9) for number in range(2 * _LABELS + 3)]
    return [value for value in found if low <= value <= high * 1.0001]
