"""Whatever bytes come in over HTTP, the server says what is wrong or that it has nothing to say, and goes on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from nightgarden.machine.clock import SystemClock
from nightgarden.surfaces.daemon.background import BackgroundRunner
from nightgarden.surfaces.daemon.desk import Desk
from nightgarden.surfaces.daemon.gardens import Gardens
from nightgarden.surfaces.http.server import HttpServer

TOKEN = "a-token-for-tests"
ANSWER = re.compile(rb"HTTP/1\.1 (\d{3}) [^\r\n]*\r\n")
METHODS = st.sampled_from([b"GET", b"POST", b"HEAD", b"G\x00T", b"get", b"\xff", b"OPTIONS"])
TARGETS = st.sampled_from([b"/", b"//[", b"/api/v1/recall", b"/mcp", b"/changes", b"/%ff%00", b"*", b"http://[::"])
TARGETS |= st.binary(max_size=40)
HEADERS = st.sampled_from(
    [
        b"Host: 127.0.0.1:1",
        b"Host: ",
        b"Content-Length: 5",
        "Content-Length: ²".encode(),
        b"Content-Length: -1",
        b"Content-Length: 99999999999999999999",
        b"Transfer-Encoding: chunked",
        b"Transfer-Encoding: gzip",
        b"Expect: 100-continue",
        b"Origin: null",
        b"Authorization: Bearer x",
        b"Connection: close",
        b" folded",
        b"no colon",
        b": no name",
    ]
)
HEADERS |= st.binary(max_size=30)
BODIES = st.binary(max_size=60) | st.sampled_from([b"5\r\nhello\r\n0\r\n\r\n", b"zz\r\n", b'{"query": "x"}', b"[" * 50])


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    head = (
        draw(METHODS) + b" " + draw(TARGETS) + b" " + draw(st.sampled_from([b"HTTP/1.1", b"HTTP/1.0", b"HTTP/9", b""]))
    )
    return b"\r\n".join([head, *draw(st.lists(HEADERS, max_size=5)), b"", b""]) + draw(BODIES)


def served(home: Path, talk: Callable[[HttpServer, Desk], Awaitable[None]]) -> None:
    """Runs a server on a garden of its own, and talks to it."""

    async def run() -> None:
        gardens = Gardens({"NIGHTGARDEN_HOME": str(home), "NIGHTGARDEN_EMBEDDING_MODEL": "off"})
        clock = SystemClock()
        desk = Desk(gardens, BackgroundRunner((), clock), started_at=clock.now(), stop=lambda: None)
        strays: list[dict[str, object]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: strays.append(context))
        server = HttpServer(desk, TOKEN)
        await server.listen(0, kept=0)
        try:
            await talk(server, desk)
        finally:
            await server.close()
            await gardens.close()
        assert strays == []

    asyncio.run(run())


async def send(server: HttpServer, data: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(data)
    writer.write_eof()
    async with asyncio.timeout(30):
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example([b"HEAD ! HTTP/0.0\n\n", b"HEAD / HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n"])
@given(st.lists(st.binary(max_size=200) | requests(), min_size=1, max_size=8))
def test_any_bytes_are_answered_or_left_and_never_a_fault(tmp_path: Path, sent: list[bytes]) -> None:
    async def talk(server: HttpServer, desk: Desk) -> None:
        for data in sent:
            answer = await send(server, data)
            if answer:
                assert (found := ANSWER.match(answer)) is not None
                assert 100 <= int(found[1]) < 500 or int(found[1]) == 501  # a coding that h11 does not know
            elif b"\r\n\r\n" in data.lstrip(b"\r\n"):
                raise AssertionError(f"a whole head without an answer: {data!r}")
        assert (await desk.status())["faults"] == 0

    served(tmp_path, talk)


def test_what_is_malformed_gets_a_400_and_is_counted(tmp_path: Path) -> None:
    async def talk(server: HttpServer, desk: Desk) -> None:
        wrong = (
            b"GET //[ HTTP/1.1\r\nHost: x\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ²\r\n\r\n".encode(),
            b"nonsense\r\n\r\n",
            b"GET / HTTP/1.1\r\n\r\n",
        )
        for data in wrong:
            assert (await send(server, data)).startswith(b"HTTP/1.1 400 "), data
        assert (await desk.status())["malformed"] == len(wrong)

    served(tmp_path, talk)


def test_a_client_that_waits_for_100_continue_and_one_that_sends_chunks_are_served(tmp_path: Path) -> None:
    async def talk(server: HttpServer, desk: Desk) -> None:
        head = f"POST /api/v1/tags HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
        head += "Content-Type: application/json\r\nConnection: close\r\n"
        waiting = head + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        answer = await send(server, waiting.encode() + b"{}")
        assert b"HTTP/1.1 200 OK" in answer
        chunked = head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
        assert (await send(server, chunked.encode())).startswith(b"HTTP/1.1 200 OK")

    served(tmp_path, talk)


def test_changes_come_as_server_sent_events(tmp_path: Path) -> None:
    async def talk(server: HttpServer, desk: Desk) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        head = f"GET /changes?after= HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        writer.write(head.encode())
        async with asyncio.timeout(60):
            while b": connected" not in await reader.readline():
                pass
            garden = await desk.gardens.home()
            saved = await garden.remember("The roses are watered at six")
            lines = []
            while not any(b"data: " in line for line in lines):
                lines.append(await reader.readline())
        assert any(b"event: change" in line for line in lines)
        assert any(str(saved.id).encode() in line for line in lines)
        writer.close()
        await writer.wait_closed()

    served(tmp_path, talk)
