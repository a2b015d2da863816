"""A bar chart as an SVG file, drawn without a plotting library. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

ROW, LABEL, BAR = 22, 300, 380  # pixels


def bars(title: str, values: Mapping[str, float], *, highest: float, ours: frozenset[str] = frozenset()) -> str:
    """One horizontal bar per value; ours in another colour."""
    height = ROW * (len(values) + 2)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LABEL + BAR + 80}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="8" y="{ROW - 6}" font-weight="bold">{escape(title)}</text>',
    ]
    for place, (name, value) in enumerate(values.items(), start=1):
        top = place * ROW + 6
        colour = "#2f6f4f" if name in ours else "#b8c4bd"
        lines += [
            f'<text x="{LABEL - 8}" y="{top + 13}" text-anchor="end">{escape(name)}</text>',
            f'<rect x="{LABEL}" y="{top}" width="{BAR * value / highest:.1f}" height="{ROW - 6}" fill="{colour}"/>',
            f'<text x="{LABEL + BAR * value / highest + 6:.1f}" y="{top + 13}">{_short(value)}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def _short(value: float) -> str:
    return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.0f}"
