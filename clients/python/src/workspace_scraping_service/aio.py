"""The client for programs on asyncio. ``client.py`` is made from this file by ``npm run client:generate``."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from typing import IO, TYPE_CHECKING, Any

import httpx

from . import operations
from .errors import ApiError
from .frames import FrameBuilder
from .models import CommentListItemDto, ExportDto, JobDto, PostListItemDto
from .operations import ENDED, EXPORT_POLL_SECONDS, RECONNECT_SECONDS, JobChanges, Operation
from .retry import Retry, is_transient

if TYPE_CHECKING:
    import pandas


class AsyncClient:
    """A client of one workspace.

    ``workspace_id`` may be left out: ``current`` stands for the workspace of the key. ``http`` replaces the HTTP
    client, e.g. by one with a proxy. Close it, or use it in an ``async with`` statement.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        workspace_id: str = "current",
        *,
        retry: Retry = Retry(),
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._http = http or httpx.AsyncClient(timeout=httpx.Timeout(60.0, connect=10.0))
        self._root = f"{base_url.rstrip('/')}/api/v1/workspaces/{workspace_id}"
        self._headers = {"X-API-Key": api_key}
        self._retry = retry

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Send any operation of the contract; ``path`` is below the workspace, e.g. ``/alerts``.

        Returns the parsed JSON. Raises ApiError for a refusal.
        """
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        return await self._json(Operation(method, path, operations.parameters(params or {}), json, headers))

    async def start_job(self, target: str, *, idempotency_key: str | None = None, **options: Any) -> JobDto:
        """Start a scrape of ``target``; ``options`` are the other fields of the operation.

        A repeated request does not start a second job: each call uses an idempotency key, by default a new one.
        """
        return await self._json(operations.start_job({"target": target, **options}, idempotency_key))

    async def get_job(self, job_id: str) -> JobDto:
        """The current record of a job."""
        return await self._json(Operation("GET", f"/jobs/{job_id}"))

    async def follow_job(self, job_id: str, *, timeout: float = 600.0) -> AsyncIterator[JobDto]:
        """Yield the job now and after every change, the ended one last.

        A broken stream is opened again, also while the service restarts. Raises TimeoutError when the job has not
        ended after ``timeout`` seconds.
        """
        deadline = time.monotonic() + timeout
        changes = JobChanges()
        while True:
            try:
                async with await self._stream(Operation("GET", f"/jobs/{job_id}/events")) as response:
                    async for line in response.aiter_lines():
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
            await asyncio.sleep(RECONNECT_SECONDS)

    async def wait_for_job(self, job_id: str, *, timeout: float = 600.0) -> JobDto:
        """Wait until the job has completed, failed or been cancelled, and return it. Raises TimeoutError."""
        job = None
        async for job in self.follow_job(job_id, timeout=timeout):
            pass
        assert job is not None
        return job

    def posts(self, **filters: Any) -> AsyncIterator[PostListItemDto]:
        """Every matching post, page by page, e.g. ``client.posts(q='battery', forum=['a', 'b'])``.

        Posts that exist throughout are returned exactly once, whatever is written meanwhile.
        """
        return self._each("posts", filters)

    def comments(self, **filters: Any) -> AsyncIterator[CommentListItemDto]:
        """Every matching comment, page by page."""
        return self._each("comments", filters)

    async def export_to(self, sink: IO[bytes], *, of: str = "posts", format: str = "csv", **filters: Any) -> int:
        """Write an export job's file into ``sink`` and return its number of bytes, for any number of rows.

        ``format`` is one of the service's formats. Several parts follow each other, which only ``ndjson`` and ``csv``
        allow; other formats raise ValueError when there is more than one.
        """
        parts = [part async for part in self._parts(operations.create_export(of, format, filters))]
        if len(parts) > 1 and format not in ("csv", "ndjson"):
            raise ValueError(f"The export has {len(parts)} parts, which only csv and ndjson can join")
        count = 0
        for index, part in enumerate(parts):
            if index > 0 and format == "csv":
                part = part[part.index(b"\n") + 1 :]
            count += sink.write(part)
        return count

    async def to_dataframe(self, of: str = "posts", **filters: Any) -> "pandas.DataFrame":
        """All matching rows as a pandas DataFrame with every field of a record; needs pandas."""
        builder = FrameBuilder()
        async for part in self._parts(operations.create_export(of, builder.format, filters)):
            builder.add(part)
        return builder.build()

    async def _parts(self, operation: Operation) -> AsyncIterator[bytes]:
        """The files of a new export, each as soon as it is written."""
        export: ExportDto = await self._json(operation)
        count = 0
        while True:
            parts = range(count + 1, len(export["parts"]) + 1)
            for n in parts:
                yield (await self._send(Operation("GET", f"/exports/{export['id']}/parts/{n}"))).content
            count += len(parts)
            if export["status"] in ENDED:
                break
            if not parts:
                await asyncio.sleep(EXPORT_POLL_SECONDS)
            export = await self._json(Operation("GET", f"/exports/{export['id']}"))
        if export["status"] != "completed":
            raise RuntimeError(f"The export {export['id']} ended as {export['status']}")

    async def _each(self, of: str, filters: Mapping[str, Any]) -> AsyncIterator[Any]:
        cursor = ""
        while True:
            page = await self._json(operations.page(of, filters, cursor))
            for row in page[of]:
                yield row
            if not page["has_more"]:
                return
            cursor = page["cursor"]

    async def _json(self, operation: Operation) -> Any:
        response = await self._send(operation)
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

    async def _send(self, operation: Operation, *, stream: bool = False) -> httpx.Response:
        attempt = 0
        while True:
            attempt += 1
            request = self._build(operation)
            try:
                response = await self._http.send(request, stream=stream)
            except httpx.TransportError as error:
                wait = self._retry.wait_after(attempt, request, error)
                if wait is None:
                    raise
            else:
                if response.is_success:
                    return response
                await response.aread()
                await response.aclose()
                wait = self._retry.wait_after(attempt, request, response)
                if wait is None:
                    raise ApiError.of(response)
            await asyncio.sleep(wait)

    async def _stream(self, operation: Operation) -> "_Streamed":
        return _Streamed(await self._send(operation, stream=True))


class _Streamed:
    """Closes a streamed response at the end of an ``async with`` statement."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aenter__(self) -> httpx.Response:
        return self._response

    async def __aexit__(self, *_: object) -> None:
        await self._response.aclose()


def _check(deadline: float, job_id: str) -> None:
    if time.monotonic() > deadline:
        raise TimeoutError(f"{job_id} has not ended in time")
