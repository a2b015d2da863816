"""The entry point: finds the command, runs it, and turns errors into sentences and exit codes.

0 done, 1 failed, 2 wrong usage or input, 130 interrupted. Never a traceback for an error we know.
"""

from __future__ import annotations

import os
import sys

from nightgarden.errors import NightgardenError
from nightgarden.surfaces.cli.failures import fail, lacking, report


def run() -> None:
    """The console script."""
    sys.exit(main(sys.argv[1:]))


def main(argv: list[str]) -> int:
    """Runs one command line and returns its exit code."""
    if argv in (["--version"], ["-V"]):
        from nightgarden._version import __version__  # nothing else: this answer takes no longer than Python itself

        print(f"nightgarden {__version__}")
        return 0
    if argv[:1] in (["hook"], ["statusline"]) and "--help" not in argv and len(argv) + (argv[0] == "statusline") > 1:
        from nightgarden.surfaces.hooks.process import run as run_hook  # 5 ms; a client waits, and needs nothing else

        return run_hook(["StatusLine"] if argv[0] == "statusline" else argv[1:])
    if argv == ["mcp"]:
        from nightgarden.surfaces.mcp.stdio import main as serve_mcp  # 60 ms sooner than through the parser

        return serve_mcp()
    # 15 ms, which asking for the version does not need
    from nightgarden.surfaces.cli.parser import parse
    from nightgarden.surfaces.cli.terminal import prepare_streams

    prepare_streams()
    try:
        call, arguments = parse(argv)
        code = call(arguments)
        sys.stdout.flush()
        return code
    except NightgardenError as error:
        return report(error, as_json="--json" in argv)
    except BrokenPipeError:
        return stop_writing()
    except KeyboardInterrupt:
        return fail("interrupted", 130)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        return fail(f"{error.strerror or error}{where}", 1)
    except (MemoryError, SystemError, RuntimeError, ImportError) as error:
        if (sentence := lacking(error)) is None:
            raise
        return fail(sentence, 1)


def stop_writing() -> int:
    """The reader has seen enough."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
