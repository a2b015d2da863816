"""Patches to the edits they make: Codex's `*** Begin Patch`, and unified diffs. Pure, one pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from nightgarden.safety.command_reading import Edit

_HEADS = {"*** Add File: ": False, "*** Update File: ": False, "*** Delete File: ": True, "*** Move to: ": False}


@dataclass(slots=True)
class _Open:
    path: str = ""
    deletes: bool = False
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)

    def edit(self) -> Edit:
        return Edit(path=self.path, added="\n".join(self.added), removed="\n".join(self.removed), deletes=self.deletes)


def read_patch(text: str, resolve: Callable[[str], str]) -> tuple[Edit, ...]:
    """One edit for each file; a file that moves is deleted and written."""
    found: list[_Open] = []
    for line in text.splitlines():
        head = next((head for head in _HEADS if line.startswith(head)), None)
        if head is not None:
            if head == "*** Move to: " and found:
                found.append(_Open(path=found[-1].path, deletes=True))
            found.append(_Open(path=resolve(line[len(head) :].strip()), deletes=_HEADS[head]))
        elif line.startswith(("+++ ", "--- ")):
            _unified(line, found, resolve)
        elif found and line.startswith("+"):
            found[-1].added.append(line[1:])
        elif found and line.startswith("-"):
            found[-1].removed.append(line[1:])
    return tuple(each.edit() for each in found)


def _unified(line: str, found: list[_Open], resolve: Callable[[str], str]) -> None:
    name = line[4:].split("\t")[0].strip().removeprefix("a/").removeprefix("b/")
    if line.startswith("--- "):
        if name != "/dev/null":
            found.append(_Open(path=resolve(name)))
    elif name == "/dev/null" and found:
        found[-1].deletes = True
    elif name != "/dev/null" and (not found or found[-1].path != resolve(name)):
        found.append(_Open(path=resolve(name)))
