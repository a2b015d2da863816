"""Whether a claim holds in a project. Pure.

Says "gone" or "changed" only where the project would show the thing if it were there: the place that once bore the
claim out says something else, or the kind of file that lists such things is there and does not list it. Otherwise the
answer is that nobody knows. A project's files are outside text: of a value that changed, only a harmless shape is given
on (a number, version, switch, name or path), and never the value of a setting whose name promises a secret.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from nightgarden.domain.secret_names import promises_secret
from nightgarden.domain.text import STOP_WORDS, terms
from nightgarden.tend.verify.claims import Claim, ClaimKind
from nightgarden.tend.verify.config_values import Setting
from nightgarden.tend.verify.last_checks import Anchor
from nightgarden.tend.verify.manifests import Manifest, Version, normalise
from nightgarden.tend.verify.project import CheckedProject


class ClaimFinding(StrEnum):
    """What the project says to a claim."""

    CONFIRMED = "confirmed"
    CHANGED = "changed"
    GONE = "gone"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim, what was found, where, and the value that holds now if it could be read."""

    claim: Claim
    finding: ClaimFinding
    file: str = ""
    key: str = ""
    value: str = ""

    @property
    def anchor(self) -> Anchor | None:
        if self.finding is not ClaimFinding.CONFIRMED or not self.file:
            return None
        return Anchor(claim=self.claim.id, file=self.file, key=self.key, value=self.value)


_HARMLESS = re.compile(
    r"-?\d{1,12}(?:[.,_]\d{1,9}){0,4}(?:[A-Za-z]{1,3}|%)?"  # 40, 0.5, 1_000, 30s
    r"|v?\d{1,9}(?:\.\d{1,9}){0,3}(?:[-+.]?[A-Za-z0-9]{1,8}){0,2}"  # 1.9.1, v2.0rc1
    r"|[A-Za-z_][\w-]{0,31}",  # true, debug, max_connections
    re.ASCII,
)
_PATH = re.compile(r"(?:(?!\.\.?/)[\w@.+-]{1,64}/){0,12}[\w@.+-]{1,64}", re.ASCII)  # src/shop/mail.py


def is_harmless(value: str) -> bool:
    """Whether a value read from a file has a shape that holds no sentence: a number, version, switch, name or path."""
    return _HARMLESS.fullmatch(value) is not None or ("/" in value and is_plain_path(value))


def is_plain_path(path: str) -> bool:
    """Whether a path below the project has nothing in it but names."""
    return _PATH.fullmatch(path) is not None


def _changed(claim: Claim, *, file: str, key: str = "", value: str) -> CheckedClaim:
    """The claim does not hold any more; with the new value where that may be repeated."""
    may = is_harmless(value) and not promises_secret(key or claim.subject) and not promises_secret(claim.subject)
    return CheckedClaim(claim=claim, finding=ClaimFinding.CHANGED, file=file, key=key, value=value if may else "")


def check(claim: Claim, project: CheckedProject, *, anchor: Anchor | None, statement: str = "") -> CheckedClaim:
    """Looks one claim up."""
    match claim.kind:
        case ClaimKind.PATH:
            return _path(claim, project, anchor)
        case ClaimKind.SYMBOL:
            return _symbol(claim, project, anchor)
        case ClaimKind.VERSION | ClaimKind.DEPENDENCY:
            return _dependency(claim, project, anchor)
        case ClaimKind.COMMAND:
            return _command(claim, project, anchor)
        case ClaimKind.PORT:
            return _port(claim, project, anchor, statement)
        case ClaimKind.SETTING:
            return _setting(claim, project, anchor)
        case ClaimKind.BRANCH:
            return _branch(claim, project, anchor)
        case _:
            assert_never(claim.kind)


