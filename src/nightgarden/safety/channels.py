"""The channels that notifications go to: mail by SMTP, a private room of a chat network, everything else by Apprise.
Each call sends one message.

Mail is sent here, and not by the library, because replies must find their way back: the token stands in the subject and
in the Message-ID. A channel's name never shows its address, which may hold a password.
"""

from __future__ import annotations

import asyncio
import hashlib
import smtplib
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from pathlib import Path
from typing import Protocol

from nightgarden.errors import BadSetting, Unreachable
from nightgarden.machine.plain_files import is_mine, read_small
from nightgarden.settings import NotifySettings

SECONDS_MAX = 30.0
Post = Callable[[str], Awaitable[None]]  # says something in the private room; raises Unreachable or BadSetting


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationMessage:
    """What one channel is sent."""

    title: str
    body: str
    urgent: bool = False
    token: str = ""  # replies with it decide
    reference: str = ""  # makes the Message-ID


class NotificationChannel(Protocol):
    """Where messages go. `private`: only the user reads it. `replies`: an answer brings the token back by itself."""

    @property
    def name(self) -> str: ...
    @property
    def private(self) -> bool: ...
    @property
    def replies(self) -> bool: ...

    async def send(self, message: NotificationMessage) -> None:
        """Raises Unreachable, saying why, without the address."""
        ...


def open_channels(
    settings: NotifySettings, env: Mapping[str, str], post: Post | None = None
) -> tuple[NotificationChannel, ...]:
    """The channels that the settings name. `post` says something in the private room, where this process can."""
    mail = (MailChannel(settings, env),) if settings.mail_to and settings.smtp_host else ()
    chat = (ChatChannel(post),) if settings.chat_room else ()
    private = (AppriseChannel(address, private=True) for address in settings.private_channels)
    public = (AppriseChannel(address, private=False) for address in settings.public_channels)
    return (*mail, *chat, *private, *public)


@dataclass(frozen=True, slots=True)
class MailChannel:
    """The user's own mailbox."""

    settings: NotifySettings
    env: Mapping[str, str]
    name: str = "mail"
    private: bool = True
    replies: bool = True

    async def send(self, message: NotificationMessage) -> None:
        try:
            await asyncio.to_thread(self._send, message)
        except (OSError, smtplib.SMTPException) as error:
            raise Unreachable(f"the mail server {self.settings.smtp_host} did not take it ({_why(error)})") from error

    def _send(self, message: NotificationMessage) -> None:
        mail = self.compose(message)
        settings = self.settings
        context = ssl.create_default_context()
        secure = settings.smtp_security == "tls"
        connect = (
            smtplib.SMTP_SSL(settings.smtp_host, settings.smtp_port, timeout=SECONDS_MAX, context=context)
            if secure
            else smtplib.SMTP(settings.smtp_host, settings.smtp_port, timeout=SECONDS_MAX)
        )
        with connect as server:
            if settings.smtp_security == "starttls":
                server.starttls(context=context)
            if settings.smtp_user:
                server.login(settings.smtp_user, smtp_password(settings, self.env))
            server.send_message(mail)

    def compose(self, message: NotificationMessage) -> EmailMessage:
        """The mail as it is sent."""
        settings = self.settings
        mail = EmailMessage(policy=SMTP)
        sender = settings.mail_from or settings.mail_to
        mail["From"], mail["To"] = sender, settings.mail_to
        mail["Subject"] = _one_line(message.title) + (f" [ng:{message.token}]" if message.token else "")
        mail["Date"] = formatdate()
        domain = sender.rpartition("@")[2] or "nightgarden"
        mail["Message-ID"] = f"<ng.{message.token or 'note'}.{message.reference}@{domain}>"
        mail["Auto-Submitted"] = "auto-generated"
        if message.urgent:
            mail["X-Priority"] = "1"
        mail.set_content(message.body)
        return mail


@dataclass(frozen=True, slots=True)
class ChatChannel:
    """The room of notify.chat_room. Without `post`, what is for it waits for the daemon, which is connected."""

    post: Post | None
    name: str = "chat"
    private: bool = True
    replies: bool = False

    async def send(self, message: NotificationMessage) -> None:
        if self.post is None:
            raise Unreachable("only the daemon is connected to the chat network")
        await self.post(f"{_one_line(message.title)}\n\n{message.body}")


@dataclass(frozen=True, slots=True)
class AppriseChannel:
    """Anything that the library Apprise knows: ntfy, desktop, Telegram, Discord, Slack, Matrix, webhooks…"""

    address: str
    private: bool
    replies: bool = False

    @property
    def name(self) -> str:
        kind = self.address.partition("://")[0] or "unknown"
        return f"{kind}-{hashlib.sha256(self.address.encode()).hexdigest()[:6]}"

    async def send(self, message: NotificationMessage) -> None:
        try:
            import apprise  # 150 ms, and an extra that most do without
        except ImportError:
            raise Unreachable("Apprise is not installed; run `pip install nightgarden[notify]`") from None
        box = apprise.Apprise()
        if not box.add(self.address):
            raise Unreachable(f"the address of {self.name} is not one that Apprise knows; fix it in [notify]")
        kind = apprise.NotifyType.WARNING if message.urgent else apprise.NotifyType.INFO
        try:
            async with asyncio.timeout(SECONDS_MAX):
                sent = await box.async_notify(title=message.title, body=message.body, notify_type=kind)
        except TimeoutError:
            raise Unreachable(f"{self.name} did not answer within {SECONDS_MAX:g} s") from None
        if not sent:
            raise Unreachable(f"{self.name} did not take it")


def smtp_password(settings: NotifySettings, env: Mapping[str, str]) -> str:
    return _password(settings.smtp_password_env, settings.smtp_password_file, env, "notify.smtp_password_env")


def imap_password(settings: NotifySettings, env: Mapping[str, str]) -> str:
    """Its own, or that of SMTP."""
    if not settings.imap_password_env and not settings.imap_password_file:
        return smtp_password(settings, env)
    return _password(settings.imap_password_env, settings.imap_password_file, env, "notify.imap_password_env")


def _password(variable: str, file: str, env: Mapping[str, str], key: str) -> str:
    if variable:
        if not env.get(variable):
            raise BadSetting(f"{key} names {variable}, which is not set")
        return env[variable]
    if file:
        try:
            found = read_small(Path(file).expanduser())
        except OSError as error:
            raise BadSetting(f"{file}: the password cannot be read ({error.strerror or error})") from error
        if not is_mine(found.owner) or found.mode & 0o077:
            raise BadSetting(f"{file}: others can read the password; run `chmod 600` on it")
        return found.text.split("\n", 1)[0].strip()
    raise BadSetting(f"there is a user name but no password; set {key} or the file beside it")


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]


def _why(error: Exception) -> str:
    return type(error).__name__ if isinstance(error, smtplib.SMTPAuthenticationError) else str(error)[:200]
