"""Requests about people who are spoken of in channels."""

from __future__ import annotations

from nightgarden.domain.requests.declare import OperationRequest, arg


class PersonTraces(OperationRequest, name="person_traces", reads=True, users_only="purge", own_process_only=True):
    """What somebody said in channels, and what names them."""

    person: str = arg("their name")


class PurgePerson(OperationRequest, name="purge_person", users_only="purge", own_process_only=True):
    """Erase for good everything that somebody said in channels or that names them, from backups too."""

    person: str = arg("their name")
