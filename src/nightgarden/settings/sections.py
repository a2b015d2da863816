"""All sections of the settings, one a field. A new one is a frozen dataclass in a module of its own and a line here."""

from __future__ import annotations

from dataclasses import dataclass, field

from nightgarden.settings.agent import AgentSettings
from nightgarden.settings.ambient import AmbientSettings
from nightgarden.settings.initiative import InitiativeSettings
from nightgarden.settings.memory import (
    ClassifierSettings,
    DaemonSettings,
    EmbeddingSettings,
    GardenSettings,
    GuardSettings,
    MindSettings,
    ProjectSettings,
    RecallSettings,
    RememberSettings,
    SessionSettings,
    TendSettings,
    TurnSettings,
)
from nightgarden.settings.notify import NotifySettings
from nightgarden.settings.safety import SafetySettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, one section a field."""

    garden: GardenSettings = field(default_factory=GardenSettings)
    project: ProjectSettings = field(default_factory=ProjectSettings)
    agent: AgentSettings = field(default_factory=AgentSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    classifier: ClassifierSettings = field(default_factory=ClassifierSettings)
    remember: RememberSettings = field(default_factory=RememberSettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    turn: TurnSettings = field(default_factory=TurnSettings)
    guard: GuardSettings = field(default_factory=GuardSettings)
    sessions: SessionSettings = field(default_factory=SessionSettings)
    daemon: DaemonSettings = field(default_factory=DaemonSettings)
    mind: MindSettings = field(default_factory=MindSettings)
    tend: TendSettings = field(default_factory=TendSettings)
    safety: SafetySettings = field(default_factory=SafetySettings)
    notify: NotifySettings = field(default_factory=NotifySettings)
    ambient: AmbientSettings = field(default_factory=AmbientSettings)
    initiative: InitiativeSettings = field(default_factory=InitiativeSettings)
