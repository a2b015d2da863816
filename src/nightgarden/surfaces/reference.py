"""The reference pages, made from the code: `python -m nightgarden.surfaces.reference docs/reference`.

Knows how to describe commands, settings, errors, the public API and rules. A test compares the pages with what is
committed, so they never lag behind. Nothing here depends on the machine or the version of Python it runs on.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import nightgarden
from nightgarden import errors
from nightgarden.domain.graph import Edge
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.domain.setting_values import Narrowing
from nightgarden.domain.verdict import Rule
from nightgarden.facade.files import Files
from nightgarden.facade.lookup import GardenLookup
from nightgarden.facade.scheduling import Schedule
from nightgarden.garden import Garden
from nightgarden.learn.skills import Skills
from nightgarden.learn.verbs import Learning
from nightgarden.minds.minds import Minds
from nightgarden.safety.cycle_transcripts import Transcripts
from nightgarden.safety.decide import OF_EFFECT
from nightgarden.safety.directing import Directives
from nightgarden.safety.notify import Notifier
from nightgarden.safety.permissions import Permissions
from nightgarden.sessions.keep import Sessions
from nightgarden.settings import ENV_PREFIX, section_kinds
from nightgarden.surfaces.cli.failures import exit_code
from nightgarden.surfaces.cli.parser import COMMANDS, build
from nightgarden.surfaces.json_shapes import ALSO, SHAPES
from nightgarden.surfaces.reference_operations import describe_operations

RECORDS = {
    "memory": Memory,
    "passage": Passage,
    "session": Session,
    "message": Message,
    "edge": Edge,
    "journal entry": JournalEntry,
}
# Texts that are made where a record is shown, by record and field.
SENTENCES = {"memory": {"flagged": "its doubts in a sentence; empty when there are none"}}
ROOMS_WITH_RULES = ("domain", "remember", "safety")
_HEAD = "<!-- Made by `make docs` from the code. Change the code, not this page. -->\n\n"


def main(argv: list[str]) -> int:
    """Writes every page into the folder named."""
    folder = Path(argv[0]) if argv else Path("docs/reference")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


def pages() -> dict[str, str]:
    """Every page's text by its file name."""
    made: dict[str, Callable[[], Iterable[str]]] = {
        "cli.md": _cli,
        "settings.md": _settings,
        "errors.md": _errors,
        "api.md": _api,
        "operations.md": describe_operations,
        "rules.md": _rules,
    }
    return {name: _HEAD + "\n".join(lines()).rstrip() + "\n" for name, lines in made.items()}


# -- commands --------------------------------------------------------------------------------------------------------
def command_parsers() -> dict[str, argparse.ArgumentParser]:
    """Every command's parser; an action of a command is `command action`."""
    found: dict[str, argparse.ArgumentParser] = {}
    for name, parser in _subparsers(build([name for name, _, _ in COMMANDS])).items():
        below = _subparsers(parser)
        if not below:
            found[name] = parser
        found |= {f"{name} {action}": sub for action, sub in below.items()}
    return found


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    # argparse has no public way to list subcommands
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _cli() -> Iterator[str]:
    overviews = {name: overview for name, _, overview in COMMANDS}
    yield "# Command line\n"
    yield "`nightgarden` and `ng` are the same program. Exit codes: 0 done, 1 failed or refused, 2 wrong usage or"
    yield "input, 130 interrupted, and 3 from `status` when no daemon runs; [errors](errors.md) says which error gives"
    yield "which. `--version` prints the version.\n"
    yield "Where a command takes an id, the first or last characters of it will do, at least four, as long as only one"
    yield "id matches.\n"
    yield "JSON shapes are stable: names are added, never renamed or removed. Moments are in UTC, scopes are written"
    yield "`kind:owner`. Without `--json` the output is for people and may change. With `--json` an error is printed on"
    yield 'standard error as `{"error": {"kind", "message", "exit_code"}}`.\n'
    yield "| command | |\n|---|---|"
    for name, _, overview in COMMANDS:
        yield f"| [`{name}`](#{name}) | {_cell(overview)} |"
    described = set()
    for name, parser in command_parsers().items():
        command = name.partition(" ")[0]
        if command not in described:
            described.add(command)
            yield f"\n## {command}\n\n{_sentence(overviews[command])}"
        if name != command:
            yield f"\n### {name}\n" + (f"\n{parser.description}" if parser.description else "")
        yield from _arguments(name, parser)
    yield from _records()


