"""What an action was read to do. Values only.

Paths are absolute and without `..`, but links are not followed here. A part that could not be worked out is UNKNOWN; a
pattern such as `*.py` is kept as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

UNKNOWN = "\0"  # stands for text that is known only when the command runs


_RECURSIVE = frozenset({"recursive", "dereference-recursive", "--recursive", "--dereference-recursive"})
_HIDDEN = frozenset(
    {"hidden", "unrestricted", "no-ignore", "--hidden", "--unrestricted", "--no-ignore", "-u", "-uu", "-uuu"}
)


def _is_recursive(word: str) -> bool:
    """Short options with r or R among them, such as -rn; what follows an e is a pattern."""
    return word.startswith("-") and not word.startswith("--") and any(c in "rR" for c in word[1:].split("e", 1)[0])


class Effect(StrEnum):
    """What a program does besides reading, writing, deleting and sending."""

    ELEVATED = "runs with other rights"
    REMOTE_CODE = "runs code that comes from the network"
    CODE = "runs code that is not read here"
    PACKAGES = "installs or removes packages"
    SERVICE = "changes services, schedules or the system"
    DEPLOY = "changes what is deployed or in the cloud"
    MESSAGE = "reaches other people"
    DATABASE = "changes a database"
    PROCESS = "ends processes"
    SETTINGS = "changes settings of a program"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitAct:
    """What a git command does, whatever way its options are spelled."""

    verb: str
    folder: str = ""  # where it is run
    remote: str = ""
    branches: tuple[str, ...] = ()  # at the remote for a push, else local; empty: whatever is checked out
    force: bool = False  # a push that may overwrite what others have
    lease: bool = False  # a forced push that first looks whether others have pushed
    deletes_remote: bool = False
    rewrites: bool = False  # commits that exist are replaced or left behind
    discards: bool = False  # changes that are not committed are lost
    skips_hooks: bool = False
    changes: bool = False  # anything, also only locally


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One simple command, without the programs that only start it."""

    words: tuple[str, ...]
    options: frozenset[str] = frozenset()  # by their long names where they are known
    via: tuple[str, ...] = ()  # what starts it: sudo, xargs, sh…
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    executes: tuple[str, ...] = ()  # files that are run
    sends: tuple[str, ...] = ()  # hosts, or names of git remotes
    downloads: bool = False  # what it writes or prints comes from the network
    effects: frozenset[Effect] = frozenset()
    git: GitAct | None = None
    sets: tuple[str, ...] = ()  # variables that change what programs do
    shows: tuple[str, ...] = ()  # variables of the environment whose values it may print; "*" for all
    text: str = ""  # what it writes, where that is known
    unknown: tuple[str, ...] = ()  # what could not be worked out, and why

    @property
    def program(self) -> str:
        return self.words[0] if self.words else ""

    @property
    def reads_below(self) -> bool:
        """Whether it reads all files below the folders that it names."""
        if "find" in self.via:
            return True
        if self.program in ("grep", "egrep", "fgrep", "zgrep"):
            if any(word.startswith("--include") for word in self.words):
                return False  # only files of certain names
            return not _RECURSIVE.isdisjoint(self.options | set(self.words)) or any(map(_is_recursive, self.words[1:]))
        return self.program in ("rg", "ag", "ack") and not _HIDDEN.isdisjoint(self.options | set(self.words))

    @property
    def reads_only(self) -> bool:
        """Whether it is known to change nothing and to send nothing."""
        changes = self.writes or self.deletes or self.executes or self.sends or self.effects or self.unknown
        return not changes and not (self.git is not None and self.git.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A file that a tool writes itself: where, and which words are new in it."""

    path: str
    added: str = ""
    removed: str = ""
    deletes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandReading:
    """All that an action would do, in the order in which it would be done."""

    commands: tuple[Command, ...] = ()
    edits: tuple[Edit, ...] = ()
    reads: tuple[str, ...] = ()  # by tools that only read
    sends: tuple[str, ...] = ()  # by tools that fetch
    unknown: tuple[str, ...] = ()

    @property
    def reads_only(self) -> bool:
        return not (self.edits or self.sends or self.unknown) and all(each.reads_only for each in self.commands)

    @property
    def all_reads(self) -> tuple[str, ...]:
        return (*self.reads, *(path for command in self.commands for path in command.reads))

    @property
    def all_writes(self) -> tuple[str, ...]:
        edited = (edit.path for edit in self.edits)
        return (*edited, *(path for command in self.commands for path in (*command.writes, *command.deletes)))
