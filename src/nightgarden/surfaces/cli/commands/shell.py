"""The command that prints completion scripts for bash, zsh and fish. Made from the parser, so it never lags behind."""

from __future__ import annotations

import argparse

from nightgarden.surfaces.cli import parser as cli


def add_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=["bash", "zsh", "fish"])
    parser.set_defaults(call=_completion)


def _completion(arguments: argparse.Namespace) -> int:
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[arguments.shell](_options()))
    return 0


def _options() -> dict[str, list[str]]:
    """Long options by command."""
    names = [name for name, _, _ in cli.COMMANDS]
    whole = cli.build(names)
    found: dict[str, list[str]] = {}
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                found[name] = sorted(o for a in sub._actions for o in a.option_strings if o.startswith("--"))
    return found


def _bash(options: dict[str, list[str]]) -> str:
    cases = "\n".join(f"    {name}) words='{' '.join(words)}' ;;" for name, words in options.items())
    return f"""_nightgarden() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='{" ".join(options)}'
  else
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ ${{#COMPREPLY[@]}} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}}
complete -F _nightgarden nightgarden ng"""


def _zsh(options: dict[str, list[str]]) -> str:
    lines = "\n".join(f"    '{name}:{overview}'" for name, _, overview in cli.COMMANDS)
    cases = "\n".join(f"    {name}) compadd -- {' '.join(words)}; _files ;;" for name, words in options.items())
    return f"""#compdef nightgarden ng
_nightgarden() {{
  local -a commands=(
{lines}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
  else
    case "$words[2]" in
{cases}
    esac
  fi
}}
compdef _nightgarden nightgarden ng"""


def _fish(options: dict[str, list[str]]) -> str:
    lines = []
    for program in ("nightgarden", "ng"):
        for name, _, overview in cli.COMMANDS:
            about = overview.replace("'", "")
            lines.append(f"complete -c {program} -n __fish_use_subcommand -a {name} -d '{about}'")
            lines += [
                f"complete -c {program} -n '__fish_seen_subcommand_from {name}' -l {option.removeprefix('--')}"
                for option in options[name]
            ]
    return "\n".join(lines)
