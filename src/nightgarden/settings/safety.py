"""[safety]: what an agent of nightgarden may do by itself."""

from __future__ import annotations

from dataclasses import dataclass

from nightgarden.settings.declare import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetySettings:
    """[safety] What an agent of nightgarden may do by itself. Rules name a command by its first words, such as
    "make test", or with a folder: "/srv/app: make test"."""

    proactive: bool = setting(False, "Allow work on code, not only on the garden.", project="off")
    always_allow: tuple[str, ...] = setting((), "Commands to allow without asking.", project="fewer")
    always_ask: tuple[str, ...] = setting((), "Commands to ask about always.", project="more")
    allowed_remotes: tuple[str, ...] = setting((), "Git remotes that need no question.", project="fewer")
    lifted_rules: tuple[str, ...] = setting((), "Rules that deny, by id, which shall only ask.", project="fewer")
    shared_branches: tuple[str, ...] = setting(
        ("main", "master", "develop", "trunk", "production", "staging", "release*"),
        "Branches whose history is not rewritten.",
        project="more",
    )
    request_hours: float = setting(
        72.0, "A request that nobody answers expires after so many hours.", least=0.01, most=8760.0
    )
