"""MCP as JSON-RPC: takes one message, gives the answer to it. Knows no transport and holds no session.

Speaks the handshake versions and the stateless one, in which every request carries its own version. Lists are answered
without asking anybody, so a client is never kept waiting by a garden that is being opened.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from nightgarden._version import __version__
from nightgarden.errors import BadInput
from nightgarden.surfaces.mcp import offers
from nightgarden.surfaces.mcp.tools import LISTED, TOOLS, choose
from nightgarden.surfaces.operations.spec import read_arguments, writable

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS_VERSIONS = ("2026-07-28",)
SERVER = {"name": "nightgarden", "title": "nightgarden", "version": __version__}
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_SERVER_KEY = "io.modelcontextprotocol/serverInfo"
_CAPABILITIES: dict[str, Any] = {"tools": {}, "resources": {}, "prompts": {}}
_SESSIONS_OWN = ("remember", "schedule", "forget")  # operations that are told whose session asks
_CACHED_MS = 3_600_000  # what is listed changes with the program's version only
_CACHEABLE = ("server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list")

Json = dict[str, Any]
Ask = Callable[[str, Json, str | None], Awaitable[Any]]
"""Asks an operation by name with arguments and a directory. Raises Refusal."""


Hook = Callable[[Json], Awaitable[str]]
"""Takes a client's event, gives what the client is to be told. Never fails."""
HOOK_TOOL = "hook"  # for a client's hooks only: no model is told of it, and it is in no list


class Refusal(Exception):
    """The operation was not done; the message says why and what to do."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class RpcError(Exception):
    """An error of the protocol itself."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class McpConversation:
    """Answers messages. One may serve any number of clients."""

    def __init__(self, ask: Ask, *, session_id: str | None = None, hook: Hook | None = None) -> None:
        self._ask = ask
        self._hook = hook
        self._session_id = session_id

    async def handle(self, message: Any) -> Any:
        """The answer, or None for what needs none. A list of messages gets a list of answers."""
        if isinstance(message, list):
            if not message:
                return _failure(None, RpcError(-32600, "an empty batch"))
            answers = [await self._handle_one(each) for each in message]
            return [answer for answer in answers if answer is not None] or None
        return await self._handle_one(message)

    async def _handle_one(self, message: Any) -> Json | None:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return _failure(None, RpcError(-32600, "not a JSON-RPC 2.0 message"))
        if "method" not in message or message.get("id") is None:
            return None  # an answer, or a notification: nothing here depends on one
        message_id = message["id"]
        if not isinstance(message_id, str | int | float):
            return _failure(None, RpcError(-32600, "an id must be a text or a number"))
        try:
            params = message.get("params") or {}
            if not isinstance(params, dict):
                raise RpcError(-32602, "params must be an object")
            return {"jsonrpc": "2.0", "id": message_id, "result": await self._answer(str(message["method"]), params)}
        except RpcError as error:
            return _failure(message_id, error)
        except Exception as error:  # noqa: BLE001 - a top handler: whoever asked is told, and the next message is read
            return _failure(message_id, RpcError(-32603, f"failed inside nightgarden ({type(error).__name__})"))

    async def _answer(self, method: str, params: Json) -> Json:
        about = params.get("_meta") or {}
        if not isinstance(about, dict):
            raise RpcError(-32602, "_meta must be an object")
        version = about.get(_VERSION_KEY)
        if version is not None and version not in STATELESS_VERSIONS:
            data = {"supported": [*HANDSHAKE_VERSIONS, *STATELESS_VERSIONS], "requested": version}
            raise RpcError(-32022, f"protocol version {version} is not spoken here", data)
        result = await self._dispatch(method, params)
        if version is not None:
            result = {**result, "resultType": "complete", "_meta": {_SERVER_KEY: SERVER}}
            if method in _CACHEABLE or method == "resources/read":
                result |= {"ttlMs": _CACHED_MS if method in _CACHEABLE else 0, "cacheScope": "private"}
        return result

    async def _dispatch(self, method: str, params: Json) -> Json:
        match method:
            case "initialize":
                wanted = params.get("protocolVersion")
                version = wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
                return {"protocolVersion": version, "serverInfo": SERVER, **_about()}
            case "server/discover":
                return {"supportedVersions": [*STATELESS_VERSIONS, *reversed(HANDSHAKE_VERSIONS)], **_about()}
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [tool.listing() for tool in LISTED.values()]}
            case "tools/call":
                return await self._call(params)
            case "resources/list":
                return {"resources": list(offers.RESOURCES)}
            case "resources/templates/list":
                return {"resourceTemplates": list(offers.RESOURCE_TEMPLATES)}
            case "resources/read":
                return await self._read(params)
            case "prompts/list":
                return {"prompts": list(offers.PROMPTS)}
            case "prompts/get":
                return await self._prompt(params)
            case _:
                raise RpcError(-32601, f"there is no method {method}")

    async def _call(self, params: Json) -> Json:
        if params.get("name") == HOOK_TOOL and self._hook is not None:
            sent = params.get("arguments") or {}
            return {"content": [_text(await self._hook(sent if isinstance(sent, dict) else {}))], "isError": False}
        given = params.get("arguments") or {}
        if not isinstance(given, dict):
            raise RpcError(-32602, "arguments must be an object")
        try:
            chosen = choose(str(params.get("name")), given)
        except BadInput as error:
            return _tool_error(str(error))
        if chosen is None:
            raise RpcError(-32602, f"there is no tool {params.get('name')!r}; there are {', '.join(LISTED)}")
        tool, given = chosen
        directory = given.get("directory")
        arguments = {name: value for name, value in given.items() if name != "directory" and value not in (None, "")}
        try:
            arguments = {**tool.always, **writable(read_arguments(tool.name, tool.fields, arguments))}
        except BadInput as error:
            return _tool_error(str(error))
        if tool.operation.operation in _SESSIONS_OWN and self._session_id:
            arguments["session_id"] = self._session_id
        try:
            full = await self._ask(
                tool.operation.operation, arguments, directory if isinstance(directory, str) else None
            )
        except Refusal as error:
            return _tool_error(str(error))
        shape = tool.lean.cut(full)
        return {"content": [_text(json.dumps(shape, ensure_ascii=False))], "structuredContent": shape, "isError": False}

    async def _read(self, params: Json) -> Json:
        uri = str(params.get("uri"))
        kind = "application/json"
        try:
            if uri == "nightgarden://briefing":
                text = (await self._ask("briefing", {}, None))["text"] or "Nothing is remembered here yet."
                kind = "text/markdown"
            elif uri == "nightgarden://memories":
                text = _pretty(TOOLS["memory_list"].lean.cut(await self._ask("list", {"limit": 50}, None)))
            elif uri.startswith(offers.MEMORY_URI):
                text = _pretty(await self._ask("get", {"id": uri.removeprefix(offers.MEMORY_URI)}, None))
            else:
                raise Refusal("NotFound", f"there is no resource {uri}")
        except Refusal as error:
            raise RpcError(-32002 if error.kind == "NotFound" else -32603, str(error), {"uri": uri}) from error
        return {"contents": [{"uri": uri, "mimeType": kind, "text": text}]}

    async def _prompt(self, params: Json) -> Json:
        name, given = params.get("name"), params.get("arguments") or {}
        known = {prompt["name"]: prompt["description"] for prompt in offers.PROMPTS}
        if not isinstance(name, str) or name not in known or not isinstance(given, dict):
            raise RpcError(-32602, f"there is no prompt {name!r}; there are {', '.join(known)}")
        try:
            if name == "brief":
                told = await self._ask("briefing", {"task": str(given.get("task") or "")}, None)
                text = told["text"] or "Nothing is remembered here yet."
            elif name == "recall":
                if not given.get("topic"):
                    raise RpcError(-32602, "the prompt recall needs the argument topic")
                found = await self._ask("recall", {"query": str(given["topic"]), "limit": 8}, None)
                text = _fenced(str(given["topic"]), found["results"])
            else:
                text = offers.KEEP_TEXT
        except Refusal as error:
            raise RpcError(-32603, str(error)) from error
        return {"description": known[name], "messages": [{"role": "user", "content": _text(text)}]}