def _path(claim: Claim, project: CheckedProject, anchor: Anchor | None) -> CheckedClaim:
    wanted = claim.subject
    if wanted in project.files or wanted in project.folders:
        return CheckedClaim(claim=claim, finding=ClaimFinding.CONFIRMED, file=wanted, value=wanted)
    ends = [path for path in (*project.files, *project.folders) if path.endswith("/" + wanted)]
    if ends:
        return CheckedClaim(claim=claim, finding=ClaimFinding.CONFIRMED, file=min(ends), value=wanted)
    if (
        not project.complete or (project.root / wanted).exists()
    ):  # it may be ignored, and then it is none of our business
        return CheckedClaim(claim=claim, finding=ClaimFinding.UNKNOWN)
    name = wanted.rpartition("/")[2]
    elsewhere = [path for path in project.files if path.rpartition("/")[2] == name]
    if "/" in wanted and len(elsewhere) == 1 and name not in _COMMON_NAMES:
        return _changed(claim, file=elsewhere[0], value=elsewhere[0])
    # A path nobody saw here may belong to another project; one in a folder that is here does not.
    near = wanted.rpartition("/")[0]
    if anchor or (near and (near in project.folders or near.partition("/")[0] in project.folders)):
        return CheckedClaim(claim=claim, finding=ClaimFinding.GONE)
    return CheckedClaim(claim=claim, finding=ClaimFinding.UNKNOWN)


_COMMON_NAMES = frozenset("__init__.py index.ts index.js mod.rs main.py main.go README.md conftest.py".split())


def _symbol(claim: Claim, project: CheckedProject, anchor: Anchor | None) -> CheckedClaim:
    if claim.subject in project.words:
        return CheckedClaim(claim=claim, finding=ClaimFinding.CONFIRMED, file="sources", key=claim.subject)
    gone = anchor is not None and project.complete
    return CheckedClaim(claim=claim, finding=ClaimFinding.GONE if gone else ClaimFinding.UNKNOWN)


def _dependency(claim: Claim, project: CheckedProject, anchor: Anchor | None) -> CheckedClaim:
    listed = _listed(claim.subject, project)
    if not listed:
        gone = anchor is not None and any(manifest.dependencies for manifest in project.manifests)
        return CheckedClaim(claim=claim, finding=ClaimFinding.GONE if gone else ClaimFinding.UNKNOWN)
    manifest, version = listed[0]
    place = {"file": manifest.file, "key": normalise(claim.subject)}
    if claim.kind is ClaimKind.DEPENDENCY:
        return CheckedClaim(claim=claim, finding=ClaimFinding.CONFIRMED, **place)
    for manifest, version in listed:
        if _agrees(claim.value, version.text):
            return CheckedClaim(
                claim=claim, finding=ClaimFinding.CONFIRMED, file=manifest.file, key=place["key"], value=version.text
            )
    manifest, version = next(((m, v) for m, v in listed if v.exact), listed[0])
    known = anchor is not None and anchor.file == manifest.file
    if version.text and (version.exact or known):
        shown = _as_long_as(version.text, claim.value)
        return _changed(claim, file=manifest.file, key=place["key"], value=shown)
    return CheckedClaim(claim=claim, finding=ClaimFinding.UNKNOWN)


def _listed(name: str, project: CheckedProject) -> list[tuple[Manifest, Version]]:
    """Where a dependency is listed, what is installed first."""
    found = [
        (manifest, version)
        for manifest in project.manifests
        for key in dict.fromkeys((name.lower(), normalise(name)))
        if (version := manifest.dependencies.get(key)) is not None
    ]
    return sorted(found, key=lambda each: (not each[0].locked, not each[1].exact, each[0].file))


def _agrees(claimed: str, actual: str) -> bool:
    """Whether the parts that were named are equal: 2.5 agrees with 2.5.1."""
    one, other = claimed.lstrip("v").split("."), actual.split(".")
    return bool(actual) and one[: len(other)] == other[: len(one)]


def _as_long_as(actual: str, claimed: str) -> str:
    return ".".join(actual.split(".")[: claimed.count(".") + 1])


