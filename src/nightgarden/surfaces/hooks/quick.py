"""Asking the daemon about an event in as few milliseconds as Python allows: no `json`, no `socket`, which take longer
to import than everything else together.

The event is passed on as a text in one field, so that nothing in it can become a part of the request; the answer comes
as bytes to print. Whatever is unusual (no daemon, settings in the environment, a path with quotes in it) is left to the
light client, which can do it all.
"""

from __future__ import annotations

import os

from nightgarden.machine.home import data_folder, working_directory
from nightgarden.surfaces.daemon.protocol import ADDRESS, FOLDER, PLAIN, quoted

_KEY = '"socket": "'
_UNUSUAL = ('"', "\\")


def ask_plainly(event: str, client: str, sent: bytes, *, deadline_ms: float) -> bytes | None:
    """What is to be printed; None where the light client has to ask. Raises TimeoutError."""
    path, directory = _socket_path(), working_directory()
    texts = (directory, event, client)
    unusual = any(mark in text or not text.isprintable() for text in texts for mark in _UNUSUAL)
    if path is None or unusual or not directory.isascii() or not sent.strip():
        return None
    request = (
        b'{"id":1,"op":"hook","plain":true,"deadline_ms":%d,"directory":"%b",'
        b'"arguments":{"client":"%b","event":"%b","raw":"%b"}}\n'
    ) % (
        deadline_ms,
        directory.encode("ascii"),
        client.encode(),
        event.encode(),
        quoted(sent.strip()),
    )
    answer = _exchange(path, request, deadline_ms)
    head, _, body = answer.partition(b"\n")
    return body if head.startswith(PLAIN) else None


def _socket_path() -> str | None:
    """Where the daemon listens; None when that cannot be told at a glance, or the caller has settings of its own."""
    usual = ("NIGHTGARDEN_HOME", "NIGHTGARDEN_HOOK_PATIENCE")
    if any(name.startswith("NIGHTGARDEN_") and name not in usual for name in os.environ):
        return None
    try:
        with open(os.path.join(data_folder(os.environ), FOLDER, ADDRESS), "rb") as file:
            text = file.read().decode("ascii")
    except (OSError, ValueError):
        return None
    path, end, _ = text.partition(_KEY)[2].partition('"')
    return path if path and end and "\\" not in path else None


def _exchange(path: str, request: bytes, deadline_ms: float) -> bytes:
    """The whole answer; empty when nobody is there or it breaks off. Raises TimeoutError."""
    import _socket  # what `socket` is made of; where it is missing, so is the Unix socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(deadline_ms / 1000)
        connection.connect(path)
        view = request
        while view:
            view = view[connection.send(view) :]
        answer, wanted = b"", None
        while wanted is None or len(answer) < wanted:
            piece = connection.recv(65536)
            if not piece:
                return b""
            answer += piece
            head, end, _ = answer.partition(b"\n")
            if end and wanted is None:
                if not head.startswith(PLAIN):
                    return answer
                wanted = len(head) + 1 + int(head[len(PLAIN) :])
        return answer
    except TimeoutError:
        raise
    except (OSError, ValueError):
        return b""
    finally:
        connection.close()