def _fenced(topic: str, results: list[Json]) -> str:
    """What was recalled, as a turn shows it: data behind our fence, outside text quoted and named as such. It goes into
    a message of the user's, where anything else would be read as the user's own words."""
    # 100 ms of the rules about orders in a text, when a prompt is asked for and not at the start
    from nightgarden.domain.taint import fence
    from nightgarden.recall.inject import HEAD
    from nightgarden.recall.line import clean, write_line

    lines = []
    for result in results:
        passage = result["kind"] == "passage"
        notes = [str(result["created_at"])[:10]]
        notes += [f"said by {clean(result['speaker'])[:40] or 'somebody'} in an earlier session"] if passage else []
        notes += ["outside text, unverified"] if result["tainted"] else []
        lines.append(write_line(result["content"], notes, quoted=passage or result["tainted"]))
    about = f"What is remembered about {clean(topic)}:"
    return fence("\n".join([HEAD, about, *(lines or ["nothing"])]), note='kind="data"')


def _about() -> Json:
    return {"capabilities": _CAPABILITIES, "instructions": offers.INSTRUCTIONS}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _tool_error(sentence: str) -> Json:
    """The model reads this and can act on it."""
    return {"content": [_text(sentence)], "isError": True}


def _failure(message_id: Any, error: RpcError) -> Json:
    body: Json = {"code": error.code, "message": str(error)}
    if error.data is not None:
        body["data"] = error.data
    return {"jsonrpc": "2.0", "id": message_id, "error": body}
