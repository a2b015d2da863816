"""Shell text to its tree. Pure; each character is looked at a bounded number of times, nesting is bounded.

Knows the grammar that bash, dash and zsh share,
    in the measure that matters for which commands run: conditions and loops
are read as the commands in them. Does not know csh, fish or PowerShell.
"""

from __future__ import annotations

from dataclasses import dataclass

from nightgarden.safety.shell.tree import (
    Assignment,
    CommandGroup,
    Function,
    Literal,
    Loop,
    Node,
    Opaque,
    Part,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Word,
)
from nightgarden.safety.shell.words import BLANK, DEPTH_MAX, ENDS_WORD, NAME, NotShell, Words

_OPENING = frozenset("if then else elif do while until ! time coproc".split())
_CLOSING = frozenset("fi done esac".split())


def parse(text: str) -> Script:
    """The tree. Raises NotShell."""
    parser = _Parser(text)
    script = parser.script("")
    if parser.at < len(text):
        raise NotShell("there is a closing bracket too many")
    return script


@dataclass(slots=True)
class _Parser(Words):
    def inside(self, text: str) -> _Parser:
        return _Parser(text, depth=self.depth + 1)

    # -- scripts ---------------------------------------------------------------------------------------------------
    def script(self, until: str) -> Script:
        """Everything up to `until` (")", "}" or ";;"), which is not taken; to the end when it is empty."""
        self.depth += 1
        if self.depth > DEPTH_MAX:
            raise NotShell("it is nested too deeply")
        lines: list[Pipeline] = []
        while True:
            self._skip_separators()
            if self.at >= len(self.text):
                if until:
                    raise NotShell(f"a closing {until} is missing")
                break
            if self._ends(until) or (not until and self.text[self.at] == ")"):
                break
            began = self.at
            lines.append(self._pipeline(until))
            if self.at == began:
                raise NotShell(f"{self.text[self.at]!r} stands where a command was expected")
        self.depth -= 1
        return tuple(lines)

    def _ends(self, until: str) -> bool:
        if until == ";;":
            return self.text.startswith(";;", self.at) or self._peek_word() == "esac"
        if until == "}":
            return self.text[self.at] == "}" and self._peek_word() == "}"
        return bool(until) and self.text.startswith(until, self.at)

    def _skip_separators(self) -> None:
        """Blanks, ends of lines (with the here-documents due there), `;`, `&`, and comments. Never `;;`."""
        while self.at < len(self.text):
            c = self.text[self.at]
            if self.text.startswith("\\\n", self.at):
                self.at += 2
            elif c == "\n":
                self._newline()
            elif c == "#":
                self._comment()
            elif (
                (c in "|&" and not self.text.startswith("&>", self.at))
                or c in BLANK
                or (c == ";" and not self.text.startswith(";;", self.at))
            ):
                self.at += 1
            else:
                return

    def _comment(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def _newline(self) -> None:
        self.at += 1
        waiting, self.heredocs = self.heredocs, []
        for delimiter, literal, tabs, into in waiting:
            lines = []
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end]
                self.at = min(end + 1, len(self.text))
                line = line.lstrip("\t") if tabs else line
                if line.rstrip("\r") == delimiter:
                    break
                lines.append(line + "\n")
            body = "".join(lines)
            into += [Literal(body, True)] if literal else self.inside(body).quoted_text("")

    def _peek_word(self) -> str:
        """The plain word that stands here, not taken; empty when it is quoted or expanded."""
        end = self.at
        while end < len(self.text) and self.text[end] not in ENDS_WORD and end - self.at < 64:
            end += 1
        return self.text[self.at : end]

    def _pipeline(self, until: str) -> Pipeline:
        nodes = [self._node()]
        while True:
            self.blanks()
            if not self.text.startswith("|", self.at) or self.text.startswith("||", self.at):
                return tuple(nodes)
            self.at += 2 if self.text.startswith("|&", self.at) else 1
            while self.at < len(self.text) and self.text[self.at] in " \t\r\n#":
                if self.text[self.at] == "\n":
                    self._newline()
                elif self.text[self.at] == "#":
                    self._comment()
                else:
                    self.at += 1
            if self.at >= len(self.text) or self._ends(until):
                return tuple(nodes)
            nodes.append(self._node())

    # -- commands --------------------------------------------------------------------------------------------------
    def _node(self) -> Node:
        self._pass_over()
        if self.text.startswith("((", self.at) and (inner := self.arithmetic(never=";'\"")) is not None:
            return Simple(words=((Literal(":"),), (Opaque(tuple(inner)),)))
        if self.text.startswith("(", self.at):
            return self._group(")", subshell=True)
        match self._peek_word():
            case "{":
                return self._group("}", subshell=False)
            case "case":
                return self._case()
            case "for" | "select":
                return self._loop()
            case "[[":
                return self._test()
            case "function":
                self._take_plain()
                return self._function(self._take_plain())
        return self._simple()

    def _pass_over(self) -> None:
        """Words such as `if` and `do`, after which another command begins."""
        while (word := self._peek_word()) in _OPENING or word in _CLOSING:
            self._take_plain()
            if word in _CLOSING:
                return
            while word == "time" and self._peek_word() in ("-p", "--"):
                self._take_plain()
            self.blanks()
            if self.at < len(self.text) and self.text[self.at] in ";\n&|#":
                self._skip_separators()

    def _take_plain(self) -> str:
        word = self._peek_word()
        self.at += len(word)
        self.blanks()
        return word

    def _group(self, end: str, *, subshell: bool) -> Node:
        self.at += 1
        body = self.script(end)
        self.at += 1
        self.blanks()
        after = self._simple()  # its redirections
        if not isinstance(after, Simple) or after.words or after.assignments:
            raise NotShell("a word follows a closing bracket")
        return CommandGroup(body=body, redirects=after.redirects, subshell=subshell)

    def _function(self, name: str) -> Node:
        self.blanks()
        if self.text.startswith("(", self.at):
            self.at = self.text.find(")", self.at) + 1 or len(self.text)
        self._skip_separators()
        if self.at >= len(self.text):
            raise NotShell("a function has no body")
        return Function(name=name, body=((self._node(),),))

    def _case(self) -> Node:
        self._take_plain()
        subject = self.word()
        self._skip_separators()
        if self._take_plain() != "in":
            raise NotShell("a case has no arms")
        arms: list[Pipeline] = [(Simple(words=((Literal(":"),), subject)),)]
        while True:
            self._skip_separators()
            while self.text.startswith(";", self.at):
                self.at += 1
                self._skip_separators()
            if self.at >= len(self.text):
                raise NotShell("esac is missing")
            if self._peek_word() == "esac":
                self._take_plain()
                return CommandGroup(body=tuple(arms))
            self.skip_pattern()
            arms += self.script(";;")

    def _loop(self) -> Node:
        self._take_plain()
        if self.text.startswith("((", self.at) and (inner := self.arithmetic()) is not None:
            return Loop(name="", words=((Opaque(tuple(inner)),),))
        name, words = self._take_plain(), []
        if self._peek_word() == "in":
            self._take_plain()
            while self.at < len(self.text) and self.text[self.at] not in ";\n":
                if self.text[self.at] in ENDS_WORD - {" ", "\t"}:
                    raise NotShell("a loop is not read")
                words.append(self.word())
                self.blanks()
        return Loop(name=name, words=tuple(words))

    def _test(self) -> Node:
        """`[[ … ]]`: its words, with operators among them."""
        self._take_plain()
        words: list[Word] = [(Literal("[["),)]
        while self._peek_word() != "]]":
            if self.at >= len(self.text):
                raise NotShell("]] is missing")
            if self.text[self.at] in ENDS_WORD:
                self.at += 1
            else:
                words.append(self.word())
        self._take_plain()
        return Simple(words=tuple(words))

    def _simple(self) -> Node:
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self.blanks()
            if self.at >= len(self.text):
                break
            if (redirect := self._redirect()) is not None:
                redirects.append(redirect)
                continue
            c = self.text[self.at]
            if c == "(" and len(words) == 1 and not redirects:
                return self._function(_plain(words[0]))
            if c in "\n;&|()" or (c == "#"):
                if c == "#":
                    self._comment()
                break
            if not words and (assigned := self._assignment()) is not None:
                assignments.append(assigned)
                continue
            words.append(self.word())
        return Simple(assignments=tuple(assignments), words=tuple(words), redirects=tuple(redirects))

    def _assignment(self) -> Assignment | None:
        end = self.at
        while end < len(self.text) and self.text[end] in NAME:
            end += 1
        if self.at < end < len(self.text) and self.text[end] == "[":  # without a name it is the command `[`
            end = self.text.find("]", end, end + 200) + 1 or len(self.text)
            if "$(" in self.text[self.at : end] or "`" in self.text[self.at : end]:
                raise NotShell("an index is not read")
        append = self.text.startswith("+=", end)
        if end == self.at or self.text[self.at].isdigit() or not (append or self.text.startswith("=", end)):
            return None
        name = self.text[self.at : end].partition("[")[0]
        self.at = end + (2 if append else 1)
        if not self.text.startswith("(", self.at):
            value = self.word() if self.at < len(self.text) and self.text[self.at] not in ENDS_WORD else ()
            return Assignment(name=name, values=(value,), append=append)
        self.at += 1
        values: list[Word] = []
        while True:
            self._skip_separators()
            if self.at >= len(self.text):
                raise NotShell("a closing ) is missing")
            if self.text[self.at] == ")":
                self.at += 1
                return Assignment(name=name, values=tuple(values), array=True, append=append)
            if self.text[self.at] in ENDS_WORD:
                raise NotShell("a list of values is not read")
            values.append(self.word())

    def _redirect(self) -> Redirect | None:
        start = self.at
        while start < len(self.text) and self.text[start].isdigit() and start - self.at < 4:
            start += 1
        start = start + 1 if self.text.startswith(("&>", "&<"), start) else start
        if start >= len(self.text) or self.text[start] not in "<>" or self.text.startswith(("<(", ">("), start):
            return None
        for operator in ("<<<", "<<-", "<<", "<>", "<&", ">>", ">&", ">|", "<", ">"):
            if self.text.startswith(operator, start):
                break
        self.at = start + len(operator)
        self.blanks()
        if operator in ("<<", "<<-"):
            return self._heredoc(tabs=operator == "<<-")
        if self.at >= len(self.text) or (self.text[self.at] in ENDS_WORD and not self.at_process()):
            raise NotShell("a redirection has no target")
        target = self.word()
        if operator in ("<&", ">&"):
            plain = _plain(target)
            if plain.rstrip("-").isdigit() or plain == "-":
                return Redirect(operator=operator, target=())
            operator = operator[0]
        return Redirect(operator=">" if operator == ">|" else operator, target=target)

    def _heredoc(self, *, tabs: bool) -> Redirect:
        raw = self._peek_word()
        self.at += len(raw)
        if not raw:
            raise NotShell("a here-document has no end word")
        literal = any(mark in raw for mark in "'\"\\")
        delimiter = raw.replace("'", "").replace('"', "").replace("\\", "")
        body: list[Part] = []
        self.heredocs.append((delimiter, literal, tabs, body))
        return Redirect(operator="<<", target=body)  # filled when the line ends


def _plain(word: Word) -> str:
    return "".join(part.text for part in word if isinstance(part, Literal))
