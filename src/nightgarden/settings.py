"""Settings, read once: defaults < user file < environment, and a project's file may narrow what it is let.

The user file is `config.toml` in the configuration folder. An environment variable is `NIGHTGARDEN_` + section + key in
capitals, for example `NIGHTGARDEN_RECALL_LIMIT=5`. An unknown key or a bad value there is an error that names file, key
and what is allowed.

The project file, `.nightgarden/config.toml` (project_file.py), comes with the project, from whoever wrote that. So each
setting declares here whether a project may narrow it, and which way that is; everything else, and everything that is
wrong in the file, is left out and reported (`settings_problems`), and the rest works.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_type_hints

from nightgarden import home
from nightgarden.errors import BadSetting
from nightgarden.plain_files import read_small
from nightgarden.project_file import ProjectFile, find_project_file
from nightgarden.setting_values import FromEnv, Narrowing, narrows, read_value

ENV_PREFIX = "NIGHTGARDEN_"


def _f(default: Any, doc: str, *, project: Narrowing = "never", **bounds: float) -> Any:
    return field(default=default, metadata={"doc": doc, "project": project, **bounds})


@dataclass(frozen=True, slots=True, kw_only=True)
class GardenSettings:
    """[garden] Where the garden is."""

    url: str = _f("", "A path or a postgresql:// address; empty means garden.db in the data folder.")
    machine_id: str = _f("", "Name of this machine in memories; empty means its host name.")
    backups_kept: int = _f(7, "How many backups `nightgarden backup` keeps in the data folder.", least=1, most=1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSettings:
    """[project] Which project this folder is."""

    id: str = _f(
        "",
        "Fixes the project's identity. In your own settings, usually the environment: folders with one id share their "
        "memories. In a project's file: makes its folder a project of its own, never one that is elsewhere.",
        project="here",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """[embedding] What turns text into vectors."""

    model: Literal["auto", "bge-small", "minilm", "remote", "off"] = _f(
        "auto",
        "auto takes the best model that is installed; remote uses the endpoint below; off searches by words only.",
    )
    folder: str = _f("", "A folder with models of your own; empty means models in the data folder.")
    threads: int = _f(2, "Threads for the local model.", least=1, most=64)
    endpoint: str = _f("", "Address of an OpenAI-compatible embeddings endpoint, such as http://127.0.0.1:11434/v1.")
    endpoint_model: str = _f("", "Name of the model at that endpoint.")
    endpoint_dimension: int = _f(0, "Length of its vectors; 0 asks the endpoint once.", least=0, most=8192)
    endpoint_key_env: str = _f("", "Environment variable that holds the endpoint's key.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierSettings:
    """[classifier] The small built-in network that judges what is lasting, the same, outdated, secret or helpful."""

    enabled: bool = _f(True, "Let it judge; false leaves every decision to exact rules, which see much less.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberSettings:
    """[remember] What is let in."""

    personal_allowed: tuple[Literal["mail", "phone", "card", "national_id", "iban"], ...] = _f(
        (), "Kinds of personal data that may be stored.", project="fewer"
    )
    redact_secrets: bool = _f(False, "Store a long memory with its secrets blacked out instead of refusing it.")
    project_limit: int = _f(2000, "Live memories in one project.", least=10, most=10_000_000)
    agent_limit: int = _f(500, "Live memories of one agent.", least=10, most=10_000_000)
    mission_limit: int = _f(200, "Live memories of one mission.", least=10, most=10_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallSettings:
    """[recall] What is found."""

    limit: int = _f(
        10,
        "How many results `recall` gives; twice as many when asked for a list, an order or a summary.",
        project="lower",
        least=1,
        most=1000,
    )
    rerank: bool = _f(
        False, "Let the reranker, if installed, read the best results again: better order, 0.2 s more.", project="off"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """[turn] What is shown to an agent, unasked, at each turn of the user."""

    enabled: bool = _f(True, "Show memories at each turn; false keeps silent.", project="off")
    deadline_ms: int = _f(150, "An answer that takes longer is not shown.", project="lower", least=10, most=60_000)
    items_max: int = _f(5, "At most this many memories a turn.", project="lower", least=1, most=50)
    token_budget: int = _f(600, "At most about this many tokens a turn.", project="lower", least=80, most=20_000)
    repeat_minutes: int = _f(
        45, "What was shown is not shown again for so long, unless changed.", project="higher", least=0, most=10_080
    )
    payload_seconds: int = _f(
        120, "What was prepared for the next turn expires after this.", project="lower", least=1, most=3600
    )
    passages: bool = _f(True, "Show words of earlier sessions too, not only memories.", project="off")
    notify: bool = _f(
        True, "Tell you in the client, in a line, what was recalled, stopped, learned or forgotten.", project="off"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSettings:
    """[guard] What may hold back an agent's tool for a moment."""

    mode: Literal["auto", "explicit", "off"] = _f(
        "auto",
        "auto stops what a negative memory forbids, and wants a search in turns of work if memory was not looked at; "
        "explicit wants the agent's own search in every such turn; off never stops anything.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSettings:
    """[sessions] What is kept of conversations."""

    passage_days: int = _f(
        365, "Passages older than this are archived: kept, but no longer found. 0: never.", least=0, most=36_500
    )
    passages_max: int = _f(
        500_000, "At most this many passages; the oldest go first. 0: no limit.", least=0, most=10**9
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonSettings:
    """[daemon] The program in the background that keeps the garden warm."""

    on_demand: bool = _f(True, "Let the first hook or MCP client start it; false leaves that to you or a service.")
    port: int = _f(
        0, "Port of the HTTP server on 127.0.0.1; 0 picks a free one once and keeps it.", least=0, most=65_535
    )
    http: bool = _f(True, "Serve HTTP on 127.0.0.1 (dashboard, REST, MCP), behind a token.")
    idle_exit_minutes: int = _f(0, "Stop after so long without a request; 0 never stops.", least=0, most=525_600)
    hung_seconds: float = _f(10.0, "One that gives no answer for so long is replaced.", least=0.2, most=3600)
    watch_seconds: int = _f(60, "Look for new sessions of allowed clients this often.", least=5, most=86_400)
    log_bytes: int = _f(1_000_000, "Size of a log file; three older ones are kept.", least=10_000, most=10**9)


@dataclass(frozen=True, slots=True, kw_only=True)
class MindSettings:
    """[mind] A language model, if you want one to help."""

    kind: Literal["none", "auto", "codex", "claude", "local", "openai", "anthropic", "openrouter"] = _f(
        "none",
        "Who is asked: your own codex or claude program, an OpenAI-compatible server on your machine (local), or a "
        "provider by API key; auto takes the first of these that is there; none asks nobody.",
    )
    base_url: str = _f(
        "", "Address without /chat/completions or /messages; empty is the provider's own, or Ollama's for local."
    )
    model: str = _f("", "Name of the model there; programs have a default, auto leaves the choice to each.")
    api_key_env: str = _f("", "Environment variable that holds the key; empty sends none.")
    api_key_file: str = _f("", "Or a file that only you can read, with the key in its first line.")
    api_provider: Literal["none", "openai", "anthropic", "openrouter"] = _f(
        "none", "Which provider auto may ask by API key, after everything else; it needs model and key."
    )
    program: str = _f("", "Absolute path of codex or claude, if it is not on the PATH.")
    program_env: tuple[str, ...] = _f(
        (), "Names of environment variables that codex or claude gets as well, such as ANTHROPIC_BASE_URL."
    )
    codex_config: tuple[str, ...] = _f((), "Settings for codex as key=value; its own config.toml is not read here.")
    timeout_seconds: float = _f(60.0, "An answer that takes longer is done without.", least=1.0, most=600.0)
    daily_tokens: int = _f(
        200_000, "At most so many tokens a day (UTC), prompts and answers; then it is not asked.", least=0, most=10**9
    )
    daily_usd: float = _f(
        1.0,
        "At most so many dollars a day (UTC), where cost is reported: by claude and OpenRouter. A subscription is not "
        "billed by it; claude reports what the tokens would have cost.",
        least=0.0,
        most=100_000.0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TendSettings:
    """[tend] How the garden is tended."""

    sweep_hours: int = _f(24, "Hours between two sweeps by themselves.", least=1, most=8760)
    full_days: int = _f(7, "Days between two full passes: consolidation and clusters.", least=1, most=365)
    fading_days: int = _f(
        90, "A memory not used for so long fades; up to four times later while its project rests.", least=1, most=36_500
    )
    stale_days: int = _f(
        180, "A fading memory not used for so long, and hardly believed, is archived.", least=1, most=36_500
    )
    season_days: int = _f(
        30, "What holds only in a season is archived so long after it was last confirmed.", least=1, most=3650
    )
    loss_percent: float = _f(
        15.0, "A run that would archive more of a scope than this stops and asks.", least=0.0, most=100.0
    )
    merge_cosine: float = _f(0.95, "How near two memories must be in meaning to be merged.", least=0.5, most=1.0)
    links_max: int = _f(8, "At most so many links of one memory are made by tending.", least=0, most=100)
    gap_days: int = _f(60, "A gap not met again for so long is dropped.", least=1, most=3650)
    log_runs: int = _f(100, "How many runs the log keeps.", least=1, most=10_000)
    mind_questions: int = _f(20, "At most so many questions of one run are put to the mind.", least=0, most=10_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetySettings:
    """[safety] What an agent of nightgarden may do by itself. Rules name a command by its first words, such as
    "make test", or with a folder: "/srv/app: make test"."""

    proactive: bool = _f(False, "Allow work on code, not only on the garden.", project="off")
    always_allow: tuple[str, ...] = _f((), "Commands to allow without asking.", project="fewer")
    always_ask: tuple[str, ...] = _f((), "Commands to ask about always.", project="more")
    allowed_remotes: tuple[str, ...] = _f((), "Git remotes that need no question.", project="fewer")
    lifted_rules: tuple[str, ...] = _f((), "Rules that deny, by id, which shall only ask.", project="fewer")
    shared_branches: tuple[str, ...] = _f(
        ("main", "master", "develop", "trunk", "production", "staging", "release*"),
        "Branches whose history is not rewritten.",
        project="more",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings, one section a field."""

    garden: GardenSettings = GardenSettings()
    project: ProjectSettings = ProjectSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    classifier: ClassifierSettings = ClassifierSettings()
    remember: RememberSettings = RememberSettings()
    recall: RecallSettings = RecallSettings()
    turn: TurnSettings = TurnSettings()
    guard: GuardSettings = GuardSettings()
    sessions: SessionSettings = SessionSettings()
    daemon: DaemonSettings = DaemonSettings()
    mind: MindSettings = MindSettings()
    tend: TendSettings = TendSettings()
    safety: SafetySettings = SafetySettings()


def data_folder(env: Mapping[str, str]) -> Path:
    """Where users' data lives: NIGHTGARDEN_HOME, else the platform's data folder."""
    return Path(home.data_folder(env))


def garden_address(settings: Settings, env: Mapping[str, str]) -> str:
    """The garden that the settings name: a path or a postgresql:// address."""
    return settings.garden.url or str(data_folder(env) / "garden.db")


def user_file(env: Mapping[str, str]) -> Path:
    """The user's settings file: in NIGHTGARDEN_HOME if that is elsewhere, else in the platform's configuration folder.

    A daemon is told its data folder that way also when it is the usual one, and must read the same file as others.
    """
    usual = home.data_folder({name: value for name, value in env.items() if name != "NIGHTGARDEN_HOME"})
    if home.data_folder(env) != usual or sys.platform in ("darwin", "win32"):
        return data_folder(env) / "config.toml"
    return Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "nightgarden" / "config.toml"


def load_settings(
    directory: Path | None = None, env: Mapping[str, str] | None = None, *, project: bool = True
) -> Settings:
    """Reads all sources. Raises BadSetting for the user's own, naming the source, the key and what is allowed; what is
    wrong in a project's file is left out, see `settings_problems`. Without `project` that file is not looked for."""
    return _load(find_project_file(directory) if project else None, os.environ if env is None else env)[0]


def settings_problems(directory: Path | None = None, env: Mapping[str, str] | None = None) -> list[str]:
    """What was left out of the project's file, one sentence each. Raises BadSetting for the user's own sources."""
    return _load(find_project_file(directory), os.environ if env is None else env)[1]


def _load(file: ProjectFile | None, env: Mapping[str, str]) -> tuple[Settings, list[str]]:
    values: dict[str, dict[str, Any]] = {}
    if (users := user_file(env)).is_file():
        for section, keys in _read_file(users).items():
            values.setdefault(section, {}).update(_checked(str(users), section, keys))
    problems: list[str] = []
    if file is not None:
        problems += file.problems
        for section, keys in file.values.items():
            _narrow(str(file.path), section, keys, values, problems)
    for section, keys in _read_env(env).items():
        values.setdefault(section, {}).update(_checked("the environment", section, keys))
    hints = _hints(Settings)
    return Settings(**{section: hints[section](**keys) for section, keys in values.items()}), problems


def _narrow(source: str, section: str, keys: Any, values: dict[str, dict[str, Any]], problems: list[str]) -> None:
    """Takes over what a project's file may say about one section; what it may not goes to the problems."""
    try:
        _checked(source, section, {} if isinstance(keys, dict) else keys)
    except BadSetting as error:
        problems.append(str(error))
        return
    kind = _hints(Settings)[section]
    for key, value in keys.items():
        try:
            wanted = _checked(source, section, {key: value})[key]
        except BadSetting as error:
            problems.append(str(error))
            continue
        declared = next(f for f in fields(kind) if f.name == key)
        way: Narrowing = declared.metadata["project"]
        current = values.get(section, {}).get(key, declared.default)
        if way == "here":
            continue  # read by scope.py, together with the place that says it
        if way == "never":
            problems.append(f"{source}: {section}.{key} cannot be set by a project; it was left out.")
        elif way == "more":
            values.setdefault(section, {})[key] = tuple(dict.fromkeys((*current, *wanted)))
        elif wanted != current and not narrows(way, current, wanted):
            limit = {"off": "switch it off", "fewer": "take away from it"}.get(way, f"set it {way}")
            problems.append(f"{source}: {section}.{key} = {value!r} was left out: a project may only {limit}.")
        else:
            values.setdefault(section, {})[key] = wanted


@cache
def _hints(kind: type) -> dict[str, Any]:
    """Read once: a daemon looks at the settings at every prompt, and this was half the time."""
    return get_type_hints(kind)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_small(path.resolve()).text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadSetting(f"{path}: not valid TOML ({error}). Fix the file or move it away.") from error
    except OSError as error:
        raise BadSetting(f"{path}: cannot be read ({error.strerror or error}).") from error


def _read_env(env: Mapping[str, str]) -> dict[str, Any]:
    """`NIGHTGARDEN_SECTION_KEY` for known sections; other variables with our prefix belong to other parts."""
    sections = {f.name for f in fields(Settings)}
    found: dict[str, Any] = {}
    for name, text in env.items():
        section, _, key = name.removeprefix(ENV_PREFIX).lower().partition("_")
        if name.startswith(ENV_PREFIX) and section in sections and key:
            found.setdefault(section, {})[key] = FromEnv(text)
    return found


def check_values(source: str, section: str, values: dict[str, Any]) -> dict[str, Any]:
    """The values as a settings file could hold them. Raises BadSetting, naming the key and what is allowed."""
    return _checked(source, section, values)


def _checked(source: str, section: str, keys: Any) -> dict[str, Any]:
    hints = _hints(Settings)
    if section not in hints:
        raise BadSetting(f"{source}: unknown section [{section}]; known are {', '.join(hints)}.")
    if not isinstance(keys, dict):
        raise BadSetting(f"{source}: [{section}] must be a table of keys.")
    known = {f.name: f for f in fields(hints[section])}
    types_ = _hints(hints[section])
    checked = {}
    for key, value in keys.items():
        if key not in known:
            raise BadSetting(f"{source}: unknown key {section}.{key}; known are {', '.join(known)}.")
        try:
            checked[key] = read_value(value, types_[key], known[key].metadata)
        except ValueError as error:
            raise BadSetting(f"{source}: {section}.{key} = {value!r} is not allowed; it must be {error}.") from error
    return checked
