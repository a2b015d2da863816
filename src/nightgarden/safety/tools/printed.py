"""What a few programs print, where that can be known without running them. Pure."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence

from nightgarden.safety.command_reading import UNKNOWN
from nightgarden.safety.shell.quotes import unescape
from nightgarden.safety.shell.state import Stream


def printed(name: str, args: Sequence[str], stdin: Stream) -> str | None:
    """Its output; None when it is not known."""
    match name:
        case "echo":
            return _echo(args)
        case "printf":
            return _printf(args)
        case "cat" if not args or list(args) == ["-"]:
            return stdin.text
        case "tee":
            return stdin.text
        case "rev" if not args and stdin.text is not None:
            return "\n".join(line[::-1] for line in stdin.text.split("\n"))
        case "base64" if stdin.text is not None and any(word in ("-d", "-D", "--decode", "-di") for word in args):
            return _decoded(base64.b64decode, stdin.text)
        case "xxd" if stdin.text is not None and any("r" in word for word in args if word.startswith("-")):
            return _decoded(binascii.unhexlify, stdin.text)
        case "which" if args and not args[-1].startswith("-"):
            return args[-1] + "\n"
        case ":" | "true" | "cd" | "export" | "set":
            return ""
    return None


def _decoded(decode: Callable[[bytes], bytes], text: str) -> str | None:
    if UNKNOWN in text:
        return None
    try:
        return decode("".join(text.split()).encode("ascii")).decode("utf-8", "replace")
    except (ValueError, binascii.Error, UnicodeEncodeError):
        return None


def _echo(args: Sequence[str]) -> str:
    words, escapes, end = list(args), False, "\n"
    while words and words[0][:1] == "-" and words[0][1:] and set(words[0][1:]) <= set("neE"):
        escapes = escapes or "e" in words[0]
        end = "" if "n" in words[0] else end
        words = words[1:]
    text = " ".join(words)
    return (unescape(text) if escapes else text) + end


def _printf(args: Sequence[str]) -> str | None:
    args = args[1:] if args[:1] == ["--"] or args[:1] == ("--",) else args
    if not args or args[0] == "-v":
        return None
    pieces = unescape(args[0].replace("%%", "\1")).split("%s")
    given = list(args[1:])
    if any("%" in piece for piece in pieces):
        return None
    made: list[str] = []
    while True:
        for number, piece in enumerate(pieces):
            made.append(piece)
            if number < len(pieces) - 1:
                made.append(given.pop(0) if given else "")
        if not given or len(pieces) == 1:
            return "".join(made).replace("\1", "%")
