"""The page about the replayed year and its plots, written from the figures of both gardens. Pure but for the files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.lines import Points, lines

TENDED, LEFT = "tended every night", "never tended"
Row = Mapping[str, Any]  # one measuring, as `Figures.row` gives it
STOPPED = "stopped by the loss gate"
Years = Mapping[str, Mapping[str, Any]]  # by garden: figures, nights, verdicts, seconds, tending_seconds

_HELD = ("live", "live_facts", "evergreen", "junk", "duplicates", "outdated", "archived", "passages", "megabytes")
_ASKED = ("used", "used_memories", "every")
_SHARES = {"first": "first", "in five": "in_five", "former above": "stale_above"}  # heading and name
_HEADINGS = {
    "used": "Facts that people ask for, of the projects they work on",
    "used_memories": "The same, by memories alone",
    "every": "All facts that hold, also those nobody ever asked for and those of projects long left",
}


def write(years: Years, longer: Years, folder: Path, *, days: int, pace: int, machine: str) -> None:
    """Writes year.md and its plots. `longer` is a longer time with sessions on every `pace`th day."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, title, of, highest in _PLOTS:
        series = {garden: [(row["day"], of(row)) for row in year["figures"]] for garden, year in years.items()}
        (folder / f"year-{name}.svg").write_text(lines(title, series, x_label="day", highest=highest), "utf-8")
    growth = {garden: added(year["figures"]) for garden, year in years.items()}
    plot = lines("live memories added in 30 days", growth, x_label="day")
    (folder / "year-growth.svg").write_text(plot, "utf-8")
    sections = [_HEAD.format(days=days), _held(years), _growth(growth), _longer(longer, folder, pace=pace)]
    sections += [_answers(years), _nights(years)]
    (folder / "year.md").write_text("\n\n".join([*sections, f"<sub>{machine}</sub>"]) + "\n", "utf-8")


def _share(asked: str, what: str) -> Callable[[Row], float]:
    return lambda row: float(row[asked][what])


_PLOTS: tuple[tuple[str, str, Callable[[Row], float], float | None], ...] = (
    ("live", "live memories", lambda row: row["live"], None),
    ("junk", "live remarks that nobody needs", lambda row: row["junk"], None),
    ("duplicates", "live duplicates", lambda row: row["duplicates"], None),
    ("outdated", "live memories that no longer hold", lambda row: row["outdated"], None),
    ("first", "right value first, facts people ask for", _share("used", "first"), 1.0),
    ("in-five", "right value among the first five", _share("used", "in_five"), 1.0),
    ("memories", "right value first, memories alone", _share("used_memories", "first"), 1.0),
    ("stale", "a former value shown above the right one", _share("used", "stale_above"), 1.0),
    ("disk", "megabytes on disk", lambda row: row["megabytes"], None),
)

_HEAD = """# A year, replayed

Written by `python -m bench.year` ({days} days). Two gardens live through the same sessions by a clock of their own; one
is tended every night, the other never. What that shows, and what it does not: [the notes](year-notes.md).

Each day one to three sessions on one of three projects: new facts, known facts in other words, facts that changed,
remarks nobody needs, things that hold for a week, talk about tasks, and questions, which go to a few facts often and to
two fifths of them never. Every message of the user is a turn, every session is taken in and read for memories, by the
same code that runs in an installation, with its default settings and the small model that every installation has. The
texts are made from templates (`bench/year/texts.py`); each line carries a mark of what it says, so nothing below is
judged by reading texts. Questions are asked in words that no session holds."""


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    made = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*made, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def _thinned(figures: Sequence[Row]) -> list[Row]:
    """Every second measuring and the last: the plots have them all."""
    return [row for at, row in enumerate(figures, start=1) if at % 2 == 0 or at == len(figures)]


