"""Operations on what agents ask for and do: declared, and performed. Deciding is the user's alone, by the speaker."""

from __future__ import annotations

from typing import Any

from nightgarden.garden import Garden
from nightgarden.safety.action_log import action_shape
from nightgarden.safety.directing import Directives
from nightgarden.safety.directives import directive_shape
from nightgarden.safety.gated import action_log
from nightgarden.safety.messages import notification_shape
from nightgarden.safety.notify import Notifier
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import request_shape

Arguments = dict[str, Any]
Result = dict[str, Any]


async def permissions(garden: Garden, a: Arguments) -> Result:
    asked = Permissions(garden)
    found = await asked.list(limit=a.get("limit", 100)) if a.get("decided") else await asked.pending()
    return {"requests": [request_shape(request) for request in found]}


async def permission(garden: Garden, a: Arguments) -> Result:
    return request_shape(await Permissions(garden).get(a["id"]))


async def permission_decide(garden: Garden, a: Arguments) -> Result:
    decided = await Permissions(garden).decide(
        a["id"],
        approve=a["decision"] == "approve",
        by="user",
        via="web",
        reason=a.get("reason", ""),
        once=a.get("once", False),
    )
    return request_shape(decided)


async def actions(garden: Garden, a: Arguments) -> Result:
    found = await action_log(garden, cycle=a.get("cycle"), limit=a.get("limit", 100))
    return {"actions": [action_shape(entry) for entry in found]}


async def notifications(garden: Garden, a: Arguments) -> Result:
    found = await Notifier(garden).list(dead=a.get("dead", False), limit=a.get("limit", 100))
    return {"notifications": [notification_shape(one) for one in found]}


async def directives(garden: Garden, a: Arguments) -> Result:
    found = await Directives(garden).list(include_consumed=a.get("consumed", False))
    return {"directives": [directive_shape(each) for each in found]}


async def directive_add(garden: Garden, a: Arguments) -> Result:
    directive = await Directives(garden).add(a["text"], via="web")
    assert directive is not None  # only a message that came in twice is refused
    return directive_shape(directive)


PERFORM_SAFETY = {
    "permissions": permissions,
    "permission": permission,
    "permission_decide": permission_decide,
    "actions": actions,
    "notifications": notifications,
    "directives": directives,
    "directive_add": directive_add,
}
