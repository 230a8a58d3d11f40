"""The client for ordinary programs. Made from ``aio.py`` by ``npm run client:generate``."""

import time
from collections.abc import Iterator, Mapping
from typing import IO, TYPE_CHECKING, Any, Literal, Unpack
from urllib.parse import quote

import httpx

from . import operations
from .errors import ApiError
from .frames import FrameBuilder
from .models import (
    AlertDto,
    BucketDto,
    CommentFilters,
    CommentListItemDto,
    CreateAlertDto,
    CreateReportDto,
    ExportDto,
    ExportFilters,
    FacetFilters,
    FacetsDto,
    JobDto,
    MatchDto,
    MatchFilters,
    PostFilters,
    PostListItemDto,
    ReportContentDto,
    ReportDto,
    SpikeDto,
    SpikeFilters,
    StoryDto,
    StoryFilters,
    TimeSeriesFilters,
    UpdateAlertDto,
    UpdateMatchDto,
)
from .operations import ENDED, EXPORT_POLL_SECONDS, PAGE, RECONNECT_SECONDS, JobChanges, Operation
from .retry import Retry, is_transient

if TYPE_CHECKING:
    import pandas

Of = Literal["posts", "comments"]
ExportFormat = Literal["csv", "json", "ndjson", "parquet"]


