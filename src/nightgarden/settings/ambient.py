"""[ambient]: the agent that works in the background."""

from __future__ import annotations

from dataclasses import dataclass

from nightgarden.settings.declare import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbientSettings:
    """[ambient] The agent that works in the background."""

    enabled: bool = setting(False, "Let it run by itself. Off, the daemon only tends the garden.", project="off")
    provider: str = setting("", "Which kind of mind it asks; empty takes the one of [mind].")
    model: str = setting("", "Name of the model there; empty takes the one of [mind].")
    allow_api_keys: bool = setting(False, "Let it use a mind that is paid by the token.", project="off")
    api_daily_budget: int = setting(
        100_000, "At most so many tokens a day (UTC) with such a mind.", project="lower", least=0, most=10**9
    )
    min_interval_minutes: int = setting(
        5, "Minutes between two cycles, at least.", project="higher", least=1, most=1440
    )
    max_interval_minutes: int = setting(120, "Minutes between two cycles, at most.", least=1, most=10_080)
    pause_on_active_session: bool = setting(True, "Wait while you work with an agent.")
    proactive_work: bool = setting(True, "Let it prepare changes of code, once it has earned that.", project="off")
    work_branch_prefix: str = setting("ambient/", "How names of branches with its work begin.")
    idle_minutes: int = setting(
        15, "You count as working until so long after your last turn.", project="higher", least=1, most=1440
    )
    cycle_tokens: int = setting(
        100_000, "At most so many tokens in one cycle.", project="lower", least=1000, most=10**8
    )
    context_tokens: int = setting(
        128_000,
        "How much its model holds at once; at four fifths the conversation is compacted.",
        least=4000,
        most=10**8,
    )
    cycle_steps: int = setting(
        60, "At most so many answers of the model in one cycle.", project="lower", least=1, most=1000
    )
    cycle_minutes: int = setting(20, "At most so long for one cycle.", project="lower", least=1, most=600)
    warmup_cycles: int = setting(
        5, "So many complete cycles before it may work on code.", project="higher", least=0, most=1000
    )
    warmup_approved: int = setting(
        1,
        "Of which you approved so many: `ambient trust CYCLE`, or by granting a request.",
        project="higher",
        least=0,
        most=1000,
    )
    baseline_cycles: int = setting(
        2, "The first so many cycles ask no mind: they only learn how much you use.", least=0, most=1000
    )
    diff_lines_max: int = setting(
        200, "A change of code has at most so many lines.", project="lower", least=1, most=10**6
    )
    diff_files_max: int = setting(
        8, "A change of code touches at most so many files.", project="lower", least=1, most=10**6
    )
    test_command: str = setting(
        "", "How the tests of your projects are run; empty finds out (make test, pytest, npm …)."
    )
    forge_api: str = setting("", "Address of a forge's API that opens pull requests; empty uses your own `gh`.")
    forge_token_env: str = setting("", "Environment variable that holds the token for it.")
    start_sessions: bool = setting(
        False, "Let due tasks resume or start a session of your client; off, you are told of them instead."
    )
    lease_seconds: int = setting(
        120, "Another machine takes over when the one that runs gave no sign for so long.", least=10, most=3600
    )
    log_cycles: int = setting(200, "How many cycles the log keeps.", least=10, most=10_000)
