"""`python -m nightgarden`, and what `programs.own_words` starts by path: the same as the console script.

`serve --detached` is how clients start the daemon.
"""

import os
import sys

if not __package__:  # by path: this very package, wherever it lies, and nothing else from there before Python's own
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    import nightgarden as _package  # noqa: F401 - now the name is taken

    sys.path.append(sys.path.pop(0))

if __name__ == "__main__":
    if sys.argv[1:] == ["serve", "--detached"]:  # before anything is imported: its caller waits until it has forked
        from nightgarden.surfaces.daemon.__main__ import main

        sys.exit(main(["--detached"]))
    from nightgarden.surfaces.cli.main import run

    run()
