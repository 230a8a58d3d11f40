"""The requests of the client's methods, as data, so that the sync and the async client share them."""

import hashlib
import json
import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from uuid import uuid4

PAGE = 200
#: Rows with which the service ends an export without a job.
DOWNLOADED_ROWS = 10_000
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


def path_of(*segments: str | int) -> str:
    """A path of these segments, whatever characters they have; ValueError for one that would lead elsewhere."""
    texts = [str(segment) for segment in segments]
    if any(text in ("", ".", "..") for text in texts):
        raise ValueError(f"{segments[-1]!r} is no id")
    return "".join("/" + quote(text, safe="") for text in texts)


def checked_path(path: str) -> str:
    """A path as given; ValueError unless it begins with a slash and stays below the workspace."""
    parts = path.partition("?")[0].lower().replace("%2e", ".").split("/")
    if parts[0] != "" or "." in parts or ".." in parts:
        raise ValueError(f"{path!r} is no path below the workspace")
    return path


def json_value(value: Any) -> Any:
    """A value as JSON has it: times in ISO 8601, sets and other iterables as lists, numbers of NumPy as numbers.

    Raises TypeError for anything else, such as bytes.
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Mapping):
        return {str(name): json_value(one) for name, one in value.items()}
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return json_value(value.item())
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray, memoryview)):
        return [json_value(one) for one in value]
    if hasattr(value, "__index__"):
        return operator.index(value)
    if hasattr(value, "__float__"):
        return float(value)
    raise TypeError(f"{type(value).__name__} cannot be sent: {value!r}")


def given(filters: Mapping[str, Any]) -> dict[str, Any]:
    """Filters as JSON has them, without those that are None; ValueError for one that allows no value."""
    values = {name: json_value(value) for name, value in filters.items() if value is not None}
    for name, value in values.items():
        if isinstance(value, dict):
            raise TypeError(f"{name} cannot be a mapping")
        if isinstance(value, list):
            values[name] = [one for one in value if one is not None]
            if not values[name]:
                raise ValueError(f"{name} has no values; leave it out or give it None to allow all")
    return values


def parameters(filters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Query parameters: None is left out, any iterable repeats its name, booleans are lower case."""
    pairs: list[tuple[str, str]] = []
    for name, value in given(filters).items():
        values = value if isinstance(value, list) else [value]
        pairs += [(name, one if isinstance(one, str) else json.dumps(one)) for one in values]
    return pairs


def start_job(job: Mapping[str, Any], idempotency_key: str | None) -> Operation:
    return Operation("POST", "/jobs", json=json_value(job), headers=_once(idempotency_key))


def create_export(of: str, format: str, filters: Mapping[str, Any]) -> Operation:
    export = {"of": of, "format": format, "filters": given(filters)}
    return Operation("POST", "/exports", json=export, headers=_once(None))


def download(of: str, format: str, filters: Mapping[str, Any], total: int) -> Operation:
    """An export without a job, which a key that may only read needs; ValueError when it would be cut."""
    if total > DOWNLOADED_ROWS:
        limit = f"{DOWNLOADED_ROWS:,}"
        raise ValueError(f"{total:,} rows match: more than {limit} need a key with the scope write, or more filters")
    return Operation("GET", path_of("exports", of), params=parameters({**filters, "format": format}))


def get(resource: str, filters: Mapping[str, Any]) -> Operation:
    """What a resource says of the rows that match."""
    return Operation("GET", f"/{resource}", params=parameters(filters))


def send(method: str, segments: tuple[str, ...], body: Mapping[str, Any] | None = None) -> Operation:
    """A change of a resource. A creation is safe to repeat, by a new idempotency key."""
    return Operation(method, path_of(*segments), json=json_value(body), headers=_once(None) if method == "POST" else {})


def page(of: str, filters: Mapping[str, Any], size: int | None, cursor: str) -> Operation:
    """A page of a list behind a cursor; empty is the first page."""
    return get(of, {**filters, "limit": size, "cursor": cursor})


def checked_part(part: Mapping[str, Any], content: bytes) -> bytes:
    """The content of a part of an export; RuntimeError when it is not what the service wrote."""
    if hashlib.sha256(content).hexdigest() != part["sha256"]:
        raise RuntimeError(f"The download of {part['path']} is damaged: its SHA-256 differs")
    return content


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
