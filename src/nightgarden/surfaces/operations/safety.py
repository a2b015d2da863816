"""Performs the operations on what agents ask for and do. Deciding is the user's alone, by the speaker."""

from __future__ import annotations

from nightgarden.domain.requests import safety
from nightgarden.garden import Garden
from nightgarden.safety.action_log import action_shape
from nightgarden.safety.directing import Directives
from nightgarden.safety.directives import directive_shape
from nightgarden.safety.gated import action_log
from nightgarden.safety.messages import notification_shape
from nightgarden.safety.notify import Notifier
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import request_shape
from nightgarden.surfaces.operations import answer_types as answers
from nightgarden.surfaces.operations.performer import Perform
from nightgarden.surfaces.operations.who_speaks import Speaker


async def permissions(garden: Garden, asked: safety.PermissionsList, speaker: Speaker) -> answers.RequestsAnswer:
    waiting = Permissions(garden)
    found = await waiting.list(limit=asked.limit) if asked.decided else await waiting.pending()
    return {"requests": [request_shape(request) for request in found]}


async def permission(garden: Garden, asked: safety.PermissionGet, speaker: Speaker) -> answers.Record:
    return request_shape(await Permissions(garden).get(asked.id))


async def permission_decide(garden: Garden, asked: safety.PermissionDecide, speaker: Speaker) -> answers.Record:
    decided = await Permissions(garden).decide(
        asked.id,
        approve=asked.decision == "approve",
        by="user",
        via="web",
        reason=asked.reason,
        once=asked.once,
    )
    return request_shape(decided)


async def actions(garden: Garden, asked: safety.Actions, speaker: Speaker) -> answers.ActionsAnswer:
    found = await action_log(garden, cycle=asked.cycle, limit=asked.limit)
    return {"actions": [action_shape(entry) for entry in found]}


async def notifications(garden: Garden, asked: safety.Notifications, speaker: Speaker) -> answers.NotificationsAnswer:
    found = await Notifier(garden).list(dead=asked.dead, limit=asked.limit)
    return {"notifications": [notification_shape(one) for one in found]}


async def directives(garden: Garden, asked: safety.DirectivesList, speaker: Speaker) -> answers.DirectivesAnswer:
    found = await Directives(garden).list(include_consumed=asked.consumed)
    return {"directives": [directive_shape(each) for each in found]}


async def directive_add(garden: Garden, asked: safety.DirectiveAdd, speaker: Speaker) -> answers.Record:
    directive = await Directives(garden).add(asked.text, via="web")
    assert directive is not None  # only a message that came in twice is refused
    return directive_shape(directive)


PERFORM: dict[str, Perform] = {
    "permissions": permissions,
    "permission": permission,
    "permission_decide": permission_decide,
    "actions": actions,
    "notifications": notifications,
    "directives": directives,
    "directive_add": directive_add,
}