def _arguments(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    shown = [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    words = [_argument_name(action) for action in shown if not action.option_strings]
    yield f"\n```text\n{' '.join(['nightgarden', name, *words, '[options]'])}\n```"
    if shown:
        yield "\n| argument | what it does | values | default |\n|---|---|---|---|"
    for action in shown:
        yield f"| {_argument_cell(action)} | {_cell(action.help or '')} | {_choices(action)} | {_default(action)} |"
    if parser.epilog:
        yield f"\n{parser.epilog}"
    if shape := SHAPES.get(name):
        yield f"\nJSON: `{shape}`" + (f"; {ALSO[name]}." if name in ALSO else ".")


def _argument_name(action: argparse.Action) -> str:
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return {"*": f"[{name} …]", "+": f"{name} …", "?": f"[{name}]"}.get(str(action.nargs), name)


def _argument_cell(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{_cell(_argument_name(action))}`"
    takes = action.nargs != 0 and not isinstance(action, argparse.BooleanOptionalAction)
    value = f" {action.metavar or action.dest.upper()}" if takes and action.choices is None else ""
    return f"`{_cell(', '.join(action.option_strings) + value)}`"


def _choices(action: argparse.Action) -> str:
    return ", ".join(f"`{choice}`" for choice in action.choices) if action.choices is not None else ""


def _default(action: argparse.Action) -> str:
    if action.required and action.option_strings:
        return "must be given"
    plain = action.default in (None, False, True, "", []) or action.default == argparse.SUPPRESS
    return "" if plain else f"`{action.default}`"


def _records() -> Iterator[str]:
    yield "\n## Records\n\nThe records inside the JSON above."
    for name, kind in RECORDS.items():
        yield f"\n### {name}\n\n| name | type | |\n|---|---|---|"
        notes, hints = _field_notes(kind), get_type_hints(kind)
        for field in fields(kind):
            yield f"| `{field.name}` | {_json_type(hints[field.name])} | {_cell(notes.get(field.name, ''))} |"
        for field_name, about in SENTENCES.get(name, {}).items():
            yield f"| `{field_name}` | {_json_type(str)} | {about} |"


def _field_notes(kind: type) -> dict[str, str]:
    """The comment behind each field in the source."""
    pattern = re.compile(r"^    (\w+): [^#]*#\s*(.+)$", re.MULTILINE)
    return dict(pattern.findall(inspect.getsource(kind)))


def _json_type(hint: Any) -> str:
    options = [option for option in get_args(hint) if option is not type(None)]
    if type(None) in get_args(hint):
        return f"{_json_type(options[0])} or null"
    if get_origin(hint) is tuple:
        return f"list of {_json_type(options[0])}"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return ", ".join(f"`{member.value}`" for member in hint)
    names = {"str": "text", "int": "whole number", "float": "number", "bool": "true or false", "datetime": "moment"}
    name = getattr(hint, "__name__", str(hint))
    if isinstance(hint, type) and is_dataclass(hint) and name != "Scope":
        return "{" + ", ".join(f"`{field.name}`" for field in fields(hint)) + "}" if name != "Message" else "message"
    return names.get(name, "text" if name == "Scope" else "object")


_NARROWING: dict[Narrowing, str] = {
    "never": "–",
    "lower": "may lower it",
    "higher": "may raise it",
    "off": "may switch it off",
    "fewer": "may take away from it",
    "more": "may add to it",
    "here": "for its own folder",
}


# -- settings --------------------------------------------------------------------------------------------------------
def _settings() -> Iterator[str]:
    yield "# Settings\n"
    yield "Read once at the start, each source over the one before it:\n"
    yield "1. the defaults below,"
    yield "2. the user's `config.toml` (in the configuration folder of the platform, or in `NIGHTGARDEN_HOME`),"
    yield "3. `.nightgarden/config.toml` of the project, which may only narrow: see below,"
    yield f"4. environment variables: `{ENV_PREFIX}` + section + `_` + key, in capitals; lists with commas.\n"
    yield "`NIGHTGARDEN_HOME` moves the data folder (garden, models, backups) and the user's file. An unknown key or a"
    yield "bad value is an error that names the file, the key and what is allowed.\n"
    yield "The project's file is the nearest one from the working directory up to the repository's root or your home."
    yield "It comes with the project, from whoever wrote that. So it counts only if you own it and others cannot write"
    yield "it, it may do no more than the column *project* says, and what else it says is left out and reported by"
    yield "`nightgarden status` and `nightgarden doctor`."
    for section, kind in section_kinds().items():
        hints = get_type_hints(kind)
        yield f"\n## [{section}]\n\n{(kind.__doc__ or '').partition('] ')[2]}\n"
        yield "| key | default | allowed | project | environment | |\n|---|---|---|---|---|---|"
        for field in fields(kind):
            default = field.default if field.default is not MISSING else None
            variable = f"{ENV_PREFIX}{section.replace('.', '_')}_{field.name}".upper()
            allowed = _allowed(hints[field.name], field.metadata)
            doc = _cell(str(field.metadata["doc"]))
            project = _NARROWING[field.metadata["project"]]
            yield f"| `{field.name}` | `{_toml(default)}` | {allowed} | {project} | `{variable}` | {doc} |"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _allowed(hint: Any, bounds: Any) -> str:
    if get_origin(hint) is Literal:
        return ", ".join(f"`{option}`" for option in get_args(hint))
    if get_origin(hint) is tuple:
        return f"list of {_allowed(get_args(hint)[0], {})}"
    if hint is bool:
        return "true or false"
    if hint in (int, float):
        return f"{bounds['least']} to {bounds['most']}" if "least" in bounds else "a number"
    return "text"


# -- errors ----------------------------------------------------------------------------------------------------------
def error_classes() -> list[type[errors.NightgardenError]]:
    """Every error, in the order of the file."""
    kinds = [kind for kind in vars(errors).values() if inspect.isclass(kind)]
    return [kind for kind in kinds if issubclass(kind, errors.NightgardenError)]


def _errors() -> Iterator[str]:
    advice = dict(re.findall(r"^[│├└─\s]*(\w+)\s{2,}(\S.*)$", errors.__doc__ or "", re.MULTILINE))
    yield "# Errors\n"
    yield "Every error raised on purpose, in `nightgarden.errors`. The message says what happened, to what, and what"
    yield "to do next. The command line prints it without a traceback and ends with the exit code.\n"
    yield "| error | is a | what it means | what to do | exit code |\n|---|---|---|---|---|"
    for kind in error_classes():
        do = advice.get(kind.__name__, "read the message: it says what to do next")
        do = re.sub(r" \(exit code \d.*?\)", "", do)
        parent = kind.__bases__[0].__name__
        yield f"| `{kind.__name__}` | `{parent}` | {_cell(_first_line(kind))} | {_cell(do)} | {exit_code(kind)} |"


# -- API -------------------------------------------------------------------------------------------------------------
def _api() -> Iterator[str]:
    yield "# Python API\n"
    yield "What `from nightgarden import …` gives. Everything else may change. All calls of a garden are asynchronous."
    yield "`check_action` and `check_command` are not.\n"
    yield "| name | |\n|---|---|"
    for name in nightgarden.__all__:
        value = getattr(nightgarden, name)
        about = _first_line(value) if callable(value) else _plain_value(name)
        yield f"| `{name}` | {_cell(about)} |"
    parts: dict[str, type] = {"garden": Garden, "garden.sessions": Sessions, "garden.schedule": Schedule}
    parts |= {f"{part.__name__}(garden)": part for part in (Permissions, Notifier, Directives, Transcripts)}
    parts |= {"garden.learn": Learning, "garden.learn.skills": Skills, "garden.minds": Minds, "garden.files": Files}
    parts |= {"garden.lookup": GardenLookup}
    for way, kind in parts.items():
        yield f"\n## {'Garden' if kind is Garden else way}\n\n{_first_line(kind)}"
        for name, member in vars(kind).items():
            if not name.startswith("_"):
                yield from _member(way, name, member)


def _plain_value(name: str) -> str:
    return {
        "Verdict": "What `remember` answers: one of Saved, Reinforced, Superseded, Flagged, Refused.",
        "__version__": "The version of the package.",
    }[name]


def _member(way: str, name: str, member: Any) -> Iterator[str]:
    if isinstance(member, property):
        yield f"\n### {way}.{name}\n\n{_first_line(member.fget) or 'A property.'}"
        return
    function = member.__func__ if isinstance(member, classmethod) else member
    body = inspect.unwrap(function, stop=lambda each: hasattr(each, "__signature__"))
    call = f"{'Garden' if isinstance(member, classmethod) else way}.{name}"
    if inspect.isasyncgenfunction(body):
        before = "async with "
    elif inspect.iscoroutinefunction(body):
        before = "await "
    else:
        before = "async for … in " if "AsyncIterator" in str(inspect.signature(body).return_annotation) else ""
    yield f"\n### {call}\n\n```text\n{before}{_signature(call, body)}\n```\n\n{_first_line(body)}"


def _signature(call: str, function: Callable[..., Any]) -> str:
    signature = inspect.signature(function)
    pieces, starred = [], False
    for parameter in list(signature.parameters.values())[1:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            starred = True
            pieces.append("*")
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        starred = starred or bool(star)
        default = "" if parameter.default is parameter.empty else f" = {_value(parameter.default)}"
        pieces.append(f"{star}{parameter.name}: {_annotation(parameter.annotation)}{default}")
    returns = re.sub(r"^AsyncIterator\[(\w+)\]$", r"\1", _annotation(signature.return_annotation))
    line = f"{call}({', '.join(pieces)}) -> {returns}"
    if len(line) <= 100:
        return line
    inner = "".join(f"    {piece},\n" for piece in pieces)
    return f"{call}(\n{inner}) -> {returns}"


def _annotation(annotation: Any) -> str:
    return str(annotation).replace("builtins.", "")


def _value(value: Any) -> str:
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)


# -- rules -----------------------------------------------------------------------------------------------------------
def rules() -> dict[str, list[tuple[str, Rule]]]:
    """Every rule of the write path, by the module that has it."""
    found: dict[str, list[tuple[str, Rule]]] = {}
    for room in ROOMS_WITH_RULES:
        package = importlib.import_module(f"nightgarden.{room}")
        for module_info in pkgutil.walk_packages(package.__path__, f"nightgarden.{room}."):
            module = importlib.import_module(module_info.name)
            source = inspect.getsource(module)
            for name, value in vars(module).items():
                if isinstance(value, Rule) and re.search(rf"^{name}\b.*= Rule\(", source, re.MULTILINE):
                    found.setdefault(module_info.name.removeprefix("nightgarden."), []).append((name, value))
    return found


def _rules() -> Iterator[str]:
    yield "# Rules\n"
    yield "Why a text was refused, merged, replaced or flagged. A verdict names its rule by id; `--allow ID` (in Python"
    yield '`allow=["ID"]`) lifts a refusal for one text where the table says so.\n'
    refusing, comparing, acting = list[Rule](), list[Rule](), list(OF_EFFECT.values())
    for module, named in sorted(rules().items()):
        (acting if module.startswith("safety.") else comparing if ".compare." in module else refusing).extend(
            rule for _, rule in named
        )
    yield "## Refusals\n\n| rule | refused because | may be lifted |\n|---|---|---|"
    for rule in sorted(refusing, key=lambda rule: rule.id):
        yield f"| `{rule.id}` | {_cell(rule.sentence)} | {'yes' if rule.overridable else 'no'} |"
    yield "\n## Comparisons\n\nHow a new statement stands to one that is known.\n\n| rule | what was seen |\n|---|---|"
    for rule in sorted(comparing, key=lambda rule: rule.id):
        yield f"| `{rule.id}` | {_cell(rule.sentence)} |"
    yield "\n## Actions\n\nWhy `safety check` allows, asks or denies.\n\n| rule | what was seen |\n|---|---|"
    for rule in sorted(acting, key=lambda rule: rule.id):
        yield f"| `{rule.id}` | {_cell(rule.sentence)} |"


# -- words -----------------------------------------------------------------------------------------------------------
def _first_line(thing: Any) -> str:
    """The first paragraph of a docstring, as one line."""
    text = inspect.cleandoc(getattr(thing, "__doc__", "") or "")
    return " ".join(text.partition("\n\n")[0].split())


def _sentence(overview: str) -> str:
    return overview[0].upper() + overview[1:] + "."


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
