"""Which requests are repeated, and when."""

import random
from dataclasses import dataclass

import httpx

from .errors import retry_after_seconds

FIRST_WAIT_SECONDS = 0.25
#: The service has not done anything yet, so any request may be repeated.
REFUSED_BEFORE_WORK = frozenset({429})
#: Something failed between client and service; the service may have done its work.
FAILED_ON_THE_WAY = frozenset({502, 503, 504})


@dataclass(frozen=True)
class Retry:
    """How requests are repeated after 429, 502, 503, 504 and broken connections.

    ``attempts`` counts all attempts of a request (1 disables retries); ``max_wait`` bounds the seconds between two
    of them, even if ``Retry-After`` is longer.
    """

    attempts: int = 4
    max_wait: float = 30.0

    def wait_after(
        self, attempt: int, request: httpx.Request, outcome: httpx.Response | httpx.TransportError
    ) -> float | None:
        """Seconds to wait before the next attempt; None when the outcome is final.

        A request that may have been carried out is repeated only if doing it twice equals doing it once: GET, HEAD,
        and any request with an ``Idempotency-Key``.
        """
        if attempt >= self.attempts:
            return None
        is_repeatable = request.method in ("GET", "HEAD") or "idempotency-key" in request.headers
        wait = FIRST_WAIT_SECONDS * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)
        if isinstance(outcome, httpx.Response):
            status = outcome.status_code
            if status not in REFUSED_BEFORE_WORK and not (is_repeatable and status in FAILED_ON_THE_WAY):
                return None
            wait = retry_after_seconds(outcome) or wait
        elif not is_repeatable:
            return None
        return min(self.max_wait, wait)


def is_transient(status: int) -> bool:
    """Whether the same request may succeed later after a response with this status."""
    return status in REFUSED_BEFORE_WORK or status in FAILED_ON_THE_WAY
