"""Reads the user's replies from a mailbox over IMAP, and answers each in a line.

A message is marked as seen once what it says is stored; one that was taken before a crash does nothing the second time.
Messages that are not for us are left alone: only what a configured sender wrote in answer to one of ours is looked at.
"""

from __future__ import annotations

import asyncio
import email
import imaplib
import os
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr

from nightgarden.errors import Unreachable
from nightgarden.garden import Garden
from nightgarden.safety.answering import Decided, Directed, Ignored, Taken, take_reply
from nightgarden.safety.channels import MailChannel, NotificationMessage, imap_password
from nightgarden.safety.replies import RequestReply, answers_us
from nightgarden.settings import NotifySettings

SECONDS_MAX = 30.0
MESSAGES_MAX = 50  # of one look
BYTES_MAX = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Polled:
    """What one look brought."""

    decided: int = 0
    directed: int = 0
    ignored: int = 0

    @property
    def sentence(self) -> str:
        return f"{self.decided} decided, {self.directed} directives, {self.ignored} ignored"


async def poll_mail(
    garden: Garden, *, settings: NotifySettings | None = None, env: Mapping[str, str] | None = None
) -> Polled:
    """Takes what has arrived. Raises Unreachable."""
    settings = settings or garden.settings.notify
    env = os.environ if env is None else env
    senders = settings.mail_senders or (settings.mail_to,)
    counts = {Decided: 0, Directed: 0, Ignored: 0}
    for number, mail in await asyncio.to_thread(_fetch, settings, env, senders):
        reply = read_mail(mail)
        if not answers_us(reply):
            continue
        taken = await take_reply(garden, reply, senders=senders)
        await asyncio.to_thread(_mark, settings, env, number)
        counts[type(taken)] += 1
        if not reply.automatic:  # two programs would write to each other for ever
            await _acknowledge(settings, env, mail, taken)
    return Polled(decided=counts[Decided], directed=counts[Directed], ignored=counts[Ignored])


def read_mail(mail: EmailMessage) -> RequestReply:
    """A mail as a reply."""
    body = mail.get_body(preferencelist=("plain",))
    automatic = str(mail.get("Auto-Submitted", "no")).strip().lower() != "no"
    automatic = automatic or str(mail.get("Precedence", "")).strip().lower() in ("bulk", "junk", "list", "auto_reply")
    return RequestReply(
        channel="mail",
        sender=_one_sender(mail),
        text=_text(body),
        message_id=str(mail.get("Message-ID", "")).strip(),
        subject=str(mail.get("Subject", "")),
        references=f"{mail.get('In-Reply-To', '')} {mail.get('References', '')}"[:4_000],
        automatic=automatic,
    )


def _one_sender(mail: EmailMessage) -> str:
    """The address, if there is exactly one: a list of senders hides whose word it is."""
    headers = mail.get_all("From", [])
    if len(headers) != 1 or len(headers[0].addresses) != 1:
        return ""
    return parseaddr(str(headers[0]))[1]


def _text(body: object) -> str:
    if not isinstance(body, EmailMessage):
        return ""
    try:
        return str(body.get_content())
    except (LookupError, ValueError):  # a character set that is not known
        return ""


def _fetch(
    settings: NotifySettings, env: Mapping[str, str], senders: tuple[str, ...]
) -> list[tuple[bytes, EmailMessage]]:
    found: list[tuple[bytes, EmailMessage]] = []
    with _connected(settings, env) as box:
        for sender in dict.fromkeys(senders):
            quoted = sender.replace("\\", "").replace('"', "")
            _, numbers = box.uid("SEARCH", "UNSEEN", "FROM", f'"{quoted}"')
            for number in (numbers[0] or b"").split()[: MESSAGES_MAX - len(found)]:
                _, parts = box.uid("FETCH", number.decode(), f"(BODY.PEEK[]<0.{BYTES_MAX}>)")
                raw = next((part[1] for part in parts if isinstance(part, tuple)), b"")
                found.append((number, email.message_from_bytes(raw, EmailMessage, policy=default)))
    return found


def _mark(settings: NotifySettings, env: Mapping[str, str], number: bytes) -> None:
    with _connected(settings, env) as box:
        box.uid("STORE", number.decode(), "+FLAGS", "(\\Seen)")


@contextmanager
def _connected(settings: NotifySettings, env: Mapping[str, str]) -> Iterator[imaplib.IMAP4]:
    context = ssl.create_default_context()
    try:
        if settings.imap_security == "tls":
            box: imaplib.IMAP4 = imaplib.IMAP4_SSL(
                settings.imap_host, settings.imap_port, ssl_context=context, timeout=SECONDS_MAX
            )
        else:
            box = imaplib.IMAP4(settings.imap_host, settings.imap_port, timeout=SECONDS_MAX)
        with box:
            if settings.imap_security == "starttls":
                box.starttls(context)
            box.login(settings.imap_user or settings.smtp_user, imap_password(settings, env))
            box.select(settings.imap_folder)
            yield box
    except (OSError, imaplib.IMAP4.error) as error:
        raise Unreachable(f"the mailbox at {settings.imap_host} cannot be read ({str(error)[:200]})") from error


async def _acknowledge(settings: NotifySettings, env: Mapping[str, str], mail: EmailMessage, taken: Taken) -> None:
    """A line back, so that the user sees what their words did. To nobody but the user's own address."""
    if not settings.smtp_host or not settings.mail_to:
        return
    subject = str(mail.get("Subject", "your message"))
    title = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    ref = str(mail.get("Message-ID", "")).strip("<> ").partition("@")[0][:40] or "reply"
    await MailChannel(settings, env).send(NotificationMessage(title=title, body=taken.sentence, reference=f"ack.{ref}"))
