"""HTTP on the loopback: REST as its OpenAPI says, and closed to web pages, strangers and nonsense."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from openapi_spec_validator import validate

from nightgarden.surfaces import client
from nightgarden.surfaces.operations.registry import OPERATIONS
from tests.runtime.running import Home

JSON = "application/json"


class Site:
    """The daemon's HTTP server, asked as the owner unless told otherwise."""

    def __init__(self, home: Home) -> None:
        self.url = client.read_address(str(home.path))["http"]
        self.token = client.read_token(str(home.path))
        self.host = urlsplit(self.url).netloc
        self.directory = str(home.path)

    def ask(self, method: str, path: str, body: Any = None, **headers: str | None) -> tuple[int, Any, dict[str, str]]:
        sent: dict[str, str | None] = {
            "Authorization": f"Bearer {self.token}",
            "X-Nightgarden-Directory": self.directory,
            "Content-Type": JSON,
        }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.host, timeout=30)
        try:
            data = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else None
            connection.request(method, path, data, {name: value for name, value in sent.items() if value is not None})
            answer = connection.getresponse()
            text = answer.read()
            kind = answer.headers.get("Content-Type", "")
            shape = json.loads(text) if kind == JSON else text.decode()
            return answer.status, shape, {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()

    def raw(self, data: bytes) -> bytes:
        host, port = self.host.split(":")
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            return connection.makefile("rb").read()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = Home(tmp_path_factory.mktemp("http") / "home")
    home.start()
    yield Site(home)
    home.kill_all()


def test_rest_does_what_the_operations_do(site: Site) -> None:
    status, told, _ = site.ask("POST", "/api/v1/remember", {"text": "The staging database runs on port 5433"})
    assert (status, told["verdict"]) == (200, "saved")
    status, found, _ = site.ask("GET", "/api/v1/recall?query=staging+port&limit=3")
    assert (status, found["results"][0]["id"]) == (200, told["id"])
    assert site.ask("POST", "/api/v1/recall", {"query": "staging"})[1]["results"][0]["id"] == told["id"]
    assert site.ask("GET", "/api/v1/status")[1]["ok"] is True
    assert site.ask("GET", f"/api/v1/get?id={told['id']}")[1]["content"] == "The staging database runs on port 5433"


def test_the_openapi_document_is_valid_and_names_every_operation(site: Site) -> None:
    status, document, _ = site.ask("GET", "/openapi.json")
    assert status == 200
    validate(document)
    asked = [name for name, request in OPERATIONS.items() if not request.own_process_only]
    assert document["paths"].keys() == {f"/api/v1/{name}" for name in (*asked, "status")} | {"/changes"}
    answer = document["paths"]["/api/v1/recall"]["post"]["responses"]["200"]["content"][JSON]["schema"]
    assert {"query", "results", "took_ms", "missing", "texts"} <= set(answer["required"])


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/v1/nothing", {}, 404),
        ("GET", "/nothing", None, 404),
        ("GET", "/api/v1/remember?text=x", None, 405),
        ("DELETE", "/api/v1/list", None, 405),
        ("POST", "/api/v1/remember", {}, 400),
        ("POST", "/api/v1/recall", [1], 400),
        ("POST", "/api/v1/recall", b"{nonsense", 400),
        ("POST", "/api/v1/get", {"id": "nothing"}, 404),
        ("GET", "/mcp", None, 405),
    ],
)
def test_what_cannot_be_done_is_told_with_the_right_status(
    site: Site, method: str, path: str, body: Any, status: int
) -> None:
    answered, shape, _ = site.ask(method, path, body)
    assert answered == status
    assert shape["error"]["message"]


@pytest.mark.parametrize("path", ["/api/v1/list", "/openapi.json", "/mcp", "/anything"])
def test_nothing_is_told_without_the_token(site: Site, path: str) -> None:
    for wrong in (None, "Bearer wrong", "Bearer ", f"Basic {site.token}", f"bearer{site.token}"):
        assert site.ask("POST", path, {}, Authorization=wrong)[0] == 401
    assert site.ask("POST", path, {}, Authorization=None, Cookie="nightgarden=wrong")[0] == 401


def test_a_web_page_of_another_site_gets_nothing_even_with_the_token(site: Site) -> None:
    port = site.host.split(":")[1]
    for origin in (
        "http://evil.example",
        "null",
        "http://127.0.0.1",
        f"https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
    ):
        status, _, headers = site.ask("POST", "/api/v1/list", {}, Origin=origin)
        assert status == 403
        assert not any(name.startswith("access-control") for name in headers)
    assert site.ask("OPTIONS", "/api/v1/list", None, Origin="http://evil.example")[0] == 403
    assert site.ask("POST", "/api/v1/list", {}, Origin=site.url)[0] == 200
    assert site.ask("POST", "/api/v1/list", b"{}", Content_Type="text/plain")[0] == 415


def test_a_name_that_was_rebound_to_the_loopback_gets_nothing(site: Site) -> None:
    port = site.host.split(":")[1]
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1.evil.example:{port}", ""):
        assert site.ask("GET", "/", Host=host)[0] == 403
    assert site.ask("GET", "/", Host=f"localhost:{port}")[0] == 200


