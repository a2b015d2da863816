"""The sections about memory itself and the programs around it: garden, models, recall, turns, daemon, mind, tending."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nightgarden.settings.declare import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class GardenSettings:
    """[garden] Where the garden is."""

    url: str = setting("", "A path or a postgresql:// address; empty means garden.db in the data folder.")
    machine_id: str = setting("", "Name of this machine in memories; empty means its host name.")
    backups_kept: int = setting(
        7, "How many backups `nightgarden backup` keeps in the data folder.", least=1, most=1000
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
    """[project] Which project this folder is."""

    id: str = setting(
        "",
        "Fixes the project's identity. In your own settings, usually the environment: folders with one id share their "
        "memories. In a project's file: makes its folder a project of its own, never one that is elsewhere.",
        project="here",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """[embedding] What turns text into vectors."""

    model: Literal["auto", "bge-small", "minilm", "multilingual", "remote", "off"] = setting(
        "auto",
        "auto takes the best English model that is installed; multilingual is for gardens that are mostly not English "
        "(`nightgarden models fetch --multilingual`); remote uses the endpoint below; off searches by words only.",
    )
    folder: str = setting("", "A folder with your own models; empty means where `nightgarden models fetch` puts them.")
    threads: int = setting(2, "Threads for the local model.", least=1, most=64)
    endpoint: str = setting(
        "", "Address of an OpenAI-compatible embeddings endpoint, such as http://127.0.0.1:11434/v1."
    )
    endpoint_model: str = setting("", "Name of the model at that endpoint.")
    endpoint_dimension: int = setting(0, "Length of its vectors; 0 asks the endpoint once.", least=0, most=8192)
    endpoint_key_env: str = setting("", "Environment variable that holds the endpoint's key.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierSettings:
    """[classifier] The small built-in network that judges what is lasting, the same, outdated, secret or helpful."""

    enabled: bool = setting(
        True,
        "Let it judge; false leaves every decision to exact rules, which keep of a session only what is asked for.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberSettings:
    """[remember] What is let in."""

    personal_allowed: tuple[Literal["mail", "phone", "card", "national_id", "iban"], ...] = setting(
        (), "Kinds of personal data that may be stored.", project="fewer"
    )
    redact_secrets: bool = setting(False, "Store a long memory with its secrets blacked out instead of refusing it.")
    project_limit: int = setting(2000, "Live memories in one project.", least=10, most=10_000_000)
    agent_limit: int = setting(500, "Live memories of one agent.", least=10, most=10_000_000)
    mission_limit: int = setting(200, "Live memories of one mission.", least=10, most=10_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """[recall] What is found."""

    limit: int = setting(
        10,
        "How many results `recall` gives; twice as many when asked for a list, an order or a summary.",
        project="lower",
        least=1,
        most=1000,
    )
    recency: float = setting(
        0.0, "0 to 1: how much it counts in the order of results that something is new.", least=0.0, most=1.0
    )
    rerank: bool = setting(
        False, "Let the reranker, if installed, read the best results again: better order, 0.2 s more.", project="off"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """[turn] What is shown to an agent, unasked, at each turn of the user."""

    enabled: bool = setting(True, "Show memories at each turn; false keeps silent.", project="off")
    deadline_ms: int = setting(150, "An answer that takes longer is not shown.", project="lower", least=10, most=60_000)
    items_max: int = setting(5, "At most this many memories a turn.", project="lower", least=1, most=50)
    token_budget: int = setting(600, "At most about this many tokens a turn.", project="lower", least=80, most=20_000)
    repeat_minutes: int = setting(
        45, "What was shown is not shown again for so long, unless changed.", project="higher", least=0, most=10_080
    )
    payload_seconds: int = setting(
        120, "What was prepared for the next turn expires after this.", project="lower", least=1, most=3600
    )
    passages: bool = setting(True, "Show words of earlier sessions too, not only memories.", project="off")
    notify: bool = setting(
        True, "Tell you in the client, in a line, what was recalled, stopped, learned or forgotten.", project="off"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSettings:
    """[guard] What may hold back an agent's tool for a moment."""

    mode: Literal["auto", "explicit", "off"] = setting(
        "auto",
        "auto stops what a negative memory forbids, and wants a search in turns of work if memory was not looked at; "
        "explicit wants the agent's own search in every such turn; off never stops anything.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """[sessions] What is kept of conversations."""

    passage_days: int = setting(
        365, "Passages older than this are archived: kept, but no longer found. 0: never.", least=0, most=36_500
    )
    passages_max: int = setting(
        500_000, "At most this many passages; the oldest go first. 0: no limit.", least=0, most=10**9
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonSettings:
    """[daemon] The program in the background that keeps the garden warm."""

    on_demand: bool = setting(True, "Let the first hook or MCP client start it; false leaves that to you or a service.")
    port: int = setting(
        0, "Port of the HTTP server on 127.0.0.1; 0 picks a free one once and keeps it.", least=0, most=65_535
    )
    http: bool = setting(True, "Serve HTTP on 127.0.0.1 (dashboard, REST, MCP), behind a token.")
    idle_exit_minutes: int = setting(0, "Stop after so long without a request; 0 never stops.", least=0, most=525_600)
    hung_seconds: float = setting(10.0, "One that gives no answer for so long is replaced.", least=0.2, most=3600)
    watch_seconds: int = setting(60, "Look for new sessions of allowed clients this often.", least=5, most=86_400)
    log_bytes: int = setting(1_000_000, "Size of a log file; three older ones are kept.", least=10_000, most=10**9)


@dataclass(frozen=True, slots=True, kw_only=True)
class MindSettings:
    """[mind] A language model, if you want one to help."""

    kind: Literal["none", "auto", "codex", "claude", "local", "openai", "anthropic", "openrouter"] = setting(
        "none",
        "Who is asked: your own codex or claude program, an OpenAI-compatible server on your machine (local), or a "
        "provider by API key; auto takes the first of these that is there; none asks nobody.",
    )
    base_url: str = setting(
        "", "Address without /chat/completions or /messages; empty is the provider's own, or Ollama's for local."
    )
    model: str = setting("", "Name of the model there; programs have a default, auto leaves the choice to each.")
    api_key_env: str = setting("", "Environment variable that holds the key; empty sends none.")
    api_key_file: str = setting("", "Or a file that only you can read, with the key in its first line.")
    api_provider: Literal["none", "openai", "anthropic", "openrouter"] = setting(
        "none", "Which provider auto may ask by API key, after everything else; it needs model and key."
    )
    program: str = setting("", "Absolute path of codex or claude, if it is not on the PATH.")
    program_env: tuple[str, ...] = setting(
        (), "Names of environment variables that codex or claude gets as well, such as ANTHROPIC_BASE_URL."
    )
    codex_config: tuple[str, ...] = setting(
        (), "Settings for codex as key=value; its own config.toml is not read here."
    )
    timeout_seconds: float = setting(60.0, "An answer that takes longer is done without.", least=1.0, most=600.0)
    daily_tokens: int = setting(
        200_000, "At most so many tokens a day (UTC), prompts and answers; then it is not asked.", least=0, most=10**9
    )
    daily_usd: float = setting(
        1.0,
        "At most so many dollars a day (UTC), where cost is reported: by claude and OpenRouter. A subscription is not "
        "billed by it; claude reports what the tokens would have cost.",
        least=0.0,
        most=100_000.0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TendSettings:
    """[tend] How the garden is tended."""

    sweep_hours: int = setting(24, "Hours between two sweeps by themselves.", least=1, most=8760)
    full_days: int = setting(7, "Days between two full passes: consolidation and clusters.", least=1, most=365)
    fading_days: int = setting(
        90, "A memory not used for so long fades; up to four times later while its project rests.", least=1, most=36_500
    )
    stale_days: int = setting(
        180,
        "A fading memory of very low confidence that was not used for so long is archived.",
        least=1,
        most=36_500,
    )
    season_days: int = setting(
        30, "What holds only in a season is archived so long after it was last confirmed.", least=1, most=3650
    )
    loss_percent: float = setting(
        15.0, "A run that would archive more of a scope than this stops and asks.", least=0.0, most=100.0
    )
    merge_cosine: float = setting(0.95, "How near two memories must be in meaning to be merged.", least=0.5, most=1.0)
    links_max: int = setting(8, "At most so many links of one memory are made by tending.", least=0, most=100)
    gap_days: int = setting(60, "A gap not met again for so long is dropped.", least=1, most=3650)
    log_runs: int = setting(100, "How many runs the log keeps.", least=1, most=10_000)
    mind_questions: int = setting(20, "At most so many questions of one run are put to the mind.", least=0, most=10_000)
