"""Which files hold secrets by their name, and which ones switch our own guard. Pure; contents are not looked at.

A command that reads a whole folder (`grep -r`) reads what is in it, secrets too; that is not seen here.
"""

from __future__ import annotations

import fnmatch
import posixpath

from nightgarden.safety.reading import UNKNOWN

_NAMES = (
    ".env", ".env.*", "*.env", ".envrc", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc",
    ".git-credentials",
    ".htpasswd", "credentials", "credentials.json", "service-account*.json", "secrets.y*ml", "secrets.json",
    "secrets.toml",
    ".dockercfg", "*.tfstate", "*.tfvars", "master.key", ".vault-token", "shadow", "gshadow", ".bash_history",
    ".zsh_history",
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
)
_LIKELY = (".env", "id_rsa", "id_ed25519", ".netrc", "credentials", "server.key", "server.pem", "secrets.yaml")
_OURS = (
    "/.nightgarden/", "/.claude/settings", "/.claude/plugins/", "/.codex/config.toml", "/.codex/hooks.json",
    "/.config/opencode/", "/opencode.json", "/.git/hooks/", "/.config/nightgarden/", "/.local/share/nightgarden/",
)  # fmt: skip
_FOLDERS_OF_OURS = ("/.claude", "/.codex", "/.git", "/.config/opencode")


def is_secret(path: str) -> bool:
    """Whether a path names a file with secrets, or as a pattern may name one."""
    name = posixpath.basename(path).lower()
    if any(fnmatch.fnmatchcase(name, shape) for shape in _PUBLIC):
        return False
    if any(folder in path + "/" for folder in _FOLDERS) or (path.startswith("/proc/") and name == "environ"):
        return True
    if any(sign in name for sign in "*?["):
        return any(fnmatch.fnmatchcase(likely, name) for likely in _LIKELY if likely[0] != "." or name[0] in (".", "["))
    return UNKNOWN not in name and any(fnmatch.fnmatchcase(name, shape) for shape in _NAMES)


def is_ours(path: str, *, own: tuple[str, ...]) -> bool:
    """Whether a file belongs to nightgarden's settings or to what connects it with clients; `own`: its folders."""
    return (
        path.endswith(_FOLDERS_OF_OURS)
        or any(part in path + "/" for part in _OURS)
        or any(is_under(path, folder) for folder in own)
    )


def is_under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
