"""Scopes of communities, and which memories are told there. Pure.

A community's memories have the scope `community:NETWORK/ID`, those about one of its channels or people
`community:NETWORK/ID#channel/…` or `#person/…`, and what holds in all of them `community:all`. Nothing else is ever
looked at for a community: no global memory, no project's, no other community's.

Guidance and behaviour are tags, not categories: a category says what kind of statement a memory is (a preference, a
convention, something never to do), and each of these can be guidance. What is tagged `guidance` is always told; what
is tagged `behavior` is told where it is relevant. Both count only if the user said them and no outside text shaped
them, so that nobody in a channel can give us rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from nightgarden.domain.memory import Memory, Scope, ScopeKind

GUIDANCE = "guidance"
BEHAVIOR = "behavior"
EVERYWHERE = Scope(ScopeKind.COMMUNITY, "all")
_CHANNEL, _PERSON = "#channel/", "#person/"


def community_scope(community: str) -> Scope:
    return Scope(ScopeKind.COMMUNITY, community)


def channel_scope(community: str, channel: str) -> Scope:
    return Scope(ScopeKind.COMMUNITY, f"{community}{_CHANNEL}{_part(channel)}")


def person_scope(community: str, person: str) -> Scope:
    return Scope(ScopeKind.COMMUNITY, f"{community}{_PERSON}{_part(person)}")


def is_person_scope(scope: Scope) -> bool:
    return scope.kind is ScopeKind.COMMUNITY and _PERSON in scope.owner


def told_scopes(community: str, channels: Iterable[str], people: Iterable[str]) -> tuple[Scope, ...]:
    """What may be told in a community: its own, that of its channels and of the people at hand, and what holds in all
    communities."""
    scopes = {EVERYWHERE, community_scope(community)}
    scopes |= {channel_scope(community, channel) for channel in channels}
    scopes |= {person_scope(community, person) for person in people}
    return tuple(sorted(scopes))


def is_rule(memory: Memory, tag: str) -> bool:
    """Whether it is guidance or behaviour that we keep to."""
    return tag in memory.tags and memory.binding and memory.live


def _part(text: str) -> str:
    return quote(text, safe="!:@.+=-_")
