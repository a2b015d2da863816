"""One step of a conversation over HTTP, through pydantic-ai's stateless request: it knows the providers' formats, with
their tools, and nothing is kept in it between steps. The loop, the ledger and the limits are ours.

What goes out is decided here, whatever the library and its packages find in the environment: the address and the key
are those of the settings, and other headers than the format's own are dropped. Redirects are refused, and retries are
the loop's. Needs the extra `minds`, and about a second to import: `endpoint_stepper` does that when somebody talks.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic_ai import exceptions
from pydantic_ai.direct import model_request
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from nightgarden.domain.conversation import Role, ToolCall, ToolSpec, Utterance
from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.ports import Clock
from nightgarden.minds.backend import CallFailed, Usage, sendable
from nightgarden.minds.endpoint import OPENROUTER, Endpoint, outcome_of
from nightgarden.minds.limits import NO_LIMITS, Limits, read_headers
from nightgarden.minds.speaker import Spoken, Step, StepRequest
from nightgarden.minds.wire_formats import headers_of, read_usage, url_of
from nightgarden.models.post import ANSWER_BYTES_MAX, on_this_machine, shown

_HEADERS = frozenset({"host", "content-type", "content-length", "accept", "accept-encoding", "connection"})
_NO_KEY = "none"  # the packages refuse to start without one; it is not sent


@asynccontextmanager
async def opened(endpoint: Endpoint, key: str | None, clock: Clock) -> AsyncIterator[Step]:
    """A step that may be asked for again and again, for one conversation."""
    exchange = _Exchange(endpoint, key, clock)
    hooks: dict[str, list[Callable[..., Any]]] = {"request": [exchange.sent], "response": [exchange.got]}
    seconds = endpoint.timeout_seconds
    # A proxy of the environment is not told what is asked on this machine.
    proxied = not on_this_machine(endpoint.base_url)
    async with httpx2.AsyncClient(
        follow_redirects=False, timeout=seconds, event_hooks=hooks, trust_env=proxied
    ) as client:
        asking = _Asking(endpoint=endpoint, model=_model(endpoint, client), exchange=exchange)
        yield asking.step


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asking:
    """A model of the library, and what goes over its wire."""

    endpoint: Endpoint
    model: Model
    exchange: _Exchange

    async def step(self, request: StepRequest) -> Spoken:
        self.exchange.forget()
        text, calls = _said(await self._ask(request))
        return Spoken(text=text, calls=calls, usage=self.exchange.usage, limits=self.exchange.limits)

    @property
    def where(self) -> str:
        return f"The mind at {shown(self.endpoint.base_url)}"

    async def _ask(self, request: StepRequest) -> ModelResponse:
        settings = ModelSettings(max_tokens=request.tokens_out_max)
        if self.endpoint.provider == OPENROUTER:
            settings["extra_body"] = {"usage": {"include": True}}
        tools = ModelRequestParameters(function_tools=[_tool(spec) for spec in request.specs])
        try:
            # The client's own timeout is for each read; this one is for the whole answer, however it drips.
            async with asyncio.timeout(self.endpoint.timeout_seconds):
                return await model_request(
                    self.model, _messages(request), model_settings=settings, model_request_parameters=tools
                )
        except exceptions.ModelHTTPError as error:
            raise self._turned(error.status_code) from None
        except (exceptions.ModelTimeoutError, TimeoutError):
            words = f"{self.where} gave no whole answer within {self.endpoint.timeout_seconds:g} s."
            raise CallFailed(words, CallOutcome.TIMED_OUT) from None
        except exceptions.ModelConnectionError as error:
            raise self._lost(error.__cause__ or error) from None
        except (exceptions.AgentRunError, ValueError, RecursionError, TypeError, AttributeError, OSError) as error:
            # The package's own reading fails in many ways on an answer of another shape.
            raise self._lost(error) from None

    def _turned(self, status: int) -> CallFailed:
        outcome = CallOutcome.REFUSED if status in (400, 413, 422) else outcome_of(status)
        words = f"{self.where} answered with status {status}"
        if outcome is CallOutcome.UNKNOWN_MODEL:
            words = f"{self.where} does not know {self.endpoint.model!r} (status 404); check its name and the address"
        return CallFailed(f"{words}.", outcome, limits=self.exchange.limits)

    def _lost(self, error: BaseException) -> CallFailed:
        """Whether it was sent decides: what never got there cost nothing."""
        if self.exchange.status >= 300:
            return self._turned(self.exchange.status)
        if self.exchange.status:
            words = f"{self.where} answered with something that cannot be read ({type(error).__name__})."
            return CallFailed(words, CallOutcome.LOST, limits=self.exchange.limits, usage=self.exchange.usage)
        never_sent = "Connect" in type(error.__cause__ or error).__name__
        words = f"{self.where} cannot be reached ({type(error.__cause__ or error).__name__})."
        return CallFailed(words, CallOutcome.UNREACHABLE if never_sent else CallOutcome.LOST)


@dataclass(slots=True)
class _Exchange:
    """What went over the wire in the step under way."""

    endpoint: Endpoint
    key: str | None
    clock: Clock
    status: int = 0  # none yet
    usage: Usage = field(default_factory=Usage)
    limits: Limits = NO_LIMITS

    def forget(self) -> None:
        self.status, self.usage, self.limits = 0, Usage(), NO_LIMITS

    async def sent(self, request: httpx2.Request) -> None:

        request.url = httpx2.URL(url_of(self.endpoint.wire, self.endpoint.base_url))
        for name in [name for name in request.headers if name.lower() not in _HEADERS]:
            del request.headers[name]
        request.headers["host"] = request.url.netloc.decode("ascii")
        request.headers.update(headers_of(self.endpoint.wire, self.key))

    async def got(self, response: httpx2.Response) -> None:
        self.status = response.status_code
        self.limits = read_headers(dict(response.headers.items()), self.clock.now())
        response.stream = _Bounded(response.stream)
        self.usage = _usage(await response.aread())


class _Bounded(httpx2.AsyncByteStream):
    """An answer that is read up to a length, whatever its headers say."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = ANSWER_BYTES_MAX
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise OSError("the answer is too long")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def _usage(raw: bytes) -> Usage:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        return Usage()
    told = body.get("usage") if isinstance(body, dict) else None
    return read_usage(told) if isinstance(told, dict) else Usage()


