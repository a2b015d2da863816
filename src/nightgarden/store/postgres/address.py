"""Where a garden lives on a server: a PostgreSQL URL and the schema inside it. Pure; opens nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from nightgarden.errors import BadInput

DEFAULT_SCHEMA = "nightgarden"
_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_SCHEMES = ("postgresql", "postgres")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A parsed URL. Only `dsn` holds the password, and it is kept out of the representation."""

    dsn: str
    schema: str
    shown: str  # for people and logs

    def __repr__(self) -> str:
        return f"Address({self.shown})"


def read_address(url: str) -> Address:
    """Reads `postgresql://user:password@host/database?schema=NAME` (or `garden=NAME`)."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadInput("the store's URL cannot be read; write postgresql://user:password@host:5432/database") from error
    if parts.scheme not in _SCHEMES:
        raise BadInput(f"a PostgreSQL URL begins with postgresql://, not {parts.scheme or 'nothing'}://")
    query = parse_qsl(parts.query, keep_blank_values=True)
    named = [value for name, value in query if name in ("schema", "garden")]
    if len(set(named)) > 1:
        raise BadInput("the store's URL names two gardens; keep one of ?schema= and ?garden=")
    schema = named[0] if named else DEFAULT_SCHEMA
    if not _SCHEMA.fullmatch(schema) or schema.startswith("pg_") or schema == "information_schema":
        raise BadInput(
            f"{schema!r} cannot name a garden on PostgreSQL; use lower-case letters, digits and _ (at most 63)"
        )
    rest = [(name, value) for name, value in query if name not in ("schema", "garden")]
    dsn = urlunsplit(("postgresql", parts.netloc, parts.path, urlencode(rest, quote_via=quote, safe="/"), ""))
    user = f"{parts.username}@" if parts.username else ""
    host = f"{parts.hostname or ''}{f':{port}' if port else ''}"
    harmless = [(name, value) for name, value in rest if name in ("host", "port", "dbname", "sslmode")]
    shown_query = urlencode([*harmless, ("schema", schema)], quote_via=quote, safe="/")
    return Address(dsn=dsn, schema=schema, shown=f"postgresql://{user}{host}{parts.path}?{shown_query}")
