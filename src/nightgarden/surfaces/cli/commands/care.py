"""Commands that look after the garden: backup, restore-backup, doctor, migrate-store."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path

from nightgarden.ambient.work.worktree import Worktrees
from nightgarden.domain.ports import Check
from nightgarden.domain.record import to_record
from nightgarden.errors import BadInput, CorruptGarden, StoreUnavailable
from nightgarden.garden import Garden
from nightgarden.models.classifier_check import ClassifierState
from nightgarden.settings import garden_address, load_settings
from nightgarden.store.backup import put_back
from nightgarden.store.copies import list_backups
from nightgarden.store.sqlite.rescue import rescue
from nightgarden.surfaces.cli.commands.connect import examine_clients, tell_of_outdated
from nightgarden.surfaces.cli.commands.models import advise_on_languages, classifier_health, tell_of_missing_model
from nightgarden.surfaces.cli.commands.service import tell_of_outdated_service
from nightgarden.surfaces.cli.open import on_garden, opened, tell_of_settings
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import ProgressLine, ask, paint, print_json, print_table


def add_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="instead of the backups folder")
    add_common(parser)
    parser.set_defaults(call=on_garden(_backup))


async def _backup(garden: Garden, arguments: argparse.Namespace) -> int:
    path = await garden.files.backup(arguments.output)
    if arguments.json:
        print_json({"backup": str(path), "bytes": path.stat().st_size})
    else:
        print(f"{paint('backed up', 'green')} to {path} ({path.stat().st_size:,} bytes)")
    return 0


def garden_file(arguments: argparse.Namespace) -> Path:
    """The file of a SQLite garden, for work on it while it is closed."""
    settings = load_settings(Path(arguments.directory) if arguments.directory else None)
    target = str(arguments.garden or garden_address(settings, os.environ))
    if "://" in target:
        raise BadInput("this works on a SQLite garden only; use the server's own tools for PostgreSQL")
    return Path(target).expanduser()


def add_restore_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("backup", nargs="?", help="a file, or `latest`")
    parser.add_argument("--list", action="store_true", help="list the backups there are")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    add_common(parser)
    parser.set_defaults(call=_restore_backup)


def _restore_backup(arguments: argparse.Namespace) -> int:
    garden = garden_file(arguments)
    backups = list_backups(garden)
    if arguments.list:
        if arguments.json:
            print_json({"backups": [{"path": str(path), "bytes": path.stat().st_size} for path in backups]})
        else:
            print_table(("bytes", "backup"), [(f"{path.stat().st_size:,}", str(path)) for path in backups], whole=True)
        return 0
    if arguments.backup is None:
        raise BadInput("say which backup, or `latest`; --list shows them")
    if arguments.backup == "latest" and not backups:
        raise BadInput(f"there are no backups in {garden.parent / 'backups'}")
    chosen = backups[0] if arguments.backup == "latest" else Path(arguments.backup)
    if not ask(f"Put {chosen} in the place of {garden}?", yes=arguments.yes):
        raise BadInput("nothing was changed: confirm with --yes")
    kept = put_back(chosen, garden)
    if arguments.json:
        print_json({"restored": str(chosen), "replaced": str(kept) if kept else None})
    else:
        print(f"{paint('restored', 'green')} {chosen}" + (f"; what was there is kept as {kept}" if kept else ""))
    return 0


def add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="?", choices=("clients",), help="`clients`: check that every connected agent works"
    )
    parser.add_argument("--repair", action="store_true", help="rebuild what can be rebuilt")
    add_common(parser)
    parser.set_defaults(call=_doctor)


def _doctor(arguments: argparse.Namespace) -> int:
    if arguments.what == "clients":
        return examine_clients(as_json=arguments.json, repair=arguments.repair)
    tell_of_settings(arguments.directory)
    tell_of_outdated(repair=arguments.repair)
    tell_of_outdated_service(repair=arguments.repair)
    return asyncio.run(_examine(arguments))


async def _checks(arguments: argparse.Namespace) -> list[Check]:
    try:
        async with opened(arguments) as garden:
            leftovers = await Worktrees(garden, os.environ).check(repair=arguments.repair)
            checks = [*await garden.doctor(repair=arguments.repair), leftovers]
            if advice := await advise_on_languages(garden):
                checks.append(Check(name="languages", ok=True, detail=advice))
            return checks
    except CorruptGarden as error:
        return [Check(name="file", ok=False, detail=str(error))]
    except StoreUnavailable:
        if arguments.repair:
            raise
    async with opened(arguments, read_only=True) as garden:  # a file that may not be written can still be looked at
        return await garden.doctor()


async def _examine(arguments: argparse.Namespace) -> int:
    judging = classifier_health()
    broken = judging.state is ClassifierState.DAMAGED  # what is missing or switched off is said, as with the models
    checks = [*await _checks(arguments), Check(name="classifier", ok=not broken, detail=judging.line, in_file=False)]
    if arguments.repair and not all(check.ok for check in checks if check.in_file):
        saved = rescue(garden_file(arguments))
        checks.append(Check(name="rescue", ok=True, detail=saved, repaired=True))
        checks = [check for check in checks if check.ok or not check.in_file]
    if arguments.json:
        ok = all(check.ok for check in checks)
        state = {"state": str(judging.state), "files": list(judging.files)}
        print_json({"ok": ok, "classifier": state, "checks": [to_record(check) for check in checks]})
    else:
        for check in checks:
            mark = paint("repaired", "yellow") if check.repaired else paint("ok", "green")
            print(f"{mark if check.ok else paint('broken', 'red')}  {check.name}: {check.detail}")
        if not all(check.ok for check in checks if check.in_file):
            print("run `nightgarden doctor --repair` to rebuild what can be rebuilt")
        tell_of_missing_model()
    return 0 if all(check.ok for check in checks) else 1


def add_migrate_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", required=True, metavar="PATH|URL", help="an empty place: a file or postgresql://…")
    add_common(parser)
    parser.set_defaults(call=on_garden(_migrate_store))


async def _migrate_store(garden: Garden, arguments: argparse.Namespace) -> int:
    with ProgressLine("copying") as progress:
        url, moved = await garden.files.copy_to(arguments.to, progress.step)
    if arguments.json:
        prints = {kind: to_record(each) for kind, each in moved.fingerprints.items()}
        print_json({"to": url, "copied": moved.copied, "known": moved.known, "verified": prints})
        return 0
    for kind, each in moved.fingerprints.items():
        print(f"  {kind:<10} {each.count:>9,}  {each.checksum[:16]}")
    print(f"{paint('copied and verified', 'green')}: {moved.copied:,} records, {moved.known:,} were there already")
    print(f'use it from now on with: garden.url = "{url}" in your settings')
    return 0
