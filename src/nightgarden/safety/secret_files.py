"""Which files hold secrets by their name, and which ones switch our own guard. Pure; contents are not looked at.

A command that reads a whole folder (`grep -r`) reads what is in it, secrets too; that is not seen here.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re

from nightgarden.safety.command_reading import UNKNOWN

_NAMES = (
    ".env", ".env.*", "*.env", ".envrc", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc",
    ".git-credentials",
    ".htpasswd", "credentials", "credentials.json", "service-account*.json", "secrets.y*ml", "secrets.json",
    "secrets.toml",
    ".dockercfg", "*.tfstate", "*.tfvars", "master.key", ".vault-token", "shadow", "gshadow", ".bash_history",
    ".zsh_history", "fish_history", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history",
    ".my.cnf", ".mylogin.cnf", ".s3cfg", ".boto", ".credentials.json", "credentials.toml", "*.tfrc.json", "*.tfrc",
    "auth.json",
    "rclone.conf", "logins.json", "key4.db", "*.keytab", "*.ovpn", "*.kubeconfig", "kubeconfig", ".xauthority",
)  # fmt: skip
_PUBLIC = ("*.example", "*.sample", "*.template", "*.dist", "*.pub", "*.md")
_FOLDERS = (
    "/.ssh/",
    "/.aws/",
    "/.gnupg/",
    "/.kube/",
    "/.docker/config",
    "/.config/gcloud/",
    "/.azure/",
    "/.password-store/",
    "/.config/gh/",
    "/.config/google-chrome/",
    "/.config/chromium/",
    "/.config/sops/",
    "/.mozilla/",
    "/.local/share/keyrings/",
    "/Library/Keychains/",
    "/etc/ssl/private/",
)
_LIKELY = (".env", "id_rsa", "id_ed25519", ".netrc", "credentials", "server.key", "server.pem", "secrets.yaml")
_OURS = (
    "/.nightgarden/", "/.claude/settings", "/.claude/plugins/", "/.codex/config.toml", "/.codex/hooks.json",
    "/.config/opencode/", "/opencode.json", "/.opencode/", "/.mcp.json/", "/.claude.json/", "/.husky/_/", "/.git/",
    "/.config/nightgarden/", "/.local/share/nightgarden/",
)  # fmt: skip
_FOLDERS_OF_OURS = ("/.claude", "/.codex", "/.git", "/.config/opencode", "/.opencode")
_EVERYTHING = re.compile(r"[*?]++(?:\.[*?]++)?+\Z")  # says nothing about the names that it stands for


def is_secret(path: str) -> bool:
    """Whether a path names a file with secrets, or as a pattern is made to name one; `*` alone is not."""
    name = posixpath.basename(path).lower()
    if any(fnmatch.fnmatchcase(name, shape) for shape in _PUBLIC):
        return False
    if any(folder in path + "/" for folder in _FOLDERS) or (path.startswith("/proc/") and name == "environ"):
        return True
    if _EVERYTHING.match(name):
        return False
    if any(sign in name for sign in "*?["):
        return any(fnmatch.fnmatchcase(likely, name) for likely in _LIKELY if likely[0] != "." or name[0] in (".", "["))
    return UNKNOWN not in name and any(fnmatch.fnmatchcase(name, shape) for shape in _NAMES)


def is_ours(path: str, *, own: tuple[str, ...]) -> bool:
    """Whether a file belongs to nightgarden's settings, to what connects it with clients, or to the inside of git;
    `own`: its folders. Some file systems take capitals and small letters for the same."""
    path = path.casefold()
    return (
        path.endswith(_FOLDERS_OF_OURS)
        or any(part in path + "/" for part in _OURS)
        or any(is_under(path, folder.casefold()) for folder in own)
    )


def is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
