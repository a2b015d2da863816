"""What client and daemon say to each other: one JSON object a line, requests one way, answers the other.

Request:
    {"id": 7, "op": "recall", "arguments": {"query": "which port?"}, "directory": "/home/ann/shop",
     "env": {"NIGHTGARDEN_RECALL_LIMIT": "5"}, "deadline_ms": 80, "token": "…"}
`op` names an operation (surfaces/operations/registry.py, or one of OWN below); the rest may be left out. `directory`
decides the project, as everywhere; for `hook` the event's own `cwd` goes before it. `env` holds the caller's
NIGHTGARDEN_ variables. After `deadline_ms` the daemon gives up and says DaemonSlow. `token` is needed over TCP only
(Windows); a Unix socket is private by its folder. The command line adds "for_user": true: it speaks for its user, and
is told RunLocally where it had better open the garden itself. Whoever can write that here can run the command line.

Answer, one a request, in the order in which they are ready (match them by id):
    {"id": 7, "ok": true, "result": {…}, "took_ms": 3.1}
    {"id": 7, "ok": false, "error": {"kind": "NotFound", "message": "there is no memory …"}}
`kind` is the name of a class in nightgarden/errors.py, or "Internal" for a fault of ours (counted, shown in `status`).
A "damaged" beside the result is the number of records that were left out because they could not be read.

Hooks, which cannot wait for a JSON parser to be imported, ask for `hook` with "plain": true, and bring the event, as
the client wrote it, in one text, `raw`, instead of `data`; what is to be printed then comes as bytes after a line with
their number ("plain 312"). Anything but success is answered in JSON as usual.

Files of the daemon, all in `daemon/` in the data folder (0700), all 0600:
    lock          held with a kernel lock while a daemon lives; its text is the holder's process id
    address.json  {"pid", "socket" or "tcp": [host, port], "http": "http://127.0.0.1:N"/null, "version", "started_at"}
    token         secret of the HTTP server (and of TCP); made once, kept over restarts so that clients may store it
    port          the HTTP port, kept over restarts for the same reason
    log, log.1 …  what it did
`spool/` in the data folder holds events that could not be delivered: see surfaces/client.py, `spool`.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs hooks 4 ms
if TYPE_CHECKING:
    from typing import Any

LINE_BYTES_MAX = 8 * 1024 * 1024  # the longest message; a turn's prompt with a pasted file is far below. Taste
FOLDER = "daemon"
LOCK, ADDRESS, TOKEN, PORT, LOG = "lock", "address.json", "token", "port", "log"
# Operations of the daemon itself, beside those on a garden.
OWN = ("ping", "status", "stop", "spooled")
PLAIN = b"plain "  # what an answer in bytes begins with; their number and a line's end follow


def encode(message: dict[str, Any], *, halves: str = "replace") -> bytes:
    """One line. Half a character cannot be printed and is replaced; a request passes it on ("surrogatepass"), because
    Python writes the bytes of a path that is not UTF-8 that way, and the path must stay the same."""
    import json  # 14 ms, which a hook on its usual way does without

    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", halves) + b"\n"


def encode_plain(answer: dict[str, Any]) -> bytes:
    """For a hook: its text alone, if there is one to print or to keep silent with."""
    if not answer.get("ok"):
        return encode(answer)
    body = str(answer["result"]["stdout"]).encode("utf-8", "replace")
    return b"%b%d\n%b" % (PLAIN, len(body), body)


def quoted(text: bytes) -> bytes:
    """The inside of a JSON text, without `json`. What stays invalid in it (other control characters, bytes that are not
    UTF-8) is refused by whoever decodes it."""
    for mark, written in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r"), (b"\t", b"\\t")):
        text = text.replace(mark, written)
    return text


def read_raw(request: dict[str, Any]) -> None:
    """Puts the event that came as a text into its place. Raises ValueError when it is not one JSON object."""
    arguments = request.get("arguments")
    if isinstance(arguments, dict) and isinstance(arguments.get("raw"), str):
        arguments["data"] = decode(arguments.pop("raw").encode("utf-8", "replace"))


def decode(line: bytes) -> dict[str, Any]:
    """Raises ValueError for anything but one JSON object."""
    import json  # as above

    try:
        message = json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not isinstance(message, dict):
        raise ValueError("a message must be a JSON object")
    return message
