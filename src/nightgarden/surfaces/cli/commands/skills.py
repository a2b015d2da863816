"""The command on skills: procedures as files that clients load."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from nightgarden.domain.record import to_record
from nightgarden.garden import Garden
from nightgarden.learn.skills import Skill, Skills
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table
from nightgarden.surfaces.cli.short_ids import add_id, short

Act = Callable[[Skills, Sequence[str]], Awaitable[list[Skill]]]


def add_skills(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Only promoted procedures become skills. A file that you edit is read back, never overwritten."
    actions = (
        ("list", "list promoted procedures and their files", partial(_add, _list, None)),
        ("review", "write them to .nightgarden/skills for you to read", partial(_add, _review, "*")),
        ("apply", "write them to the folders of Claude Code and Codex", partial(_add, _apply, "+")),
        ("revert", "remove the files again, except those you edited", partial(_add, _revert, "+")),
        ("reindex", "read skills and commands that you wrote or edited", partial(_add, _reindex, None)),
    )
    add_actions(parser, actions)


async def _list(skills: Skills, ids: Sequence[str]) -> list[Skill]:
    return await skills.list()


async def _review(skills: Skills, ids: Sequence[str]) -> list[Skill]:
    return await skills.review(*ids)


async def _apply(skills: Skills, ids: Sequence[str]) -> list[Skill]:
    return await skills.apply(*ids)


async def _revert(skills: Skills, ids: Sequence[str]) -> list[Skill]:
    return await skills.revert(*ids)


async def _reindex(skills: Skills, ids: Sequence[str]) -> list[Skill]:
    return await skills.reindex()


def _add(act: Act, nargs: str | None, parser: argparse.ArgumentParser) -> None:
    if nargs is not None:
        add_id(parser, "ids", "memory", help="of procedures", nargs=nargs, metavar="ID")
    add_common(parser)
    parser.set_defaults(call=on_garden(partial(_run, act), reads=act is _list))


async def _run(act: Act, garden: Garden, arguments: argparse.Namespace) -> int:
    found = await act(garden.learn.skills, getattr(arguments, "ids", ()))
    if arguments.json:
        print_json({"skills": [to_record(skill) for skill in found]})
    else:
        rows = [(short(skill.id), skill.state, skill.file or "-", skill.reason or skill.name) for skill in found]
        print_table(("id", "state", "file", "procedure"), rows)
        print(paint(count(len(found), "skill"), "dim"))
    return int(any(skill.state == "refused" for skill in found))
