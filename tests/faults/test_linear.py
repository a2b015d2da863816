"""No text, however it is made, takes a rule or an expression longer than its length warrants."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from nightgarden.domain.trigger_expression import Effort, Unreadable, expression_of, read_expression

MINUTES_MAX = 9


def test_no_expression_and_no_rule_grows_faster_than_its_text() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.growth"], capture_output=True, text=True, timeout=MINUTES_MAX * 60
    )
    assert (done.returncode, done.stdout) == (0, "all timed\n"), done.stderr


@pytest.mark.parametrize(
    ("expression", "text", "found"),
    [
        (r"terraform\s+apply.*prod", "run Terraform   APPLY in prod", True),
        (r"terraform\s+apply.*prod", "terraform apply\nprod", False),
        (r"\brm -[rf]{2}\b", "sudo rm -rf /", True),
        (r"\brm -[rf]{2}\b", "farm -rfx", False),
        (r"^git push( --force|-f)?$", "git push --force", True),
        (r"^git push( --force|-f)?$", "git push --tags", False),
        (r"[^a-z]x{2,3}y", "1xxy", True),
        (r"(a|a)*b", "a" * 4000, False),
    ],
)
def test_an_expression_finds_what_re_finds(expression: str, text: str, found: bool) -> None:
    assert read_expression(expression).found_in(text) is found


@pytest.mark.parametrize("pattern", ["/(a)\\1/", "/(?=a)b/", "/(a{90}){90}/", "/(/", f"/{'a' * 300}/"])
def test_what_cannot_be_run_is_said_to_be_so(pattern: str) -> None:
    with pytest.raises(Unreadable):
        expression_of(pattern)


def test_many_expressions_made_to_be_slow_share_what_one_text_may_take() -> None:
    text = "".join(random.Random(1).choice("etaoinshr dlu") for _ in range(4000)) + " terraform apply in prod"
    slow = [read_expression(rf"[etaoinshr].{{{length}}}Z") for length in range(100, 160)]
    effort = Effort()
    assert not any(each.found_in(text, effort) for each in slow)
    assert effort.taken < 1_000_000  # without a bound fifteen times as much
    assert read_expression(r"terraform\s+apply.*prod").found_in(text, effort)  # an honest one is still heard
