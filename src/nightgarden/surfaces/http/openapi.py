"""The OpenAPI description of the REST interface, made from the catalogue of operations."""

from __future__ import annotations

from typing import Any

from nightgarden._version import __version__
from nightgarden.surfaces.operations.catalog import OPERATIONS
from nightgarden.surfaces.operations.spec import Operation, arguments_schema, parameter_schema

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
        "paths": {PREFIX + operation.name: _path(operation) for operation in OPERATIONS.values()}
        | {"/api/v1/status": {"get": _status()}},
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


def _path(operation: Operation) -> dict[str, Any]:
    common = {"summary": operation.overview, "responses": _responses()}
    post = {
        **common,
        "operationId": operation.name,
        "parameters": [_DIRECTORY],
        "requestBody": {
            "required": any(parameter.required for parameter in operation.parameters),
            "content": {"application/json": {"schema": arguments_schema(operation.parameters)}},
        },
    }
    if not operation.reads:
        return {"post": post}
    asked = [
        {"name": p.name, "in": "query", "required": p.required, "schema": parameter_schema(p)}
        for p in operation.parameters
    ]
    return {"post": post, "get": {**common, "operationId": f"get_{operation.name}", "parameters": [_DIRECTORY, *asked]}}


def _responses() -> dict[str, Any]:
    ok = {"description": "Done", "content": {"application/json": {"schema": {"type": "object"}}}}
    return {"200": ok, "default": _ERROR}


def _status() -> dict[str, Any]:
    return {"summary": "How the daemon does.", "operationId": "status", "responses": _responses()}
