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


def lacking(error: Exception) -> str | None:
    """What the machine or the installation lacks, where that is what the error means."""
    # Where the interpreter itself gets no memory, it says SystemError.
    if isinstance(error, MemoryError | SystemError) or "can't start new thread" in str(error):
        return "there is not enough memory for this; raise its limit or end other programs"
    if isinstance(error, ImportError):
        why = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        return f"a part of the program cannot be loaded ({why}); raise the limit of memory, or reinstall nightgarden"
    return None


def fail(sentence: str, code: int) -> int:
    """Says what is wrong; returns the code."""
    print(f"nightgarden: {sentence}", file=sys.stderr)
    return code
