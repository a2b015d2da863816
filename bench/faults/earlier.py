"""Defects that an earlier version had (commit 6aebf6d), the test that finds each, and what that test saw there.

The tests drive commands, MCP and files alone, so that they run on any version: copy `tests/faults/outside.py` and
`tests/faults/test_from_outside.py` into a checkout of it.
"""

from __future__ import annotations

DEFECTS = (
    (
        "opening a client in a cloned repository ran modules of that repository",
        "test_modules_of_a_cloned_repository_do_not_run_in_the_mcp_server_or_the_daemon",
        "the module ran",
    ),
    ("a Markdown table hung `remember`", "test_a_table_does_not_hang_remember", "no answer within 60 s"),
    (
        "tending copied secrets and orders out of project files into trusted memories",
        "test_tending_copies_no_secret_and_no_order_out_of_a_file",
        "both stood in memories",
    ),
    (
        "one damaged record cost others when it was repaired",
        "test_one_damaged_record_costs_no_other",
        "3 of 12 memories left",
    ),
    (
        "a repository's settings claimed to be another project",
        "test_a_repository_cannot_claim_to_be_another_project",
        "the other project's memory was listed",
    ),
    (
        "a repository's settings lifted what its user forbids",
        "test_a_repository_cannot_lift_what_its_user_forbids",
        "the mail address was stored",
    ),
    (
        "an error in a repository's settings stopped everything there",
        "test_an_error_in_a_repositorys_settings_stops_nothing",
        "`remember` ended with 2",
    ),
    (
        "a hostile `.git` folder ran commands through git",
        "test_a_hostile_git_folder_runs_no_command",
        "the command ran",
    ),
    (
        "the bearer token stood in a file that others can read",
        "test_what_holds_the_token_is_for_its_owner_alone",
        "`hooks.json` was readable by all",
    ),
    (
        "a trigger pattern made to explode stopped recall",
        "test_a_trigger_made_to_explode_does_not_hang_recall",
        "no answer within 60 s",
    ),
    (
        "an ignore file made to explode stopped `remember`",
        "test_an_ignore_file_made_to_explode_does_not_hang_remember",
        "no answer within 60 s",
    ),
    (
        "a deeply nested manifest ended tending for all projects",
        "test_a_manifest_nested_without_end_does_not_end_tending",
        "a traceback",
    ),
    (
        "a purge killed after its commit was never finished",
        "test_a_purge_killed_after_its_commit_is_finished",
        "killed before the index of words was cleaned: the word stayed in `garden.db`; killed later it passed",
    ),
    (
        "a restore or repair killed between two renames left an empty garden",
        "test_killed_between_two_renames_it_leaves_every_memory",
        "restore killed before the second rename: memories missing; repair failed before any rename",
    ),
    (
        "a copy to another store could not be gone on with",
        "test_a_copy_to_another_store_killed_while_it_is_compared_can_be_run_again",
        '"holds another garden already"',
    ),
    (
        "secrets came in beside the text: tag, context, trigger, reason, file",
        "test_a_secret_beside_the_text_is_not_stored",
        "stored, in all five",
    ),
    ("secrets came in by an import", "test_a_secret_in_an_import_is_not_stored", "stored"),
    (
        "an agent's word was taken for the user's",
        "test_an_agent_cannot_claim_to_be_the_user",
        "stored as stated by the user",
    ),
    (
        "background work removed old passages for good",
        "test_passages_past_their_age_come_back_when_the_cycle_is_undone",
        "not found any more",
    ),
    (
        "an older daemon went on writing into a garden that a newer program had migrated",
        "test_a_daemon_does_not_write_into_a_garden_that_a_newer_program_migrated",
        "it wrote",
    ),
    (
        "memories stood in files and folders that others can read",
        "test_what_holds_memories_is_for_its_owner_alone",
        "the data folder was open to all",
    ),
)


def table() -> str:
    rows = "\n".join(f"| {defect} | `{test}` | {seen} |" for defect, test, seen in DEFECTS)
    return f"""## Defects of an earlier version

Each of these tests (`tests/faults/test_from_outside.py`) drives commands, MCP and files alone, so that it runs on any
version. All pass today; each was run on commit 6aebf6d for comparison, and failed there as the last column says.

| defect | test | there |
|---|---|---|
{rows}
"""
