"""Whether the user allowed reading a client's folder. Asked once a client, recorded in the store's state.

Transcripts that own agents write for nightgarden need no consent: writing them there is the consent.
"""

from __future__ import annotations

from datetime import datetime

from nightgarden.domain.ports import Store
from nightgarden.domain.state_keys import CONSENT as _PREFIX
from nightgarden.domain.time import write_moment
from nightgarden.errors import NotAllowed, NotFound
from nightgarden.sessions.readers import READERS, plain


async def allow_client(store: Store, client: str, *, at: datetime) -> None:
    """Records the user's consent. Only ever called on the user's own word."""
    _known(client)
    await store.put_state(_PREFIX + client, {"allowed_at": write_moment(at)})


async def forbid_client(store: Store, client: str) -> None:
    """Takes the consent back. What was read stays until it is purged."""
    _known(client)
    await store.put_state(_PREFIX + client, None)


async def allowed_clients(store: Store) -> list[str]:
    """Which clients may be read, by name."""
    consents = await store.state_items(_PREFIX)
    return sorted(client for client in READERS if client == plain.CLIENT or consents.get(_PREFIX + client))


async def require_consent(store: Store, client: str) -> None:
    """Raises NotAllowed, with the command that gives consent."""
    _known(client)
    if client != plain.CLIENT and not await store.get_state(_PREFIX + client):
        raise NotAllowed(
            f"reading the sessions of {client} needs your consent first; "
            f"give it with: nightgarden sessions allow {client}"
        )


def _known(client: str) -> None:
    if client not in READERS:
        raise NotFound(f"no sessions of {client!r} can be read; known clients: {', '.join(sorted(READERS))}")
