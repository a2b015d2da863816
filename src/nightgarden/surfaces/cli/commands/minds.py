"""The commands on language models: minds list, minds test, minds use; and usage."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from dataclasses import replace
from typing import Any

from nightgarden.domain.record import to_record
from nightgarden.errors import BadInput, BadSetting, NightgardenError
from nightgarden.garden import Garden
from nightgarden.minds.choose_converser import Wanted
from nightgarden.minds.limits import Window
from nightgarden.minds.mind_of_settings import KINDS, PROGRAMS
from nightgarden.minds.minds import MindOffer, TestedMind
from nightgarden.minds.program import find_program
from nightgarden.minds.usage import Sum, UsageReport
from nightgarden.settings import MindSettings, check_values, load_settings, user_file
from nightgarden.surfaces.cli.open import on_garden, opened
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import ask, count, paint, print_json, print_table
from nightgarden.surfaces.connect.toml_table import put_table

_BAR_CELLS = 30
USUAL_DAY_TOKENS = 85_000  # five sessions, 148 turns: docs/bench/minds.md


def add_minds(parser: argparse.ArgumentParser) -> None:
    add_actions(
        parser,
        (
            ("list", "show which language models could be used, which one is, and why", _add_list),
            ("test", "ask one small question, and show what it took", _add_test),
            ("use", "choose the language model that helps, or none", _add_use),
        ),
    )


def _add_list(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_list, reads=True))


def _add_test(parser: argparse.ArgumentParser) -> None:
    kinds = [kind for kind in KINDS if kind != "none"]
    words = f"another one: {', '.join(kinds)}"
    parser.add_argument("kind", nargs="?", choices=kinds, metavar="KIND", help=words)
    parser.add_argument("--model", default="", help="with this model")
    parser.add_argument("--tools", action="store_true", help="have it call a tool, as background work does")
    add_common(parser)
    parser.set_defaults(call=on_garden(_test))


def _add_use(parser: argparse.ArgumentParser) -> None:
    words = f"{', '.join(KINDS)}; auto takes the first that is there, none asks nobody"
    parser.add_argument("kind", choices=KINDS, metavar="KIND", help=words)
    parser.add_argument("--model", default="", help="name of the model; needed for servers and providers")
    parser.add_argument("--base-url", default="", help="address of the server, if it is not the usual one")
    parser.add_argument("--api-key-env", default="", metavar="NAME", help="environment variable that holds the key")
    parser.add_argument("--api-key-file", default="", metavar="FILE", help="or a private file with the key")
    parser.add_argument("--daily-tokens", type=int, help="at most so many tokens a day (UTC)")
    parser.add_argument("--daily-usd", type=float, help="at most so many dollars a day, where cost is reported")
    parser.add_argument("--no-test", action="store_true", help="do not ask a test question first")
    add_common(parser)
    parser.set_defaults(call=_use)


async def _list(garden: Garden, arguments: argparse.Namespace) -> int:
    offers = await garden.minds.list()
    settings = garden.settings.mind
    if arguments.json:
        shape = {"kind": settings.kind, "daily_tokens": settings.daily_tokens, "daily_usd": settings.daily_usd}
        print_json({**shape, "minds": [to_record(offer) for offer in offers]})
        return 0
    rows = [(_mark(offer), offer.kind, _with_limits(offer)) for offer in offers]
    print_table(("", "kind", "why"), rows, whole=True)
    if settings.kind == "none":
        print("None is used. `nightgarden minds use KIND` chooses one; everything works without.")
    else:
        usd = f" and ${settings.daily_usd:.2f} where cost is reported" if settings.daily_usd else ""
        print(f"At most {settings.daily_tokens:,} tokens a day (UTC){usd}; `nightgarden usage` shows what was used.")
        print(f"A day of five sessions takes about {USUAL_DAY_TOKENS:,}.")
    return 0


def _mark(offer: MindOffer) -> str:
    return "used" if offer.chosen else "there" if offer.available else "–"


def _with_limits(offer: MindOffer) -> str:
    parts = [offer.reason, *(words for window in offer.windows if (words := _window(window)))]
    return "; ".join(parts)


def _window(window: Window) -> str:
    resets = f", resets {window.resets_at:%H:%M} UTC" if window.resets_at else ""
    if window.used_percent is not None:
        return f"{window.name} {window.used_percent:.0f}% used{resets}"
    if window.remaining is not None:
        of = f" of {window.limit:,}" if window.limit is not None else ""
        return f"{window.remaining:,}{of} {window.name} left{resets}"
    return ""


async def _test(garden: Garden, arguments: argparse.Namespace) -> int:
    own, settings = garden.settings.mind, None
    if arguments.kind or arguments.model:
        kind = arguments.kind or own.kind
        settings = replace(own, kind=kind, model=arguments.model or (own.model if kind == own.kind else ""))
        await garden.minds.check(settings)
    tested = await (_test_tools(garden, settings, arguments) if arguments.tools else garden.minds.test(settings))
    if arguments.json:
        print_json(to_record(tested))
    else:
        _print_tested(tested)
    return 0


async def _test_tools(garden: Garden, settings: MindSettings | None, arguments: argparse.Namespace) -> TestedMind:
    own = settings or garden.settings.mind
    wanted = Wanted(budget="mind", daily_tokens=own.daily_tokens, daily_usd=own.daily_usd, model=arguments.model)
    return await garden.minds.test_tools(wanted, settings)


def _print_tested(tested: TestedMind) -> None:
    took = "tokens not reported"
    if tested.tokens_in is not None or tested.tokens_out is not None:
        took = f"{tested.tokens_in or 0:,} tokens in, {tested.tokens_out or 0:,} out"
    if tested.tokens_in is not None and tested.tokens_out is None:
        took = f"{tested.tokens_in:,} tokens"
    cost = f", ${tested.cost_usd:.4f}" if tested.cost_usd is not None else ""
    print(f"{paint('answered', 'green')}: {tested.name} in {tested.seconds:.1f} s, {took}{cost}")


def _use(arguments: argparse.Namespace) -> int:
    values = {
        "kind": arguments.kind,
        "model": arguments.model,
        "base_url": arguments.base_url,
        "api_key_env": arguments.api_key_env,
        "api_key_file": arguments.api_key_file,
    }
    caps = {"daily_tokens": arguments.daily_tokens, "daily_usd": arguments.daily_usd}
    values |= {name: value for name, value in caps.items() if value is not None}
    wanted = replace(load_settings(project=False).mind, **check_values("minds use", "mind", values))
    tested = asyncio.run(_checked(arguments, wanted)) if arguments.kind != "none" else None
    path = write_mind_settings(values)
    if arguments.json:
        print_json({"kind": wanted.kind, "settings": path, "tested": to_record(tested) if tested else None})
        return 0
    if tested:
        _print_tested(tested)
    print(f"{paint('saved', 'green')} in {path}: mind.kind = {wanted.kind}")
    _say_what_it_means(wanted)
    return 0


async def _checked(arguments: argparse.Namespace, wanted: MindSettings) -> TestedMind | None:
    """Nothing is saved that cannot work."""
    async with opened(arguments) as garden:
        await garden.minds.check(wanted)
        return None if arguments.no_test else await garden.minds.test(wanted)


def _say_what_it_means(settings: MindSettings) -> None:
    if settings.kind == "none":
        print("No language model is asked from now on.")
        return
    print(f"It reads sessions and checks memories, with at most {settings.daily_tokens:,} tokens a day (UTC).")
    print("A daemon that is running takes it up after `nightgarden restart`.")


def write_mind_settings(values: dict[str, Any]) -> str:
    """Puts these into [mind] of the user's own settings file. Returns its path."""
    path = user_file(os.environ)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    half = path.with_name(f"{path.name}.{os.getpid()}.part")
    half.write_text(put_table(before, ("mind",), values), encoding="utf-8")
    half.chmod(path.stat().st_mode & 0o777 if path.is_file() else 0o600)
    half.replace(path)
    return str(path)


