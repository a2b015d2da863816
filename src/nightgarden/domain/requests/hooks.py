"""The request of clients' hooks."""

from __future__ import annotations

from nightgarden.domain.client_events import CLIENTS, EVENT_NAMES
from nightgarden.domain.requests.declare import OperationRequest, arg

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Hook(OperationRequest):
    """An event of a client, from its hook; `stdout` is what the hook prints."""

    client: str = arg("whose event it is", choices=CLIENTS)
    event: str = arg("which event", choices=EVENT_NAMES)
    data: Mapping[str, Any] = arg("the event as the client gave it")
    spooled: bool = arg("it happened a while ago; nobody waits", default=False)
