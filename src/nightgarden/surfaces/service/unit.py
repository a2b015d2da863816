"""What the service of each platform looks like: its file, and the commands that make it known. Pure.

Always of the user, never of the system; it starts at login and is started again after a crash, not after a clean stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import escape

Platform = Literal["systemd", "launchd", "windows"]
LABEL = "io.nightgarden.daemon"
TASK = "nightgarden"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One service: the file, and what to run after writing and before removing it."""

    path: Path
    text: str
    encoding: str
    install: tuple[tuple[str, ...], ...]
    uninstall: tuple[tuple[str, ...], ...]
    serves: str  # the part of the text that names the data folder
    starts: str  # the part that says how, and where, the daemon is started

    def is_outdated(self, there: str) -> bool:
        """Whether a file that is there starts this daemon in another way. The search path may differ."""
        return self.serves in there and self.starts not in there


def choose_platform(sys_platform: str) -> Platform:
    """By what `sys.platform` says."""
    if sys_platform == "darwin":
        return "launchd"
    return "windows" if sys_platform == "win32" else "systemd"


def make_unit(
    platform: Platform, *, user_home: Path, config: Path, home: Path, words: Sequence[str], path: str
) -> Unit:
    """The service that keeps the daemon of `home` running, by the command `words`. `config` is the user's configuration
    folder."""
    match platform:
        case "systemd":
            return _systemd(config, home, words, path)
        case "launchd":
            return _launchd(user_home, home, words, path)
        case "windows":
            return _windows(home, words)


def _quoted(text: str) -> str:
    """For systemd: inside double quotes, where % and $ mean something."""
    safe = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{safe}"'


def _systemd(config: Path, home: Path, words: Sequence[str], path: str) -> Unit:
    serves = f"Environment={_quoted(f'NIGHTGARDEN_HOME={home}')}"
    starts = f"ExecStart={' '.join(map(_quoted, words))}\nWorkingDirectory=/\n"
    text = f"""[Unit]
Description=nightgarden: long-term memory for agents

[Service]
Type=simple
{starts}{serves}
Environment={_quoted(f"PATH={path}")}
Restart=on-failure
RestartSec=5
TimeoutStopSec=10
Nice=5
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""
    return Unit(
        path=config / "systemd" / "user" / "nightgarden.service",
        text=text,
        encoding="utf-8",
        install=(
            ("systemctl", "--user", "daemon-reload"),
            ("systemctl", "--user", "enable", "--now", "nightgarden.service"),
        ),
        uninstall=(("systemctl", "--user", "disable", "--now", "nightgarden.service"),),
        serves=serves,
        starts=starts,
    )


def _launchd(user_home: Path, home: Path, words: Sequence[str], path: str) -> Unit:
    arguments = "\n".join(f"    <string>{escape(word)}</string>" for word in words)
    serves = f"<key>NIGHTGARDEN_HOME</key><string>{escape(str(home))}</string>"
    starts = f"  <array>\n{arguments}\n  </array>\n  <key>WorkingDirectory</key><string>/</string>\n"
    text = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>{LABEL}</string>
  <key>ProgramArguments</key>
{starts}  <key>EnvironmentVariables</key>
  <dict>
    {serves}
    <key>PATH</key><string>{escape(path)}</string>
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ProcessType</key><string>Background</string>
</dict>
</plist>
"""
    file = user_home / "Library" / "LaunchAgents" / f"{LABEL}.plist"
    return Unit(
        path=file,
        text=text,
        encoding="utf-8",
        install=(("launchctl", "load", "-w", str(file)),),
        uninstall=(("launchctl", "unload", "-w", str(file)),),
        serves=serves,
        starts=starts,
    )


def _windows(home: Path, words: Sequence[str]) -> Unit:
    arguments = " ".join(f'"{word}"' if " " in word else word for word in words[1:])
    starts = (
        f"<Command>{escape(words[0])}</Command><Arguments>{escape(arguments)}</Arguments>\n"
        f"      <WorkingDirectory>{escape(str(home))}</WorkingDirectory>"
    )
    text = f"""<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>nightgarden: long-term memory for agents</Description></RegistrationInfo>
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Principals>
    <Principal id="Author"><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>
    <Hidden>true</Hidden>
  </Settings>
  <Actions Context="Author">
    <Exec>
      {starts}
    </Exec>
  </Actions>
</Task>
"""
    file = home / "daemon" / "task.xml"
    return Unit(
        path=file,
        text=text,
        encoding="utf-16",
        install=(
            ("schtasks", "/Create", "/F", "/TN", TASK, "/XML", str(file)),
            ("schtasks", "/Run", "/TN", TASK),
        ),
        uninstall=(("schtasks", "/End", "/TN", TASK), ("schtasks", "/Delete", "/F", "/TN", TASK)),
        serves="",  # the file lies in the data folder itself
        starts=starts,
    )
