"""What can be had again from code, history or terminal, and what only looks so."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightgarden.domain.derivable import find_derivable

DERIVABLE = [
    ("fenced-code", "Do this:\n```python\nprint(1)\n```"),
    (
        "diff",
        "diff --git a/x.py b/x.py\nindex 1234567..89abcde 100644\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-a ="
        " 1\n+a = 2",
    ),
    ("diff", "@@ -10,7 +10,7 @@ def f():\n-    return (a)\n+    return (b)"),
    ("stack-trace", 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\nValueError: no'),
    ("stack-trace", "TypeError: x is not a function\n    at foo (/app/a.js:10:5)\n    at bar (/app/b.js:20:1)"),
    (
        "stack-trace",
        'Exception in thread "main" java.lang.NullPointerException\n\tat com.acme.A.b(A.java:10)\n\tat'
        " com.acme.C.d(C.java:2)",
    ),
    (
        "stack-trace",
        "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:12 +0x1d",
    ),
    (
        "stack-trace",
        "thread 'main' panicked at src/main.rs:4:5:\nboom\nstack backtrace:\n   0: rust_begin_unwind\n   1:"
        " core::panicking::panic_fmt",
    ),
    (
        "git-log",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8\nAuthor: A <a@example.com>\nDate:   Mon May 6 10:00:00"
        " 2024 +0200\n\n    fix",
    ),
    ("git-log", "9fceb02 fix the parser\n1a2b3c4 add a test\n5d6e7f8 bump version"),
    ("git-log", "On branch main\nYour branch is up to date with 'origin/main'.\nnothing to commit, working tree clean"),
    ("path-dump", "src/app/main.py\nsrc/app/util.py\ntests/test_main.py"),
    ("path-dump", "├── src\n│   ├── main.py\n└── README.md"),
    ("status-line", "Status: all green"),
    ("status-line", "All 214 tests passed, 3 skipped in 12.4s"),
    ("status-line", "Implemented the login endpoint"),
    ("status-line", "Working on the parser refactoring"),
    ("status-line", "Fixed the bug in parser.py and added tests"),
    ("status-line", "Moved the parser from utils.py to parser.py"),
    ("status-line", "We moved the login code to AuthService"),
    ("status-line", "Next steps: write docs"),
    ("status-line", "## Summary: refactored things"),
    ("bare-code", "def add(a, b):\n    return a + b\n"),
    ("bare-code", "const x = 1;\nlet y = f(x);\nconsole.log(y);"),
    ("command-output", "2024-05-17 10:30:00 INFO start\n2024-05-17 10:30:01 ERROR stop"),
    ("command-output", "$ ls\nfoo bar\nbaz"),
    ("command-output", "===== test session starts =====\ncollected 3 items\n\n===== 3 passed in 0.12s ====="),
    ("data-blob", '{"a": 1, "b": [1, 2]}'),
    ("data-blob", "id,name,amount\n1,foo,3\n2,bar,4"),
]


@pytest.mark.parametrize(("rule", "text"), DERIVABLE)
def test_what_the_code_the_history_or_the_terminal_keeps_is_named(rule: str, text: str) -> None:
    assert rule in {finding.rule.id for finding in find_derivable(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Fixed costs are booked in Q4.",
        "Updated prices apply from May.",
        "Completed orders are archived after 90 days.",
        "Changed files must be formatted.",
        "Working on Sundays is not allowed.",
        "Summary emails go out on Mondays.",
        "Status pages are hosted elsewhere.",
        "Use ruff; the line length is 120.",
        "The handler is in internal/http/handler.go:142.",
        "A ValueError is raised for negative amounts.",
        "Run `make test` before pushing.",
        "We use FastAPI, Postgres and Redis.",
        "The fix is in commit 9fceb02.",
        "Prefer a - b over b + a in docs.",
        "First: read the docs.\nThen: ask the team.",
        "- tabs in Makefiles\n- spaces in YAML\n- no trailing commas",
        "Anna moved to Rome in 2019.",
        "Next year the office moves to Lisbon.",
        "Done means deployed and observed for a day.",
        "Debugging in production is forbidden.",
        "Moved the billing service from port 4100 to 4137",
        "We bumped Python to 3.12",
        "we moved the API to Fly.io",
        "We moved CI to GitHub Actions",
    ],
)
def test_statements_that_only_begin_alike_pass(text: str) -> None:
    assert find_derivable(text) == ()


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_the_checks(text: str) -> None:
    find_derivable(text)
    find_derivable(text * 3)
