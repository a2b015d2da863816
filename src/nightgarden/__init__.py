"""nightgarden: long-term memory for agents that surfaces by itself and tends itself while its user sleeps.

    from nightgarden import Garden

    async with Garden.open() as garden:
        await garden.remember("The staging database runs on port 5433")
        found = await garden.recall("which port does staging use?")

Importing the package does nothing; names are loaded when they are first used, so that hooks and commands start fast.
"""

from __future__ import annotations

from nightgarden._version import __version__

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs hooks 4 ms

if TYPE_CHECKING:
    from nightgarden.domain.graph import Edge, EdgeKind, Tag
    from nightgarden.domain.journal import JournalEntry
    from nightgarden.domain.memory import Category, Importance, Memory, Provenance, Scope, ScopeKind, Status, Tier
    from nightgarden.domain.schedule import ScheduledTask
    from nightgarden.domain.session import Message, Passage, Session
    from nightgarden.domain.verdict import Flagged, Refused, Reinforced, Rule, Saved, Superseded, Verdict
    from nightgarden.errors import NightgardenError
    from nightgarden.garden import Garden
    from nightgarden.recall.result import Recalled, Result
    from nightgarden.safety.check import Checked, check_action, check_command
    from nightgarden.safety.cycle_transcripts import Transcripts
    from nightgarden.safety.decide import Allow, Ask, Deny
    from nightgarden.safety.directing import Directives
    from nightgarden.safety.gated import GatedToolbox
    from nightgarden.safety.notify import Notifier
    from nightgarden.safety.permissions import Permissions
    from nightgarden.settings import Settings

_HOMES = {
    "domain.graph": ("Edge", "EdgeKind", "Tag"),
    "domain.journal": ("JournalEntry",),
    "domain.memory": ("Category", "Importance", "Memory", "Provenance", "Scope", "ScopeKind", "Status", "Tier"),
    "domain.schedule": ("ScheduledTask",),
    "domain.session": ("Message", "Passage", "Session"),
    "domain.verdict": ("Flagged", "Refused", "Reinforced", "Rule", "Saved", "Superseded", "Verdict"),
    "errors": ("NightgardenError",),
    "garden": ("Garden",),
    "recall.result": ("Recalled", "Result"),
    "safety.check": ("Checked", "check_action", "check_command"),
    "safety.cycle_transcripts": ("Transcripts",),
    "safety.decide": ("Allow", "Ask", "Deny"),
    "safety.directing": ("Directives",),
    "safety.gated": ("GatedToolbox",),
    "safety.notify": ("Notifier",),
    "safety.permissions": ("Permissions",),
    "settings": ("Settings",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Allow",
    "Ask",
    "Category",
    "Checked",
    "Deny",
    "Directives",
    "Edge",
    "EdgeKind",
    "Flagged",
    "Garden",
    "GatedToolbox",
    "Importance",
    "JournalEntry",
    "Memory",
    "Message",
    "NightgardenError",
    "Notifier",
    "Passage",
    "Permissions",
    "Provenance",
    "Recalled",
    "Refused",
    "Reinforced",
    "Result",
    "Rule",
    "Saved",
    "ScheduledTask",
    "Scope",
    "ScopeKind",
    "Session",
    "Settings",
    "Status",
    "Superseded",
    "Tag",
    "Tier",
    "Transcripts",
    "Verdict",
    "__version__",
    "check_action",
    "check_command",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'nightgarden' has no attribute {name!r}")
    import importlib  # 1 ms, which hooks do not need

    return getattr(importlib.import_module(f"nightgarden.{_HOME_OF[name]}"), name)