class Client:
    """A client of one workspace.

    ``workspace_id`` may be left out: ``current`` stands for the workspace of the key. ``http`` replaces the HTTP
    client, e.g. by one with a proxy. Close it, or use it in a ``with`` statement.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        workspace_id: str = "current",
        *,
        retry: Retry = Retry(),
        http: httpx.Client | None = None,
    ) -> None:
        self._http = http or httpx.Client(timeout=httpx.Timeout(60.0, connect=10.0))
        self._root = f"{base_url.rstrip('/')}/api/v1/workspaces/{quote(workspace_id, safe='')}"
        self._headers = {"X-API-Key": api_key}
        self._retry = retry

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Send any operation of the contract; ``path`` is below the workspace, e.g. ``/alerts``.

        Returns the parsed JSON. Raises ApiError for a refusal, ValueError for a path that leads elsewhere.
        """
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        query = operations.parameters(params or {})
        body = operations.json_value(json)
        return self._json(Operation(method, operations.checked_path(path), query, body, headers))

    def start_job(self, target: str, *, idempotency_key: str | None = None, **options: Any) -> JobDto:
        """Start a scrape of ``target``; ``options`` are the other fields of the operation.

        A repeated request does not start a second job: each call uses an idempotency key, by default a new one.
        """
        return self._json(operations.start_job({"target": target, **options}, idempotency_key))

    def get_job(self, job_id: str) -> JobDto:
        """The current record of a job."""
        return self._json(Operation("GET", operations.path_of("jobs", job_id)))

    def follow_job(self, job_id: str, *, timeout: float = 600.0) -> Iterator[JobDto]:
        """Yield the job now and after every change, the ended one last.

        A broken stream is opened again, also while the service restarts. Raises TimeoutError when the job has not
        ended after ``timeout`` seconds.
        """
        deadline = time.monotonic() + timeout
        path = operations.path_of("jobs", job_id) + "/events"
        changes = JobChanges()
        while True:
            try:
                with self._stream(Operation("GET", path)) as response:
                    for line in response.iter_lines():
                        if (job := changes.feed(line.rstrip("\r\n"))) is not None:
                            yield job
                            if job["status"] in ENDED:
                                return
                        _check(deadline, job_id)
            except ApiError as error:
                if not is_transient(error.status):
                    raise
            except httpx.TransportError:
                pass
            changes.reopen()
            _check(deadline, job_id)
            time.sleep(RECONNECT_SECONDS)

    def wait_for_job(self, job_id: str, *, timeout: float = 600.0) -> JobDto:
        """Wait until the job has completed, failed or been cancelled, and return it. Raises TimeoutError."""
        job = None
        for job in self.follow_job(job_id, timeout=timeout):
            pass
        assert job is not None
        return job

    def posts(
        self, *, limit: int | None = None, page_size: int = PAGE, **filters: Unpack[PostFilters]
    ) -> Iterator[PostListItemDto]:
        """Every matching post, e.g. ``client.posts(q='battery', forum=['a', 'b'])``, at most ``limit`` of them.

        They are read in pages of ``page_size``. Posts that exist throughout are returned exactly once, whatever is
        written meanwhile.
        """
        return self._each("posts", filters, limit, page_size)

    def comments(
        self, *, limit: int | None = None, page_size: int = PAGE, **filters: Unpack[CommentFilters]
    ) -> Iterator[CommentListItemDto]:
        """Every matching comment, at most ``limit`` of them, as with ``posts``."""
        return self._each("comments", filters, limit, page_size)

    def facets(self, **filters: Unpack[FacetFilters]) -> FacetsDto:
        """Count matching rows by the values of fields, e.g. ``by="forum,sentiment"``."""
        return self._json(operations.get("analytics/facets", filters))

    def time_series(self, **filters: Unpack[TimeSeriesFilters]) -> list[BucketDto]:
        """Numbers of matching rows by ``interval``, in chronological order without gaps."""
        return (self._json(operations.get("analytics/timeseries", filters)))["buckets"]

    def spikes(self, **filters: Unpack[SpikeFilters]) -> list[SpikeDto]:
        """The at most ten periods with unusually many matching rows, in chronological order."""
        return (self._json(operations.get("analytics/spikes", filters)))["spikes"]

    def stories(self, *, limit: int | None = None, **filters: Unpack[StoryFilters]) -> Iterator[StoryDto]:
        """Groups of posts or comments about the same, the largest first, at most ``limit`` of them."""
        return self._each("stories", filters, limit, None)

    def matches(
        self, *, limit: int | None = None, page_size: int = PAGE, **filters: Unpack[MatchFilters]
    ) -> Iterator[MatchDto]:
        """What alerts have matched, at most ``limit`` of them."""
        return self._each("matches", filters, limit, page_size)

    def update_match(self, match_id: str, **change: Unpack[UpdateMatchDto]) -> MatchDto:
        """Change the state, label or note of a match."""
        return self._json(operations.send("PATCH", ("matches", match_id), change))

    def alerts(self) -> list[AlertDto]:
        """All alerts with every field, the oldest first."""
        return self._json(operations.get("alerts", {"view": "full"}))

    def create_alert(self, **alert: Unpack[CreateAlertDto]) -> AlertDto:
        """Create an alert, e.g. ``client.create_alert(name='Ours', keywords=['acme'])``."""
        return self._json(operations.send("POST", ("alerts",), alert))

    def update_alert(self, alert_id: str, **change: Unpack[UpdateAlertDto]) -> AlertDto:
        """Change the given fields of an alert."""
        return self._json(operations.send("PATCH", ("alerts", alert_id), change))

    def delete_alert(self, alert_id: str) -> None:
        """Delete an alert."""
        self._json(operations.send("DELETE", ("alerts", alert_id)))

    def reports(self) -> list[ReportDto]:
        """All reports."""
        return self._json(operations.get("reports", {}))

    def create_report(self, **report: Unpack[CreateReportDto]) -> ReportDto:
        """Create a report that is sent every day, week or month."""
        return self._json(operations.send("POST", ("reports",), report))

    def latest_report(self, report_id: str) -> ReportContentDto:
        """The content of a report that was sent last."""
        return self._json(Operation("GET", operations.path_of("reports", report_id, "latest")))

    def delete_report(self, report_id: str) -> None:
        """Delete a report."""
        self._json(operations.send("DELETE", ("reports", report_id)))

    def export_to(
        self, sink: IO[bytes], *, of: Of = "posts", format: ExportFormat = "csv", **filters: Unpack[ExportFilters]
    ) -> int:
        """Write an export job's file into ``sink`` and return its number of bytes, for any number of rows.

        Each part is written as soon as it has arrived whole. Several parts follow each other, which only ``ndjson`` and
        ``csv`` allow; other formats raise ValueError when there is more than one, before anything is written. So does a
        key without the scope ``write`` when there are more than 10,000 rows.
        """
        count = 0
        joins = format in ("csv", "ndjson")
        for n, part in self._parts(of, format, filters, as_written=joins):
            if n > 1 and format == "csv":
                part = part[part.index(b"\n") + 1 :]
            count += sink.write(part)
        return count

    def to_dataframe(self, of: Of = "posts", **filters: Unpack[ExportFilters]) -> "pandas.DataFrame":
        """All matching rows as a pandas DataFrame with every field of a record; needs pandas.

        Raises ValueError for a key without the scope ``write`` when there are more than 10,000 rows.
        """
        builder = FrameBuilder(of)
        for _, part in self._parts(of, builder.format, filters, as_written=True):
            builder.add(part)
        return builder.build()

    def _parts(
        self, of: str, format: str, filters: Mapping[str, Any], *, as_written: bool
    ) -> Iterator[tuple[int, bytes]]:
        """The files of a new export with their numbers, as soon as each is written or else when all are.

        A key that may only read gets one file without a job.
        """
        values = operations.given(filters)
        try:
            export: ExportDto = self._json(operations.create_export(of, format, values))
        except ApiError as error:
            if error.code != "insufficient_scope":
                raise
            total = (self._json(operations.page(of, values, 1, "")))["total"]
            download = self._send(operations.download(of, format, values, total))
            yield 1, download.content
            return
        path = operations.path_of("exports", export["id"])
        count = 0
        while True:
            has_ended = export["status"] in ENDED
            if has_ended and export["status"] != "completed":
                raise RuntimeError(f"The export {export['id']} ended as {export['status']}")
            if has_ended and not as_written and len(export["parts"]) > 1:
                raise ValueError(f"The export has {len(export['parts'])} parts, which only csv and ndjson can join")
            new = export["parts"][count:] if as_written or has_ended else []
            for part in new:
                count += 1
                response = self._send(Operation("GET", f"{path}/parts/{count}"))
                yield count, operations.checked_part(part, response.content)
            if has_ended:
                return
            if not new:
                time.sleep(EXPORT_POLL_SECONDS)
            export = self._json(Operation("GET", path))

    def _each(
        self, of: str, filters: Mapping[str, Any], limit: int | None, page_size: int | None
    ) -> Iterator[Any]:
        """The rows of a list behind its cursors; a list without ``page_size`` has pages of its own size."""
        values = operations.given(filters)
        left, cursor = limit, ""
        while left is None or left > 0:
            size = page_size if page_size is None or left is None else min(page_size, left)
            page = self._json(operations.page(of, values, size, cursor))
            rows = page[of][:left]
            for row in rows:
                yield row
            left = left if left is None else left - len(rows)
            if not page["has_more"]:
                return
            cursor = page["cursor"]

    def _json(self, operation: Operation) -> Any:
        response = self._send(operation)
        try:
            return response.json() if response.content else None
        except ValueError as error:
            raise ApiError(response.status_code, "not_json", f"The answer is not JSON: {error}") from error

    def _build(self, operation: Operation) -> httpx.Request:
        return self._http.build_request(
            operation.method,
            self._root + operation.path,
            params=operation.params,
            json=operation.json,
            headers=self._headers | operation.headers,
        )

    def _send(self, operation: Operation, *, stream: bool = False) -> httpx.Response:
        attempt = 0
        while True:
            attempt += 1
            request = self._build(operation)
            try:
                response = self._http.send(request, stream=stream)
            except httpx.TransportError as error:
                wait = self._retry.wait_after(attempt, request, error)
                if wait is None:
                    raise
            else:
                if response.is_success:
                    return response
                response.read()
                response.close()
                wait = self._retry.wait_after(attempt, request, response)
                if wait is None:
                    raise ApiError.of(response)
            time.sleep(wait)

    def _stream(self, operation: Operation) -> "_Streamed":
        return _Streamed(self._send(operation, stream=True))


class _Streamed:
    """Closes a streamed response at the end of a ``with`` statement."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    def __enter__(self) -> httpx.Response:
        return self._response

    def __exit__(self, *_: object) -> None:
        self._response.close()


def _check(deadline: float, job_id: str) -> None:
    if time.monotonic() > deadline:
        raise TimeoutError(f"{job_id} has not ended in time")
