"""Every error nightgarden raises on purpose, grouped by what the caller should do.

NightgardenError
├── BadInput            fix what you passed in (exit code 2 on the command line)
│   ├── BadSetting      fix the settings file or environment variable named in the message
│   ├── BadImport       fix the file you are importing
│   ├── RuleRefused     a rule refused the text: change it, or lift the rule (exit code 1, as with `remember`)
│   └── NotFound        check the id, file or name; the message says which command lists what there is
├── Conflict            someone else changed it first: read again and retry
│   ├── UndoConflict    undo the later changes first; the message names them
│   ├── GardenBusy      another process holds what you need: wait, then ask again
│   ├── LeaseLost       another process took the work over: stop, it goes on there
│   └── RunLocally      run this command in your own process: the daemon leaves it to you
├── NeedsRepair         run the command that the message names
│   ├── CorruptGarden   run `nightgarden doctor --repair`, or put a backup back; reading still works
│   └── NewerGarden     upgrade the program
├── Unreachable         see to the server, file system or model that the message names, then ask again
│   ├── StoreUnavailable  check address, password, server and disk
│   ├── ModelUnavailable  fetch the model, or check its endpoint; recall goes on by words alone
│   │   ├── ModelMissing    run `nightgarden models fetch`, or do without
│   │   └── ModelDamaged    install nightgarden again; until then rules decide where the damaged file would
│   ├── DaemonAway      start the daemon, or do without
│   └── DaemonSlow      ask again later, or do without
└── NotAllowed          give your consent first, as the message says
"""

from __future__ import annotations


class NightgardenError(Exception):
    """Something went wrong that the message explains: what happened, to what, and what to do next."""


class BadInput(NightgardenError):
    """What was passed in cannot be used; fix it and call again."""


class BadSetting(BadInput):
    """A settings file or environment variable holds an unknown key or a bad value."""


class BadImport(BadInput):
    """A file to import cannot be read as what it claims to be."""


class RuleRefused(BadInput):
    """A rule refused the text; the message names the rule."""


class NotFound(BadInput):
    """The id, file or name does not exist."""


class Conflict(NightgardenError):
    """Something changed between reading and writing; read again and retry."""


class UndoConflict(Conflict):
    """Later changes stand on what was to be undone."""


class GardenBusy(Conflict):
    """Another process holds what is needed; wait and ask again."""


class LeaseLost(Conflict):
    """Another process took over what this one was doing; nothing more may be written for it here."""


class RunLocally(Conflict):
    """A command needs its caller's terminal, files or models: the caller runs it itself."""


class NeedsRepair(NightgardenError):
    """The data needs a repair; the message names the command."""


class CorruptGarden(NeedsRepair):
    """The database file is damaged. It can still be opened read-only."""


class NewerGarden(NeedsRepair):
    """The database was written by a newer nightgarden."""


class Unreachable(NightgardenError):
    """A server, a file system or a model cannot be used now."""


class StoreUnavailable(Unreachable):
    """The store cannot be opened or written: wrong address or password, server down, disk full or read-only."""


class ModelUnavailable(Unreachable):
    """The embedding model or language model cannot be loaded or called."""


class ModelMissing(ModelUnavailable):
    """No file of the model is on this machine."""


class ModelDamaged(ModelUnavailable):
    """A file that ships with nightgarden is there and cannot be read."""

    def __init__(self, message: str, *, file: str) -> None:
        super().__init__(message)
        self.file = file  # its name


class DaemonAway(Unreachable):
    """No daemon is running for this garden, or it cannot be connected to."""


class DaemonSlow(Unreachable):
    """The daemon gave no answer within the time the caller could wait."""


class NotAllowed(NightgardenError):
    """The user has not consented to this; the message says how to."""