def offer_mind() -> None:
    """For `init`: offers the user's own program, plainly, if nothing was chosen yet. Asks on a terminal alone."""
    settings = load_settings(project=False).mind
    found = [name for name in PROGRAMS if find_program(name, "", os.environ)]
    if settings.kind != "none" or not found or not sys.stdin.isatty():
        return
    names = " or ".join(found)
    print(
        f"Your own {names} can help: it reads sessions for what rules do not see, and settles contradictions. That "
        f"uses your plan: about {USUAL_DAY_TOKENS:,} tokens on a day of work, at most {settings.daily_tokens:,}. It "
        "is sent parts of your sessions, with secrets blacked out. Without it everything works, and nothing is sent."
    )
    if not ask(f"Let nightgarden ask {names}?", yes=False):
        print("Later: nightgarden minds use auto")
        return
    try:
        print(f"Saved in {write_mind_settings({'kind': 'auto'})}; `nightgarden minds test` tries it.")
    except (OSError, NightgardenError) as error:
        raise BadSetting(f"the settings could not be written: {error}") from error


def add_usage(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--days", type=int, default=7, help="how many days to show, counted in UTC and including today (default: 7)"
    )
    add_common(parser)
    parser.set_defaults(call=on_garden(_usage, reads=True))


async def _usage(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.days < 1:
        raise BadInput("--days must be 1 or more")
    used = await garden.minds.usage(days=arguments.days)
    if arguments.json:
        print_json(to_record(used))
        return 0
    if not used.total.calls and not used.user.calls:
        print(f"No language model was asked in the last {count(arguments.days, 'day')}.")
        return 0
    _print_chart(used)
    print()
    ours = (*used.purposes, *used.providers, used.today, used.total) if used.total.calls else ()
    users = (*used.user_models, used.user_today, used.user) if used.user.calls else ()
    print_table(
        ("", "calls", "failed", "tokens in", "cached", "out", "counted", "cost"), [_row(e) for e in (*ours, *users)]
    )
    failed = {label: number for label, number in used.outcomes.items() if label != "answered"}
    if failed:
        print("without an answer: " + ", ".join(f"{label.replace('_', ' ')} {n:,}" for label, n in failed.items()))
    if used.user.calls:
        print("you: what your own clients took, by their transcripts; no cap counts it")
    return 0


def _print_chart(used: UsageReport) -> None:
    """A bar a day for nightgarden, and a second one for the user where it is known."""
    most = max(day.charged_tokens for day in (*used.days, *used.user_days)) or 1
    for day, users in zip(used.days, used.user_days, strict=True):
        bar = "█" * round(_BAR_CELLS * day.charged_tokens / most)
        print(f"{day.name}  {day.charged_tokens:>12,}  {paint(bar, 'cyan')}")
        if used.user.calls:
            bar = "░" * round(_BAR_CELLS * users.charged_tokens / most)
            print(f"{'you':>10}  {users.charged_tokens:>12,}  {bar}")


def _row(each: Sum) -> tuple[str, ...]:
    numbers = (each.calls, each.failed, each.tokens_in, each.tokens_cached, each.tokens_out, each.charged_tokens)
    return (each.name, *(f"{number:,}" for number in numbers), f"${each.cost_usd:.4f}" if each.cost_usd else "–")
