"""Which projects the ambient agent knows on this machine, and what each of them lets it do.

A project's own settings can only narrow what the user allows, and where memory is switched off nothing happens at all.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from nightgarden.domain.memory import Scope, ScopeKind
from nightgarden.errors import NightgardenError
from nightgarden.garden import Garden
from nightgarden.machine.project_file import find_project_file
from nightgarden.recall.switch import is_off
from nightgarden.scope import machine_of
from nightgarden.settings import Settings, load_settings
from nightgarden.tend.keys import ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbientProject:
    """One that is there, and in which the agent may do something."""

    scope: Scope
    root: Path
    settings: Settings

    @property
    def name(self) -> str:
        return self.root.name

    @property
    def proactive(self) -> bool:
        """Whether code may be worked on there, as far as settings go."""
        return self.settings.ambient.proactive_work and self.settings.safety.proactive


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbientProjects:
    """Those that may be looked at, and the scopes that may not."""

    allowed: tuple[AmbientProject, ...] = ()
    closed: frozenset[Scope] = frozenset()

    def may_see(self, scope: Scope | None) -> bool:
        return scope not in self.closed

    def of(self, scope: Scope | None) -> AmbientProject | None:
        return next((project for project in self.allowed if project.scope == scope), None)


async def find_projects(garden: Garden) -> AmbientProjects:
    """Looks at every project that was registered on this machine. Only a project's own file or a switch closes it: a
    user who says `ambient run` while ambient is off means all that are open."""
    machine = machine_of(garden.settings)
    allowed: list[AmbientProject] = []
    closed: set[Scope] = set()
    for key, places in sorted((await garden.store.state_items(ROOT)).items()):
        if machine not in places:
            continue
        scope, root = Scope(ScopeKind.PROJECT, key.removeprefix(ROOT)), Path(places[machine])
        settings = await asyncio.to_thread(_settings_at, root)
        if settings is None or await is_off(garden.store, (scope,)):
            closed.add(scope)
        else:
            allowed.append(AmbientProject(scope=scope, root=root, settings=settings))
    return AmbientProjects(allowed=tuple(allowed), closed=frozenset(closed))


def _settings_at(root: Path) -> Settings | None:
    """None when the folder is gone, wants no agent, or its settings cannot be read: nobody knows what is allowed."""
    try:
        file = find_project_file(root)
        section = file.values.get("ambient") if file is not None else None
        if not root.is_dir() or (isinstance(section, dict) and section.get("enabled") is False):
            return None
        return load_settings(root)
    except (NightgardenError, OSError):
        return None
