"""The OpenAPI description of the REST interface, made from the catalogue of operations."""

from __future__ import annotations

from typing import Any

from nightgarden._version import __version__
from nightgarden.domain.requests.declare import OperationRequest
from nightgarden.surfaces.operations.perform import answer_of
from nightgarden.surfaces.operations.registry import OPERATIONS
from nightgarden.surfaces.operations.schema import schema_of
from nightgarden.surfaces.operations.spec import arguments_schema, field_schema, offered

PREFIX = "/api/v1/"
DIRECTORY_HEADER = "X-Nightgarden-Directory"
_DIRECTORY = {
    "name": DIRECTORY_HEADER,
    "in": "header",
    "description": "Absolute path of the directory the caller works in; it decides the project.",
    "schema": {"type": "string"},
}
_ERROR = {
    "description": "What went wrong, and what to do",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}


def describe_api(url: str) -> dict[str, Any]:
    """The document served at /openapi.json."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "nightgarden",
            "version": __version__,
            "description": "Long-term memory for agents. Shapes of answers are those of `nightgarden … --json`.",
        },
        "servers": [{"url": url}],
        "security": [{"token": []}],
        "paths": {PREFIX + name: _path(request) for name, request in OPERATIONS.items() if not request.own_process_only}
        | {"/api/v1/status": {"get": _status()}, "/changes": {"get": _changes()}},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {
                "Error": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {
                        "error": {
                            "type": "object",
                            "required": ["kind", "message"],
                            "properties": {"kind": {"type": "string"}, "message": {"type": "string"}},
                        }
                    },
                }
            },
        },
    }


def _path(request: type[OperationRequest]) -> dict[str, Any]:
    answer = answer_of(request)
    common = {"summary": request.__doc__, "responses": _responses(schema_of(answer))}
    fields = offered(request)
    post = {
        **common,
        "operationId": request.operation,
        "parameters": [_DIRECTORY],
        "requestBody": {
            "required": any(field.required for field in fields),
            "content": {"application/json": {"schema": arguments_schema(fields)}},
        },
    }
    if not request.reads:
        return {"post": post}
    asked = [
        {"name": field.name, "in": "query", "required": field.required, "schema": field_schema(field)}
        for field in fields
    ]
    get = {**common, "operationId": f"get_{request.operation}", "parameters": [_DIRECTORY, *asked]}
    return {"post": post, "get": get}


def _responses(answer: dict[str, Any]) -> dict[str, Any]:
    ok = {"description": "Done", "content": {"application/json": {"schema": answer}}}
    return {"200": ok, "default": _ERROR}


def _status() -> dict[str, Any]:
    return {
        "summary": "Whether the daemon and its background jobs are well.",
        "operationId": "status",
        "responses": _responses({"type": "object"}),
    }


def _changes() -> dict[str, Any]:
    after = {
        "name": "after",
        "in": "query",
        "description": "id of the last change that was seen; empty: from the beginning; left out: from now on",
        "schema": {"type": "string"},
    }
    stream = {"description": "Events named `change`", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    return {
        "summary": "Changes as they happen, as server-sent events: a journal entry each, at least once.",
        "operationId": "changes",
        "parameters": [_DIRECTORY, after],
        "responses": {"200": stream, "default": _ERROR},
    }
