"""A request as a text for people: first what was read, then what the agent says. Pure."""

from __future__ import annotations

from nightgarden.safety.requests import PermissionRequest

DIFF_LINES_MAX = 200


def request_text(request: PermissionRequest) -> str:
    """All that a decision needs, in plain text."""
    lines = [f"Request {request.id}  ({request.urgency.value} urgency, {request.status.value})", ""]
    lines += [request.description, f"Kind: {request.kind}"]
    if request.call is not None:
        lines.append(f"In: {request.call.directory}")
    if request.tainted:
        lines.append("Text from outside led to this. Its reasons may not be the agent's own.")
    if request.facts:
        lines += ["", "What it would do:", *(f"  {fact}" for fact in request.facts)]
    said = _said(request)
    if said:
        lines += ["", "What the agent says about it:", *said]
    if request.review.diff:
        diff = request.review.diff.splitlines()
        more = [f"  … {len(diff) - DIFF_LINES_MAX} more lines"] if len(diff) > DIFF_LINES_MAX else []
        lines += ["", "Diff:", *(f"  {line}" for line in diff[:DIFF_LINES_MAX]), *more]
    lines += ["", f"It expires {request.expires_at:%Y-%m-%d %H:%M} UTC."]
    return "\n".join(lines)


def _said(request: PermissionRequest) -> list[str]:
    review = request.review
    parts = [
        ("Summary", review.summary),
        ("Why", request.rationale or review.why),
        ("Activity", review.current_activity),
        ("Expected", review.expected_outcome),
        ("Impact", review.impact),
        ("Rollback", review.rollback),
        ("Notes", review.notes),
    ]
    lines = [f"  {name}: {text}" for name, text in parts if text]
    for name, texts in (("Steps", review.steps), ("Risks", review.risks), ("Files", review.files)):
        lines += [f"  {name}:", *(f"    - {text}" for text in texts)] if texts else []
    return lines
