"""`python -m nightgarden`: the same as the console script."""

from nightgarden.surfaces.cli.main import run

if __name__ == "__main__":
    run()
