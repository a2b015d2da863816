"""Where we may read and speak, and to whom: the lists of the settings as one answer. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nightgarden.initiative.channels.channel import Channel
from nightgarden.settings.initiative import InitiativeRepliesSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Permits:
    """Blocked goes before allowed; an empty list of allowed channels allows all."""

    settings: InitiativeRepliesSettings
    private_room: str = ""  # where the user decides requests: never a channel to take part in

    def refuse(self, channel: str, user: str = "") -> str:
        """Why we may not take part there, or with that person; empty when we may."""
        if self.private_room and channel == self.private_room:
            return "the room is for permission requests"
        if channel in self.settings.blocked_channel_ids:
            return "the channel is blocked"
        if self.settings.allowed_channel_ids and channel not in self.settings.allowed_channel_ids:
            return "the channel is not among the allowed ones"
        if user and user in self.settings.blocked_user_ids:
            return "the person is blocked"
        return ""

    def eligible(self, channels: Iterable[Channel]) -> list[Channel]:
        """Where a thought of our own may be posted: discovery channels that are public, of text, and not refused."""
        wanted = self.settings.discovery_channel_ids
        return sorted(
            (c for c in channels if c.id in wanted and c.text and not c.private and not self.refuse(c.id)),
            key=lambda channel: channel.id,
        )
