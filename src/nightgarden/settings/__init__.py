"""Settings, read once: declared in sections, one module a room; read, checked and narrowed in `load`."""

from nightgarden.settings.agent import AgentSettings
from nightgarden.settings.ambient import AmbientSettings
from nightgarden.settings.initiative import InitiativeSettings
from nightgarden.settings.load import (
    ENV_PREFIX,
    check_values,
    data_folder,
    garden_address,
    load_settings,
    section_kinds,
    settings_problems,
    user_file,
)
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
from nightgarden.settings.sections import Settings

__all__ = [
    "ENV_PREFIX",
    "AgentSettings",
    "AmbientSettings",
    "ClassifierSettings",
    "DaemonSettings",
    "EmbeddingSettings",
    "GardenSettings",
    "GuardSettings",
    "InitiativeSettings",
    "MindSettings",
    "NotifySettings",
    "ProjectSettings",
    "RecallSettings",
    "RememberSettings",
    "SafetySettings",
    "SessionSettings",
    "Settings",
    "TendSettings",
    "TurnSettings",
    "check_values",
    "data_folder",
    "garden_address",
    "load_settings",
    "section_kinds",
    "settings_problems",
    "user_file",
]
