"""Exceptions of the client."""

from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

#: Most characters that an error quotes from a response that is not a problem document.
QUOTED_CHARACTERS = 200


class ApiError(Exception):
    """A response other than a success.

    ``status`` is the HTTP status, ``code`` the service's stable code (``not_found``; ``http_STATUS`` when the
    response is not a problem document), ``problem`` the document itself or None, ``retry_after`` the seconds of
    ``Retry-After`` or None.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        problem: dict[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.problem = problem
        self.retry_after = retry_after

    @classmethod
    def of(cls, response: httpx.Response) -> "ApiError":
        """Create the error for a response whose body has been read, whatever the body is."""
        wait = retry_after_seconds(response)
        try:
            body = response.json()
        except ValueError:
            body = None
        if isinstance(body, dict) and isinstance(body.get("code"), str) and isinstance(body.get("detail"), str):
            return cls(response.status_code, body["code"], _sentence(body), body, wait)
        quoted = " ".join(response.text.split())[:QUOTED_CHARACTERS]
        summary = f"HTTP {response.status_code} {response.reason_phrase}".strip()
        return cls(
            response.status_code,
            f"http_{response.status_code}",
            f"{summary}: {quoted}" if quoted else summary,
            None,
            wait,
        )


def _sentence(problem: dict[str, Any]) -> str:
    """Code and detail, and what is wrong with each field."""
    reasons = [str(one.get("message")) for one in problem.get("errors") or [] if isinstance(one, dict)]
    return "; ".join([f"{problem['code']}: {problem['detail']}", *reasons])


class WebhookVerificationError(Exception):
    """A delivery that was not signed with the secret, or is too old."""


def retry_after_seconds(response: httpx.Response) -> float | None:
    """Seconds that ``Retry-After`` requires, from a number or a date; None when it gives none."""
    value = response.headers.get("retry-after")
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())