def _held(years: Years) -> str:
    parts = ["## What the gardens hold"]
    parts += [f"![{title}](year-{name}.svg)" for name, title, _, _ in _PLOTS if name in _HELD or name == "disk"]
    for garden, year in years.items():
        rows = [[row["day"], row["true_facts"], *(row[name] for name in _HELD)] for row in _thinned(year["figures"])]
        head = ("day", "facts that hold", *(name.replace("_", " ") for name in _HELD))
        parts += [f"### {garden}", _table(head, rows)]
    return "\n\n".join(parts)


def added(figures: Sequence[Row]) -> Points:
    """How many live memories came on top in the 30 days before each measuring."""
    live = {0: 0} | {row["day"]: row["live"] for row in figures}
    return [(day, live[day] - live[day - 30]) for day in live if day - 30 in live]


def _growth(growth: Mapping[str, Points]) -> str:
    days = [day for day, _ in next(iter(growth.values()), ()) if day % 30 == 0]
    rows = [[garden, *(int(number) for day, number in points if day in days)] for garden, points in growth.items()]
    return "\n\n".join(
        (
            "## Growth",
            "![live memories added in 30 days](year-growth.svg)",
            "Live memories added in the 30 days before:",
            _table(("garden", *(f"day {day:.0f}" for day in days)), rows),
        )
    )


def _longer(years: Years, folder: Path, *, pace: int) -> str:
    """Where growth ends: a longer time, thinned out so that it can be waited for."""
    parts = [f"## A longer time, with sessions and nights on every {pace}th day"]
    for name, title, of, _ in _PLOTS:
        if name in ("live", "disk"):
            series = {garden: [(row["day"], of(row)) for row in year["figures"]] for garden, year in years.items()}
            (folder / f"year-longer-{name}.svg").write_text(lines(title, series, x_label="day"), "utf-8")
            parts.append(f"![{title}](year-longer-{name}.svg)")
    for garden, year in years.items():
        head = ("day", "facts that hold", *(name.replace("_", " ") for name in _HELD), *_SHARES)
        rows = [[row["day"], row["true_facts"], *(row[name] for name in _HELD), *_used(row)] for row in year["figures"]]
        parts += [f"### {garden.replace('night', f'{pace}th night')}", _table(head, rows)]
        if nights := year["nights"]:
            parts.append(f"Nights: {nights['done']} done, {nights.get(STOPPED, 0)} {STOPPED}.")
    return "\n\n".join(parts)


def _used(row: Row) -> list[str]:
    return [f"{row['used'][what]:.3f}" for what in _SHARES.values()]


def _answers(years: Years) -> str:
    parts = ["## How well they answer"]
    parts += [f"![{title}](year-{name}.svg)" for name, title, _, highest in _PLOTS if highest == 1.0]
    for asked in _ASKED:
        parts.append(f"### {_HEADINGS[asked]}")
        head, rows = ["day"], [[row["day"]] for row in _thinned(next(iter(years.values()))["figures"])]
        for garden, year in years.items():
            head += [f"{what}, {garden}" for what in _SHARES]
            for row, figures in zip(rows, _thinned(year["figures"]), strict=True):
                row += [f"{figures[asked][what]:.3f}" for what in _SHARES.values()]
        means = ["mean of all"]
        for year in years.values():
            means += [f"{_mean(year['figures'], asked, what):.3f}" for what in _SHARES.values()]
        parts.append(_table(head, [*rows, means]))
    return "\n\n".join(parts)


def _mean(figures: Sequence[Row], asked: str, what: str) -> float:
    return sum(row[asked][what] for row in figures) / max(1, len(figures))


def _nights(years: Years) -> str:
    year = years[TENDED]
    parts = ["## The nights", "What tending did in all of them:"]
    parts.append(_table(("what", "times"), sorted(year["nights"].items(), key=lambda pair: (-pair[1], pair[0]))))
    for garden, each in years.items():
        written = ", ".join(f"{number:,} {what}" for what, number in sorted(each["verdicts"].items()))
        spent = f", {each['tending_seconds']:.0f} s of it tending" if each["tending_seconds"] else ""
        parts.append(f"{garden}: {each['seconds']:.0f} s in all{spent}. What was read in sessions: {written}.")
    return "\n\n".join(parts)
