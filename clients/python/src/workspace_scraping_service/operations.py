"""The requests of the client's methods, as data, so that the sync and the async client share them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

PAGE = 200
#: Statuses of jobs and exports that no longer change.
ENDED = frozenset({"completed", "failed", "cancelled"})
#: Seconds between two looks at an export that is being written.
EXPORT_POLL_SECONDS = 0.1
#: Seconds before a broken event stream is opened again.
RECONNECT_SECONDS = 1.0


@dataclass(frozen=True)
class Operation:
    """One request below the workspace's path."""

    method: str
    path: str
    params: list[tuple[str, str]] = field(default_factory=list)
    json: Any = None
    headers: dict[str, str] = field(default_factory=dict)


def parameters(filters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Query parameters: None is left out, a list repeats its name, booleans are lower case."""
    pairs: list[tuple[str, str]] = []
    for name, value in filters.items():
        values: Iterable[Any] = value if isinstance(value, (list, tuple, set)) else [value]
        pairs += [(name, _text(one)) for one in values if one is not None]
    return pairs


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def start_job(job: Mapping[str, Any], idempotency_key: str | None) -> Operation:
    return Operation("POST", "/jobs", json=dict(job), headers=_once(idempotency_key))


def create_export(of: str, format: str, filters: Mapping[str, Any]) -> Operation:
    given = {name: value for name, value in filters.items() if value is not None}
    return Operation("POST", "/exports", json={"of": of, "format": format, "filters": given}, headers=_once(None))


def page(of: str, filters: Mapping[str, Any], cursor: str) -> Operation:
    """A page of ``posts`` or ``comments`` behind a cursor; empty is the first page."""
    query = {"limit": PAGE, **filters, "cursor": cursor}
    return Operation("GET", f"/{of}", params=parameters(query))


def _once(key: str | None) -> dict[str, str]:
    return {"Idempotency-Key": key or str(uuid4())}


class EventParser:
    """Parses the lines of a ``text/event-stream`` into (type, data)."""

    def __init__(self) -> None:
        self._type = "message"
        self._data: list[str] = []

    def feed(self, line: str) -> tuple[str, str] | None:
        """Take one line without its end; return the event that it completes, if any."""
        if line == "":
            event = (self._type, "\n".join(self._data)) if self._data else None
            self._type, self._data = "message", []
            return event
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            self._type = value
        elif name == "data":
            self._data.append(value)
        return None


class JobChanges:
    """Keeps the records of a job's event stream that differ from the one before."""

    def __init__(self) -> None:
        self._parser = EventParser()
        self._last = ""

    def reopen(self) -> None:
        """Forget an event that a broken connection left incomplete."""
        self._parser = EventParser()

    def feed(self, line: str) -> dict[str, Any] | None:
        event = self._parser.feed(line)
        if event is None or event[0] not in ("progress", "end") or event[1] == self._last:
            return None
        self._last = event[1]
        return json.loads(event[1])
