"""[initiative.*]: what is said in chat channels without being asked, what feeds it, and where it may speak.

It belongs to the user and to no project, so that no project's file has a say in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nightgarden.settings.declare import setting

Source = Literal["reddit", "hacker_news", "youtube", "rss", "x"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeTextSettings:
    """[initiative.text] When a thought of its own is considered. Without a mind, and without channels, nothing is."""

    enabled: bool = setting(True, "Consider thoughts at all.")
    execution: Literal["inherit", "dry_run"] = setting(
        "inherit", "inherit asks the garden's mind and posts; dry_run asks it, logs what it would post, sends nothing."
    )
    eagerness: int = setting(
        20, "Chance in percent that a tick which may think of something new does.", least=0, most=100
    )
    min_minutes_between_posts: int = setting(
        360, "Minutes between two considerations of something new.", least=1, most=1440
    )
    max_posts_per_day: int = setting(3, "Posts in any 24 hours.", least=0, most=100)
    lookback_messages: int = setting(20, "Messages of a channel that are looked at.", least=4, most=80)
    allow_active_curiosity: bool = setting(True, "Offer web search, page reading and browsing while it thinks.")
    max_tool_steps: int = setting(3, "Rounds of tool calls for one thought.", least=0, most=8)
    max_tool_calls: int = setting(4, "Tool calls for one thought.", least=0, most=12)
    provider: str = setting("", "A kind of [mind] to ask instead of mind.kind; it needs that section's settings.")
    model: str = setting("", "A model to ask instead of the one of [mind].")
    daily_tokens: int = setting(
        200_000, "At most so many tokens a day (UTC) for thoughts and replies.", least=0, most=10**9
    )
    daily_usd: float = setting(
        1.0, "At most so many dollars a day (UTC) for them, where cost is reported.", least=0.0, most=100_000.0
    )
    search_url: str = setting(
        "", "Address of a SearXNG server for web search, such as http://127.0.0.1:8888; empty offers no search."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeDiscoverySettings:
    """[initiative.discovery] What it reads to have something to share, and what it may show."""

    sources: tuple[Source, ...] = setting(
        ("reddit", "youtube", "rss"),
        "Kinds of sources that are read. Most have a list of their own, and without it nothing is asked; hacker_news "
        "has none, so that naming it here is enough.",
    )
    reddit_subreddits: tuple[str, ...] = setting((), "Subreddits, without r/.")
    rss_feeds: tuple[str, ...] = setting((), "Addresses of RSS or Atom feeds.")
    youtube_channel_ids: tuple[str, ...] = setting((), "YouTube channels by id, such as UC….")
    x_handles: tuple[str, ...] = setting((), "Accounts on X, without @; read through x_bridge_url.")
    x_bridge_url: str = setting("", "A server that gives /HANDLE/rss for accounts on X, such as a Nitter instance.")
    freshness_hours: int = setting(96, "Older items are not considered.", least=1, most=8760)
    dedupe_hours: int = setting(168, "A link that was shared is not offered again for so long.", least=1, most=8760)
    source_fetch_limit: int = setting(10, "Items taken from one source.", least=1, most=50)
    max_candidates: int = setting(6, "Items shown to the model at once.", least=0, most=30)
    max_links_per_post: int = setting(2, "Links in one post; more are taken out.", least=0, most=10)
    randomness: int = setting(55, "How much chance there is in the order of items, in percent.", least=0, most=100)
    allow_nsfw: bool = setting(False, "Offer items that their source marks as not safe for work.")
    allow_self_curation: bool = setting(True, "Let the model add and remove sources.")
    max_sources_per_type: int = setting(10, "Sources of one kind, those of the model included.", least=0, most=100)
    allow_loopback: bool = setting(
        False, "Let feeds, pages and media servers be on this machine; other private addresses never."
    )
    allow_image_posts: bool = setting(True, "Offer pictures for posts, if there is a backend.")
    allow_video_posts: bool = setting(True, "Offer videos for posts, if there is a backend.")
    allow_reply_gifs: bool = setting(True, "Offer GIFs, if there is a backend.")
    max_images_per_day: int = setting(10, "Pictures in any 24 hours.", least=0, most=1000)
    max_videos_per_day: int = setting(10, "Videos in any 24 hours.", least=0, most=1000)
    max_gifs_per_day: int = setting(60, "GIFs in any 24 hours.", least=0, most=1000)
    allowed_image_models: tuple[str, ...] = setting((), "Models that may make pictures; the first one is used.")
    allowed_video_models: tuple[str, ...] = setting((), "Models that may make videos; the first one is used.")
    image_url: str = setting("", "An OpenAI-compatible server for pictures, up to /images/generations.")
    video_url: str = setting("", "An OpenAI-compatible server for videos, up to /videos.")
    gif_url: str = setting("", "A GIF search server that speaks Giphy's API, such as https://api.giphy.com/v1.")
    media_key_env: str = setting("", "Environment variable with the key of the picture and video server.")
    gif_key_env: str = setting("", "Environment variable with the key of the GIF server.")


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeRepliesSettings:
    """[initiative.replies] Where it may speak, to whom it answers, and what it keeps of people. Channels are written
    as NETWORK:ID, such as matrix:!abc:example.org, discord:1234 or console:lobby, and users likewise."""

    discovery_channel_ids: tuple[str, ...] = setting((), "Channels in which it may begin something of its own.")
    reply_channel_ids: tuple[str, ...] = setting((), "Channels in which it may join in unasked, but begins no topic.")
    allowed_channel_ids: tuple[str, ...] = setting((), "If not empty, every other channel is left alone.")
    blocked_channel_ids: tuple[str, ...] = setting((), "Channels that are left alone, whatever the other lists say.")
    blocked_user_ids: tuple[str, ...] = setting((), "People who are never answered, kept or shown to the model.")
    enabled: bool = setting(True, "Answer when spoken to, if there is a mind.")
    reply_eagerness: int = setting(20, "Chance in percent to join in unasked, in a reply channel.", least=0, most=100)
    reply_channel_bonus: int = setting(15, "Added to that chance in a live reply channel.", least=0, most=100)
    response_window_eagerness: int = setting(
        55, "Chance in percent to answer a message of a live exchange that does not name it.", least=0, most=100
    )
    active_seconds: int = setting(120, "How long an exchange counts as live after the last word.", least=5, most=3600)
    min_seconds_between_messages: int = setting(5, "Seconds between two messages.", least=0, most=3600)
    max_messages_per_hour: int = setting(20, "Messages in any hour, replies included.", least=0, most=1000)
    people: Literal["nothing", "history", "memories"] = setting(
        "history",
        "What is kept of other people: nothing (words without names), history (words with names, for history_days), "
        "memories (and statements about them that you stored may be told in their community).",
    )
    history_days: int = setting(30, "What was said in a channel is erased after so many days.", least=1, most=3650)


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeMatrixSettings:
    """[initiative.matrix] An account on a Matrix homeserver. Needs `pip install nightgarden[matrix]`."""

    homeserver: str = setting("", "Its address, such as https://matrix.example.org; empty: Matrix is not used.")
    user_id: str = setting("", "The account, such as @garden:example.org.")
    token_env: str = setting("", "Environment variable that holds its access token.")
    token_file: str = setting("", "Or a file that only you can read, with the token in its first line.")


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeDiscordSettings:
    """[initiative.discord] A bot on Discord. Needs `pip install nightgarden[discord]`."""

    enabled: bool = setting(False, "Use it.")
    token_env: str = setting("", "Environment variable that holds the bot's token.")
    token_file: str = setting("", "Or a file that only you can read, with the token in its first line.")
    api_url: str = setting("", "A server that speaks Discord's API instead of Discord itself.")


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeConsoleSettings:
    """[initiative.console] A channel on this machine, for trying things out: what `initiative try` shows."""

    enabled: bool = setting(True, "Let `nightgarden initiative try` be a channel.")


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeSettings:
    """[initiative] What is said in chat channels without being asked."""

    text: InitiativeTextSettings = InitiativeTextSettings()
    discovery: InitiativeDiscoverySettings = InitiativeDiscoverySettings()
    replies: InitiativeRepliesSettings = InitiativeRepliesSettings()
    matrix: InitiativeMatrixSettings = InitiativeMatrixSettings()
    discord: InitiativeDiscordSettings = InitiativeDiscordSettings()
    console: InitiativeConsoleSettings = InitiativeConsoleSettings()
