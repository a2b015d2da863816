"""The reference page of operations, made from their requests and the types of their answers."""

from __future__ import annotations

from collections.abc import Iterator

from nightgarden.domain.requests.declare import Field
from nightgarden.surfaces.json_shapes import RECORDS
from nightgarden.surfaces.operations.perform import answer_of
from nightgarden.surfaces.operations.registry import OPERATIONS
from nightgarden.surfaces.operations.schema import in_a_line
from nightgarden.surfaces.operations.spec import offered


def describe_operations() -> Iterator[str]:
    """The lines of the page."""
    yield "# Operations\n"
    yield "What can be asked by name and JSON: `POST /api/v1/NAME` of the daemon's HTTP server (what only reads also"
    yield "takes `GET`), described at `/openapi.json`. MCP tools and the command line ask for the same ones. Each is"
    yield "declared once, in `nightgarden/domain/requests`; earlier names of an argument are still taken.\n"
    for name, request in OPERATIONS.items():
        who = " Only the user may ask for it." if request.users_only else ""
        near = " Only on the machine itself, not over HTTP." if request.own_process_only else ""
        yield f"\n## {name}\n\n{request.__doc__}{' It changes nothing.' if request.reads else ''}{who}{near}"
        if described := offered(request):
            yield "\n| argument | | type | allowed | when left out | earlier names |\n|---|---|---|---|---|---|"
        for field in described:
            yield _operation_field(field)
        answer = in_a_line(answer_of(request), RECORDS)
        if answer:
            yield f"\nAnswer: `{answer}`."


def _operation_field(field: Field) -> str:
    default = "must be given" if field.required else f"`{field.default}`" if field.default else ""
    allowed = ", ".join(f"`{choice}`" for choice in field.choices)
    if field.min is not None:
        allowed = f"{field.min:g} to {field.max:g}" if field.max is not None else f"from {field.min:g}"
    earlier = ", ".join(f"`{alias}`" for alias in field.aliases)
    default = default if field.kind != "texts" or field.required else ""
    return f"| `{field.name}` | {field.help} | {field.kind} | {allowed} | {default} | {earlier} |"
