"""Opening initiative on a garden as its settings say: networks, the mind to ask, a folder of its own."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from nightgarden.domain.conversation import Converser
from nightgarden.garden import Garden
from nightgarden.initiative.channels.channel import Network, Setup
from nightgarden.initiative.channels.console import LOBBY, Console
from nightgarden.initiative.channels.networks import open_networks
from nightgarden.initiative.presence import GardenClock
from nightgarden.initiative.service import Initiative
from nightgarden.minds.choose_converser import Wanted
from nightgarden.settings import Settings, data_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedInitiative:
    """Initiative with its networks."""

    initiative: Initiative
    networks: Sequence[Network]
    problems: Sequence[str]  # what of the settings could not be used


@asynccontextmanager
async def open_initiative(
    garden: Garden,
    env: Mapping[str, str],
    *,
    networks: Sequence[Network] | None = None,
    converser: Converser | None = None,
    chance: random.Random | None = None,
) -> AsyncIterator[OpenedInitiative]:
    """Connects to nobody yet. Networks and a converser passed in take the place of those in the settings."""
    problems: list[str] = []
    if networks is None:
        networks, problems = open_networks(make_setup(garden, env))
    asked = converser or converser_of(garden)
    initiative = Initiative(garden, networks=networks, converser=asked, chance=chance, env=env)
    try:
        yield OpenedInitiative(initiative=initiative, networks=networks, problems=problems)
    finally:
        for network in networks:
            await network.close()


def make_setup(garden: Garden, env: Mapping[str, str]) -> Setup:
    return Setup(
        settings=garden.settings.initiative,
        env=env,
        clock=GardenClock(garden),
        folder=str(data_folder(env) / "initiative"),
        private_room=garden.settings.notify.chat_room,
    )


def converser_of(garden: Garden) -> Converser | None:
    """Who is asked, by the settings; None without a mind. Raises BadSetting."""
    text = garden.settings.initiative.text
    wanted = Wanted(
        budget="initiative",
        daily_tokens=text.daily_tokens,
        daily_usd=text.daily_usd,
        provider=text.provider,
        model=text.model,
    )
    return garden.minds.converser(wanted)


def with_console(settings: Settings) -> Settings:
    """The settings for trying it out: the console is the one channel, of both kinds, and a tick always thinks."""
    here = (LOBBY.id,)
    replies = replace(
        settings.initiative.replies,
        discovery_channel_ids=here,
        reply_channel_ids=here,
        allowed_channel_ids=(),
        blocked_channel_ids=(),
    )
    text = replace(settings.initiative.text, eagerness=100, min_minutes_between_posts=1)
    return replace(settings, initiative=replace(settings.initiative, replies=replies, text=text))


def console_network(garden: Garden, env: Mapping[str, str], show: Callable[[str], None]) -> Console:
    return Console(make_setup(garden, env), show)
