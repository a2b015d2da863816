"""[notify]: how the user is told of what happens in the background, and how they may answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nightgarden.settings.declare import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class NotifySettings:
    """[notify] How you are told of what happens in the background. Nothing is sent until a channel is named."""

    private_channels: tuple[str, ...] = setting(
        (), "Apprise addresses of channels that only you read, such as tgram://… or slack://…: they get details."
    )
    public_channels: tuple[str, ...] = setting(
        (), "Apprise addresses of channels that others may read, such as ntfy://topic: they get counts only."
    )
    events: tuple[Literal["cycle_summary", "request", "failure", "budget_reached", "loss_gate_stopped"], ...] = setting(
        ("cycle_summary", "request", "failure", "budget_reached", "loss_gate_stopped"), "What you are told of."
    )
    min_urgency: Literal["low", "normal", "high"] = setting("low", "What is less urgent is not sent.")
    batch_seconds: int = setting(60, "What happens within so long goes into one message.", least=0, most=86_400)
    quiet_from: str = setting("23:00", "From then on only what is urgent is sent, local time; empty: always.")
    quiet_until: str = setting("07:00", "Until then.")
    attempts_max: int = setting(6, "A message that could not be sent so often is given up.", least=1, most=100)
    mail_to: str = setting("", "Address that mail goes to; empty sends none.")
    mail_from: str = setting("", "Address that mail comes from; empty is the same as mail_to.")
    mail_senders: tuple[str, ...] = setting((), "Addresses whose replies count; empty is mail_to alone.")
    smtp_host: str = setting("", "Server that takes mail.")
    smtp_port: int = setting(587, "Its port.", least=1, most=65_535)
    smtp_security: Literal["starttls", "tls", "none"] = setting(
        "starttls", "How the connection is secured; none only for a server on this machine."
    )
    smtp_user: str = setting("", "Name to log in with; empty does not log in.")
    smtp_password_env: str = setting("", "Environment variable that holds the password.")
    smtp_password_file: str = setting("", "Or a file that only you can read, with the password in its first line.")
    imap_host: str = setting("", "Server that replies are read from; empty reads none.")
    imap_port: int = setting(993, "Its port.", least=1, most=65_535)
    imap_security: Literal["starttls", "tls", "none"] = setting("tls", "How the connection is secured.")
    imap_user: str = setting("", "Name to log in with; empty is that of SMTP.")
    imap_password_env: str = setting("", "Environment variable that holds the password; empty is that of SMTP.")
    imap_password_file: str = setting("", "Or a file that only you can read.")
    imap_folder: str = setting("INBOX", "Folder that replies arrive in.")
    poll_seconds: int = setting(60, "Replies are looked for this often.", least=1, most=86_400)
    chat_room: str = setting(
        "",
        "Private room that you are told in and answer in, such as matrix:!abc:example.org, on the account of "
        "[initiative.matrix]; empty: none.",
    )
    chat_senders: tuple[str, ...] = setting(
        (), "Who may answer there, by their full id, such as @you:example.org; nobody else may be in the room."
    )
