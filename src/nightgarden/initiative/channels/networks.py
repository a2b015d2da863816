"""Which networks the settings name: the built-in ones, and those of plugins. Each is imported only when it is used."""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points

from nightgarden.errors import BadSetting, NightgardenError
from nightgarden.initiative.channels.channel import GROUP, Make, Network, Setup
from nightgarden.initiative.channels.console import Console


def open_networks(setup: Setup) -> tuple[list[Network], list[str]]:
    """The networks that are set up, and what could not be used, in words. Connects to none."""
    settings, networks, problems = setup.settings, [], []
    makes: list[tuple[str, Make]] = []
    if settings.matrix.homeserver:
        makes.append(("matrix", lambda each: _built_in("matrix", "Matrix", "matrix-nio")(each)))
    if settings.discord.enabled:
        makes.append(("discord", lambda each: _built_in("discord", "Discord", "discord.py")(each)))
    if settings.console.enabled and any(each.startswith("console:") for each in listed_channels(setup)):
        makes.append(("console", Console))
    makes += [(point.name, _plugin(point.load)) for point in entry_points(group=GROUP)]
    for name, make in makes:
        try:
            networks.append(make(setup))
        except NightgardenError as error:
            problems.append(f"{name}: {error}")
    return networks, problems


def listed_channels(setup: Setup) -> set[str]:
    """Every channel that the settings name to speak in."""
    replies = setup.settings.replies
    return {*replies.discovery_channel_ids, *replies.reply_channel_ids, *replies.allowed_channel_ids}


def _built_in(module: str, name: str, package: str) -> Make:
    try:
        loaded = importlib.import_module(f"nightgarden.initiative.channels.{module}")
    except ImportError:
        raise BadSetting(f"{name} needs the package {package}; run `pip install 'nightgarden[{module}]'`") from None
    make: Make = getattr(loaded, name)
    return make


def _plugin(load: object) -> Make:
    def make(setup: Setup) -> Network:
        try:
            made: Network = load()(setup)  # type: ignore[operator]
        except NightgardenError:
            raise
        except Exception as error:
            raise BadSetting(f"the plugin failed: {type(error).__name__}: {error}") from error
        return made

    return make