def _model(endpoint: Endpoint, client: httpx2.AsyncClient) -> Model:
    """The library's model over our client. The key it is given is not the one that is sent."""
    if endpoint.wire == "messages":
        anthropic = AsyncAnthropic(api_key=_NO_KEY, base_url=endpoint.base_url, http_client=client, max_retries=0)
        return AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=anthropic))

    openai = AsyncOpenAI(api_key=_NO_KEY, base_url=endpoint.base_url, http_client=client, max_retries=0)
    return OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=openai))


def _tool(spec: ToolSpec) -> ToolDefinition:

    return ToolDefinition(
        name=spec.name, description=spec.description, parameters_json_schema=dict(spec.parameters), strict=False
    )


def _messages(request: StepRequest) -> list[ModelMessage]:
    """The conversation in the library's values; what follows one another on our side becomes one message."""

    messages: list[ModelMessage] = []
    names = {call.id: call.name for each in request.utterances for call in each.calls}
    for utterance in request.utterances:
        if utterance.role is Role.ASSISTANT:
            said = [TextPart(content=sendable(utterance.text))] if utterance.text else []
            called = [ToolCallPart(call.name, dict(call.arguments), call.id) for call in utterance.calls]
            if said or called:
                messages.append(ModelResponse(parts=[*said, *called]))
            continue
        part = _told(utterance, names)
        if messages and isinstance(messages[-1], ModelRequest):
            messages[-1] = ModelRequest(parts=[*messages[-1].parts, part], instructions=request.system)
        else:
            messages.append(ModelRequest(parts=[part], instructions=request.system))
    return messages


def _told(utterance: Utterance, names: Mapping[str, str]) -> ModelRequestPart:

    if utterance.role is Role.USER:
        return UserPromptPart(content=sendable(utterance.text))
    return ToolReturnPart(
        tool_name=names.get(utterance.answers, ""),
        content=sendable(utterance.text),
        tool_call_id=utterance.answers,
        outcome="failed" if utterance.failed else "success",
    )


def _said(response: ModelResponse) -> tuple[str, tuple[ToolCall, ...]]:

    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    return text, tuple(read_call(part.tool_call_id, part.tool_name, part.args) for part in calls)


def read_call(call_id: str, name: str, arguments: Any) -> ToolCall:
    """A call as a model made it: its arguments an object, or a text that should be one."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError) as error:
            reason = str(error) if isinstance(error, ValueError) else "nested too deep"
            return ToolCall(id=call_id, name=name, arguments={}, malformed=f"its arguments are not JSON ({reason})")
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict) or not _only_text_keys(arguments):
        return ToolCall(id=call_id, name=name, arguments={}, malformed="its arguments are not one JSON object")
    return ToolCall(id=call_id, name=name, arguments=arguments)


def _only_text_keys(keys: Iterable[Any]) -> bool:
    return all(isinstance(key, str) for key in keys)
