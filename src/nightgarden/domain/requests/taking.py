"""A method that takes the fields of a request as its arguments, so that the request alone says what they are."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from nightgarden.domain.requests.declare import Missing, OperationRequest

P = ParamSpec("P")
Owner = TypeVar("Owner")
Request = TypeVar("Request")
Answer = TypeVar("Answer")


def takes(
    kind: Callable[P, Request],
) -> Callable[
    [Callable[[Owner, Request], Awaitable[Answer]]], Callable[Concatenate[Owner, P], Coroutine[Any, Any, Answer]]
]:
    """Makes `method(self, request)` one that is called with the request's fields; earlier names of a field are taken
    too."""
    request = cast(type[OperationRequest], kind)
    renamed = {alias: name for name, field in request.fields.items() for alias in field.aliases}

    def decorate(
        method: Callable[[Owner, Request], Awaitable[Answer]],
    ) -> Callable[Concatenate[Owner, P], Coroutine[Any, Any, Answer]]:
        @functools.wraps(method)
        async def call(self: Owner, *given: P.args, **named: P.kwargs) -> Answer:
            fields = {renamed.get(name, name): value for name, value in named.items()}
            return await method(self, cast(Request, request(*given, **fields)))

        call.__signature__ = _signature(request, method)  # type: ignore[attr-defined]  # what help and the reference read
        return cast(Callable[Concatenate[Owner, P], Coroutine[Any, Any, Answer]], call)

    return decorate


def _signature(request: type[OperationRequest], method: Callable[..., Any]) -> inspect.Signature:
    """As the request declares it; what every call must say comes without its name."""
    owner, *_ = inspect.signature(method).parameters.values()
    parameters = [owner]
    for name, field in request.fields.items():
        kind = owner.kind if field.default is Missing else inspect.Parameter.KEYWORD_ONLY
        default = inspect.Parameter.empty if field.default is Missing else field.default
        parameters.append(inspect.Parameter(name, kind, default=default, annotation=field.annotation))
    return inspect.Signature(parameters, return_annotation=inspect.signature(method).return_annotation)