def _command(claim: Claim, project: CheckedProject, anchor: Anchor | None) -> CheckedClaim:
    runner, _, name = claim.subject.partition(" ")
    runners = [manifest for manifest in project.manifests if manifest.runner == runner]
    for manifest in runners:
        if name in manifest.commands:
            return CheckedClaim(claim=claim, finding=ClaimFinding.CONFIRMED, file=manifest.file, key=name)
    listed = runners and runner != "run"  # what `uv run` finds may be installed instead of listed
    return CheckedClaim(claim=claim, finding=ClaimFinding.GONE if listed or anchor else ClaimFinding.UNKNOWN)


def _port(claim: Claim, project: CheckedProject, anchor: Anchor | None, statement: str) -> CheckedClaim:
    ports = [setting for setting in project.settings if setting.port]
    at_anchor = [s for s in ports if anchor and (s.file, s.key) == (anchor.file, anchor.key)]
    for setting in at_anchor or ports:
        if setting.port == claim.value and (at_anchor or _shared_words(setting, statement) or len(ports) < 3):
            return CheckedClaim(
                claim=claim, finding=ClaimFinding.CONFIRMED, file=setting.file, key=setting.key, value=claim.value
            )
    if at_anchor:
        setting = at_anchor[0]
        return _changed(claim, file=setting.file, key=setting.key, value=setting.port)
    if any(setting.port == claim.value for setting in ports):
        return CheckedClaim(
            claim=claim, finding=ClaimFinding.UNKNOWN
        )  # somebody uses it, perhaps not the one that is meant
    if anchor:
        return CheckedClaim(claim=claim, finding=ClaimFinding.GONE)
    shared = sorted(((_shared_words(s, statement), s.port, s.file, s.key) for s in ports), reverse=True)
    best = {port for words, port, _, _ in shared if words and words == shared[0][0]}
    if len(best) == 1:
        _, port, file, key = shared[0]
        return _changed(claim, file=file, key=key, value=port)
    return CheckedClaim(claim=claim, finding=ClaimFinding.UNKNOWN)


def _shared_words(setting: Setting, statement: str) -> int:
    """How many telling words a setting's key shares with a statement."""
    named = {word for word in terms(re.sub(r"[._-]", " ", setting.key)) if len(word) > 2}
    return len((named - {"port", "expos", "servic", "host", "url", "addr"} - STOP_WORDS) & set(terms(statement)))


def _setting(claim: Claim, project: CheckedProject, anchor: Anchor | None) -> CheckedClaim:
    found = project.settings_of(claim.subject)
    at_anchor = [s for s in found if anchor and (s.file, s.key) == (anchor.file, anchor.key)]
    for setting in at_anchor or found:
        if _same_value(setting.value, claim.value):
            return CheckedClaim(
                claim=claim, finding=ClaimFinding.CONFIRMED, file=setting.file, key=setting.key, value=setting.value
            )
    if at_anchor or len({setting.value for setting in found}) == 1:
        setting = (at_anchor or found)[0]
        return _changed(claim, file=setting.file, key=setting.key, value=setting.value)
    gone = anchor is not None and not found
    return CheckedClaim(claim=claim, finding=ClaimFinding.GONE if gone else ClaimFinding.UNKNOWN)


def _same_value(one: str, other: str) -> bool:
    switch = {"on": "true", "off": "false", "yes": "true", "no": "false"}
    left, right = (switch.get(each.lower(), each.lower().strip("\"'`")) for each in (one, other))
    try:
        return left == right or float(left) == float(right)
    except ValueError:
        return False


def _branch(claim: Claim, project: CheckedProject, anchor: Anchor | None) -> CheckedClaim:
    if project.branches is None:
        return CheckedClaim(claim=claim, finding=ClaimFinding.UNKNOWN)
    if claim.subject in project.branches:
        where = project.branches[claim.subject]
        return CheckedClaim(claim=claim, finding=ClaimFinding.CONFIRMED, file=where, key=claim.subject)
    return CheckedClaim(claim=claim, finding=ClaimFinding.GONE if anchor else ClaimFinding.UNKNOWN)