def test_the_dashboard_logs_in_with_the_token_and_goes_on_with_a_cookie_that_scripts_cannot_read(site: Site) -> None:
    status, page, headers = site.ask("GET", "/", Authorization=None)
    assert (status, "<title>" in page) == (200, True)
    assert "default-src 'none'" in headers["content-security-policy"]
    assert site.ask("POST", "/login", {"token": "wrong"}, Authorization=None)[0] == 403
    status, _, headers = site.ask("POST", "/login", {"token": site.token}, Authorization=None)
    cookie = headers["set-cookie"]
    assert status == 200
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert site.ask("POST", "/api/v1/list", {}, Authorization=None, Cookie=cookie.split(";")[0])[0] == 200


def test_a_program_with_the_token_is_an_agent_and_the_dashboard_is_the_user(site: Site) -> None:
    def ask(name: str, body: dict[str, Any], **headers: str | None) -> tuple[int, Any]:
        return site.ask("POST", f"/api/v1/{name}", body, **headers)[:2]

    session = site.ask("POST", "/login", {"token": site.token}, Authorization=None)[2]["set-cookie"].split(";")[0]
    logged_in = {"Authorization": None, "Cookie": session}
    said = {"text": "The printer stands on the third floor"}
    assert ask("remember", said | {"provenance": "user_stated"})[0] == 403
    assert ask("remember", said | {"pinned": True})[0] == 403
    assert ask("remember", said | {"actor": "user"})[0] == 400
    assert ask("remember", said)[1]["memory"]["provenance"] == "observed"
    users = ask("remember", {"text": "Cy waters the roses", "pinned": True}, **logged_in)[1]["memory"]
    assert (users["provenance"], users["tier"]) == ("user_stated", 1)
    assert ask("update", {"id": users["id"], "content": "Bo waters the roses"})[0] == 403
    assert ask("forget", {"id": users["id"]})[1]["flagged"] == "an agent asked to forget it"
    assert ask("settle_flag", {"id": users["id"], "decision": "drop"})[0] == 403
    assert ask("forget", {"id": users["id"]}, **logged_in)[1]["status"] == "archived"
    assert ask("restore", {"id": users["id"]})[0] == 403
    assert ask("restore", {"id": users["id"]}, **logged_in)[1]["status"] == "promoted"


def test_erasing_for_good_needs_the_login_and_the_typed_end_of_the_id_and_is_closed_to_the_token(site: Site) -> None:
    id = site.ask("POST", "/api/v1/remember", {"text": "The old greenhouse was sold in 2019"})[1]["id"]
    session = site.ask("POST", "/login", {"token": site.token}, Authorization=None)[2]["set-cookie"].split(";")[0]
    logged_in: dict[str, str | None] = {"Authorization": None, "Cookie": session}
    confirmed = {"id": id, "typed": id[-8:]}
    assert site.ask("POST", "/purge", confirmed, Authorization=None)[0] == 401
    assert site.ask("POST", "/purge", confirmed)[0] == 403
    assert site.ask("POST", "/purge", confirmed, Cookie=session)[0] == 403  # the token is a program's, whatever else
    assert site.ask("POST", "/purge", confirmed, **logged_in, Origin="http://evil.example")[0] == 403
    assert site.ask("GET", "/purge", None, **logged_in)[0] == 405
    assert site.ask("POST", "/purge", json.dumps(confirmed).encode(), **logged_in, Content_Type="text/plain")[0] == 415
    for wrong in ({"id": id}, {"id": id, "typed": "purge"}, {"id": id[-8:], "typed": id[-8:]}, {"id": [id]}, [id], {}):
        assert site.ask("POST", "/purge", wrong, **logged_in)[0] == 400
    for headers in ({}, logged_in):
        assert site.ask("POST", "/api/v1/purge", {"id": [id]}, **headers)[0] == 404
    for name in ("purge", "memory_purge"):
        tool = {"name": name, "arguments": {"id": [id]}}
        told = site.ask("POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": tool})[1]
        assert "error" in told or told["result"]["isError"]
    assert site.ask("GET", f"/api/v1/get?id={id}")[0] == 200
    assert site.ask("POST", "/purge", confirmed, **logged_in)[1] == {"purged": [id], "missing": []}
    assert site.ask("GET", f"/api/v1/get?id={id}")[0] == 404


def test_a_project_has_a_name_once_something_was_remembered_there(site: Site, tmp_path: Path) -> None:
    for folder in ("north", "south"):
        (tmp_path / folder).mkdir()
    here = {"X-Nightgarden-Directory": str(tmp_path / "north")}
    said = {"text": "The north wall is rebuilt in slate", "scope": "project"}
    scope = site.ask("POST", "/api/v1/remember", said, **here)[1]["memory"]["scope"]
    site.ask("POST", "/api/v1/list", {}, **{"X-Nightgarden-Directory": str(tmp_path / "south")})
    found = {each["name"]: each for each in site.ask("GET", "/api/v1/projects")[1]["projects"]}
    assert found["north"] == {"scope": scope, "name": "north", "root": str(tmp_path / "north"), "memories": 1}
    assert "south" not in found
    listed = site.ask("GET", f"/api/v1/list?scope={scope}")[1]["memories"]
    assert [each["content"] for each in listed] == [said["text"]]


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"400"),
        (b"GET / SPDY/3\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", b"501"),
        (b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", b"413"),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", b"431"),
        (b"POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc", b"400"),
    ],
)
def test_nonsense_is_turned_away_and_the_server_goes_on(site: Site, data: bytes, answer: bytes) -> None:
    assert site.raw(data).split(b" ")[1] == answer
    assert site.ask("GET", "/api/v1/status")[1]["faults"] == 0


def test_it_listens_on_the_loopback_only(site: Site) -> None:
    assert site.host.startswith("127.0.0.1:")
