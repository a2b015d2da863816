"""A real Matrix homeserver on loopback: installed once into the tests' cache, started with a folder of its own."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import hmac
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.clients.node import cache_folder

VERSION = "1.163.2"
SECONDS_MAX = 120
SHARED = "only for registering accounts in tests"


def install_synapse() -> Path:
    """The Python of an environment that has synapse. Raises when it cannot be installed: nothing is skipped."""
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / f"synapse-{VERSION}"
    with (cache / "synapse.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=300)
            done = subprocess.run(
                [str(folder / "bin" / "pip"), "install", "-q", f"matrix-synapse=={VERSION}"],
                capture_output=True, text=True, timeout=900, check=False,
            )  # fmt: skip
            if done.returncode != 0:
                raise RuntimeError(f"pip could not install matrix-synapse {VERSION}:\n{done.stderr[-2000:]}")
            (folder / "complete").touch()
    return folder / "bin" / "python"


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


CONFIG = """
server_name: "garden.test"
pid_file: {folder}/homeserver.pid
listeners:
  - port: {port}
    type: http
    tls: false
    bind_addresses: ['127.0.0.1']
    resources: [{{names: [client, media], compress: false}}]
database: {{name: sqlite3, args: {{database: "{folder}/homeserver.db"}}}}
log_config: "{folder}/log.yaml"
media_store_path: {folder}/media
signing_key_path: "{folder}/signing.key"
registration_shared_secret: "{shared}"
report_stats: false
trusted_key_servers: []
suppress_key_server_warning: true
macaroon_secret_key: "x"
form_secret: "y"
rc_message: {{per_second: 1000, burst_count: 1000}}
rc_login: {{address: {{per_second: 1000, burst_count: 1000}}, account: {{per_second: 1000, burst_count: 1000}}}}
rc_joins: {{local: {{per_second: 1000, burst_count: 1000}}}}
"""
LOGGING = """
version: 1
handlers: {{file: {{class: logging.FileHandler, filename: {folder}/log.txt}}}}
root: {{level: WARNING, handlers: [file]}}
disable_existing_loggers: false
"""


@dataclass
class Homeserver:
    """One server, which can be stopped and started again."""

    folder: Path
    python: Path
    port: int = field(default_factory=_free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        if not (self.folder / "signing.key").exists():
            self._configure()
        with (self.folder / "stderr.txt").open("ab") as errors:
            self.process = subprocess.Popen(
                [str(self.python), "-m", "synapse.app.homeserver", "-c", str(self.folder / "homeserver.yaml")],
                cwd=self.folder,
                env={"PATH": os.defpath, "HOME": str(self.folder), "SYNAPSE_CACHE_FACTOR": "0.5"},
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        deadline = time.monotonic() + SECONDS_MAX
        while time.monotonic() < deadline:
            assert self.process.poll() is None, (self.folder / "stderr.txt").read_text()[-2000:]
            with contextlib.suppress(OSError):
                self.call("GET", "/_matrix/client/versions")
                return
            time.sleep(0.2)  # until it answers, within the bound above
        raise AssertionError("the homeserver did not start")

    def _configure(self) -> None:
        words = {"folder": self.folder, "port": self.port, "shared": SHARED}
        (self.folder / "homeserver.yaml").write_text(CONFIG.format(**words))
        (self.folder / "log.yaml").write_text(LOGGING.format(**words))
        subprocess.run(
            [str(self.python), "-m", "synapse.app.homeserver", "-c", "homeserver.yaml", "--generate-keys"],
            cwd=self.folder, check=True, capture_output=True, timeout=SECONDS_MAX,
        )  # fmt: skip

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(SECONDS_MAX)
            self.process = None

    def call(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        request = urllib.request.Request(
            self.url + path, data=json.dumps(body).encode() if body is not None else None, method=method
        )
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def register(self, name: str) -> Person:
        nonce = self.call("GET", "/_synapse/admin/v1/register")["nonce"]
        password = secrets.token_hex(8)
        words = "\0".join((nonce, name, password, "notadmin")).encode()
        mac = hmac.new(SHARED.encode(), words, hashlib.sha1).hexdigest()
        body = {"nonce": nonce, "username": name, "password": password, "mac": mac, "admin": False}
        made = self.call("POST", "/_synapse/admin/v1/register", body)
        return Person(server=self, user_id=made["user_id"], token=made["access_token"])


@dataclass
class Person:
    """Somebody with an account, who acts through the plain client API."""

    server: Homeserver
    user_id: str
    token: str
    _sent: int = 0

    def create_room(self, name: str) -> str:
        body = {"name": name, "preset": "public_chat"}
        return str(self.server.call("POST", "/_matrix/client/v3/createRoom", body, self.token)["room_id"])

    def create_private_room(self, *invited: Person) -> str:
        body = {"preset": "private_chat", "invite": [person.user_id for person in invited]}
        return str(self.server.call("POST", "/_matrix/client/v3/createRoom", body, self.token)["room_id"])

    def invite(self, room_id: str, person: Person) -> None:
        body = {"user_id": person.user_id}
        self.server.call("POST", f"/_matrix/client/v3/rooms/{room_id}/invite", body, self.token)

    def leave(self, room_id: str) -> None:
        self.server.call("POST", f"/_matrix/client/v3/rooms/{room_id}/leave", {}, self.token)

    def join(self, room_id: str) -> None:
        self.server.call("POST", f"/_matrix/client/v3/join/{room_id}", {}, self.token)

    def say(self, room_id: str, text: str, **content: Any) -> str:
        self._sent += 1
        path = f"/_matrix/client/v3/rooms/{room_id}/send/m.room.message/{self.user_id}-{self._sent}"
        body = {"msgtype": "m.text", "body": text} | content
        return str(self.server.call("PUT", path, body, self.token)["event_id"])

    def react(self, room_id: str, event_id: str) -> None:
        self._sent += 1
        path = f"/_matrix/client/v3/rooms/{room_id}/send/m.reaction/{self.user_id}-{self._sent}"
        relation = {"rel_type": "m.annotation", "event_id": event_id, "key": "👍"}
        self.server.call("PUT", path, {"m.relates_to": relation}, self.token)

    def messages(self, room_id: str) -> list[dict[str, Any]]:
        """All text messages of a room, oldest first."""
        path = f"/_matrix/client/v3/rooms/{room_id}/messages?dir=b&limit=500"
        chunk = self.server.call("GET", path, None, self.token)["chunk"]
        return [event for event in reversed(chunk) if event["type"] == "m.room.message"]


@contextlib.contextmanager
def homeserver(folder: Path) -> Iterator[Homeserver]:
    server = Homeserver(folder=folder, python=install_synapse())
    server.start()
    try:
        yield server
    finally:
        server.stop()
