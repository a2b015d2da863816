"""A mail server on loopback: SMTP by aiosmtpd, IMAP by pymap, one mailbox that what is sent arrives in."""

from __future__ import annotations

import imaplib
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from nightgarden.settings import NotifySettings
from tests.runtime.running import wait_for

USER, PASSWORD = "anna", "correct horse"
ADDRESS = "anna@example.org"


@dataclass
class MailServer:
    """What was sent, and a way to put mail into the mailbox."""

    smtp_port: int
    imap_port: int
    sent: list[EmailMessage] = field(default_factory=list)

    def settings(self, **more: Any) -> NotifySettings:
        given: dict[str, Any] = {
            "mail_to": ADDRESS,
            "mail_from": "garden@example.org",
            "smtp_host": "127.0.0.1",
            "smtp_port": self.smtp_port,
            "smtp_security": "none",
            "imap_host": "127.0.0.1",
            "imap_port": self.imap_port,
            "imap_security": "none",
            "imap_user": USER,
            "imap_password_env": "MAIL_PASSWORD",
            "batch_seconds": 0,
            "quiet_from": "",
        }
        return NotifySettings(**(given | more))

    def deliver(self, mail: bytes) -> None:
        with imaplib.IMAP4("127.0.0.1", self.imap_port) as box:
            box.login(USER, PASSWORD)
            box.append("INBOX", "", "", mail)

    def reply(self, to: EmailMessage, text: str, **headers: str) -> bytes:
        """The answer that a mail program would send."""
        mail = EmailMessage()
        given = {
            "From": ADDRESS,
            "To": "garden@example.org",
            "Subject": f"Re: {to['Subject']}",
            "In-Reply-To": str(to["Message-ID"]),
            "Message-ID": f"<{abs(hash((text, str(to['Message-ID']))))}@example.org>",
        } | {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in given.items():
            if value:
                mail[name] = value
        quoted = "\n".join(f"> {line}" for line in to.get_content().splitlines())
        mail.set_content(f"{text}\n\nOn Mon, 16 Nov 2026, nightgarden wrote:\n{quoted}\n")
        return bytes(mail)


class _Taking:
    """Keeps what SMTP brings."""

    def __init__(self, server: MailServer) -> None:
        self._server = server

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the library's name
        self._server.sent.append(BytesParser(EmailMessage, policy=default).parsebytes(envelope.content))
        return "250 OK"


@contextmanager
def mail_server() -> Iterator[MailServer]:
    smtp_port, imap_port = _free_port(), _free_port()
    program = Path(sys.executable).with_name("pymap")
    words = [str(program), "--no-tls", "--host", "127.0.0.1", "--port", str(imap_port)]
    words += ["--no-service", "admin", "--no-service", "managesieve", "dict"]
    words += ["--demo-user", USER, "--demo-password", PASSWORD]
    server = MailServer(smtp_port=smtp_port, imap_port=imap_port)
    smtp = Controller(_Taking(server), hostname="127.0.0.1", port=smtp_port)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as imap:
        try:
            smtp.start()
            wait_for(lambda: _answers(imap_port), "the IMAP server")
            yield server
        finally:
            smtp.stop()
            imap.terminate()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
