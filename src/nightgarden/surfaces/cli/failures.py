"""How an error ends a command: a sentence or JSON on standard error, and the exit code."""

from __future__ import annotations

import sys

from nightgarden.errors import BadInput, NightgardenError, RuleRefused


def report(error: NightgardenError, *, as_json: bool = False) -> int:
    """Says what is wrong, on standard error; returns the exit code."""
    code = exit_code(type(error))
    if not as_json:
        return fail(str(error), code)
    import json  # 4 ms, for a script that failed

    shape = {"kind": type(error).__name__, "message": str(error), "exit_code": code}
    print(json.dumps({"error": shape}, ensure_ascii=False), file=sys.stderr)
    return code


def exit_code(kind: type[NightgardenError]) -> int:
    """2 when the caller must change what was passed in; 1 when a rule refused it, and for everything else."""
    return 2 if issubclass(kind, BadInput) and not issubclass(kind, RuleRefused) else 1


def fail(sentence: str, code: int) -> int:
    """Says what is wrong; returns the code."""
    print(f"nightgarden: {sentence}", file=sys.stderr)
    return code
