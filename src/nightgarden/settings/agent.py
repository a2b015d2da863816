"""[agent]: who acts here, for whatever runs in this environment."""

from __future__ import annotations

from dataclasses import dataclass

from nightgarden.settings.declare import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """[agent] Who acts: decides which agent's, mission's and session's memories are seen besides the project's. Set it
    in an agent's environment, as NIGHTGARDEN_AGENT_NAME and so on; connected clients say it themselves."""

    name: str = setting("", "Name of the agent: it sees agent:NAME, and has a core memory of its own.")
    mission: str = setting("", "Id of the mission it works on; empty means the missions started for its project.")
    session: str = setting("", "Id of the session it works in, where the client does not say it.")
    strict: bool = setting(
        False,
        "What agents store counts at once, but they may store only conventions, patterns, gotchas and decisions of "
        "high importance; false takes everything and lets it prove itself first.",
    )
    seasons: tuple[str, ...] = setting(
        (), "Seasons that are now, such as release-week: memories that hold only then are shown."
    )
