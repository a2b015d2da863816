"""The replayed year of the measurements runs, and tending makes nothing worse in it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from bench.lines import lines, ticks
from bench.year.page import LEFT, TENDED, added, write
from bench.year.replay import Year, live

DAYS, PACE = 720, 60  # twelve days of sessions, so far apart that what was said first has time to fade


async def test_two_years_tended_holds_less_and_answers_no_worse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NG_CLASSIFIER_FOLDER", raising=False)
    tended = await live(tmp_path / "tended", DAYS, tended=True, every=DAYS, pace=PACE)
    left = await live(tmp_path / "left", DAYS, tended=False, every=DAYS, pace=PACE)

    assert tended.nights["done"] == DAYS // PACE
    assert tended.verdicts.total() == left.verdicts.total()
    with_care, without = tended.figures[-1], left.figures[-1]
    assert with_care.live < without.live
    assert with_care.junk < without.junk
    assert with_care.duplicates <= without.duplicates
    assert with_care.outdated <= without.outdated
    assert with_care.used_memories.in_five >= without.used_memories.in_five
    assert with_care.used_memories.first >= without.used_memories.first
    _page_is_whole(tmp_path, {TENDED: tended, LEFT: left})


def _page_is_whole(folder: Path, years: dict[str, Year]) -> None:
    plain = {
        garden: {
            "figures": [figures.row() for figures in year.figures],
            "nights": year.nights,
            "verdicts": year.verdicts,
            "seconds": year.seconds,
            "tending_seconds": year.tending_seconds,
        }
        for garden, year in years.items()
    }
    write(plain, plain, folder / "page", days=DAYS, pace=PACE, machine="here")
    page = (folder / "page" / "year.md").read_text("utf-8")
    plots = sorted((folder / "page").glob("*.svg"))
    assert plots
    for plot in plots:
        ElementTree.fromstring(plot.read_text("utf-8"))
        assert f"]({plot.name})" in page


def test_a_line_plot_has_a_line_a_series_and_round_numbers_at_its_axes() -> None:
    drawn = ElementTree.fromstring(lines("a < b", {"one": [(1, 2), (2, 40)], "two": [(1, 3)]}, x_label="day"))
    assert len(drawn.findall("{*}polyline")) == 2
    assert ticks(0, 40) == [0, 10, 20, 30, 40]
    assert ticks(0, 1.0) == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert ticks(-10, 40) == [-10, 0, 10, 20, 30, 40]


def test_growth_is_what_thirty_days_added() -> None:
    rows = [{"day": day, "live": live} for day, live in ((15, 10), (30, 18), (45, 22), (60, 20))]
    assert added(rows) == [(30, 18), (45, 12), (60, 2)]
