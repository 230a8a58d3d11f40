"""Rules that need no service."""

import base64
import collections
import datetime
import decimal
import gc
import hashlib
import hmac
import json
import io
import time
import unittest

import httpx

from workspace_scraping_service import ApiError, Client, Retry, WebhookVerificationError, verify_webhook
from workspace_scraping_service.frames import FrameBuilder
from workspace_scraping_service.operations import (
    EventParser,
    JobChanges,
    checked_path,
    create_export,
    given,
    json_value,
    parameters,
    path_of,
)

SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()
REQUEST = httpx.Request("POST", "http://service/jobs")


def signed(body: bytes, secret: bytes = b"k" * 24, at: int | None = None) -> dict[str, str]:
    sent_at = str(at if at is not None else int(time.time()))
    digest = hmac.digest(secret, f"id.{sent_at}.".encode() + body, hashlib.sha256)
    signature = "v1,bm90IGl0 v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "id", "WEBHOOK-TIMESTAMP": sent_at, "webhook-signature": signature}


class Webhooks(unittest.TestCase):
    def test_returns_the_event_whatever_the_case_of_the_headers(self) -> None:
        body = json.dumps({"type": "job.completed"}).encode()
        self.assertEqual(verify_webhook(SECRET, signed(body), body), {"type": "job.completed"})
        self.assertEqual(verify_webhook(SECRET, signed(body), bytearray(body)), {"type": "job.completed"})

    def test_takes_base64_after_the_prefix_and_any_other_secret_as_text(self) -> None:
        for secret, expected in (
            ("x", b"x"),
            ("geheim-ü", "geheim-ü".encode()),
            ("whsec_c2VjcmU=", b"secre"),
            ("whsec_c2VjcmU", b"secre"),
            ("whsec_c2VjcmV0c", b"whsec_c2VjcmV0c"),
            ("whsec_c2Vj_mV0", b"whsec_c2Vj_mV0"),
            ("whsec_", b"whsec_"),
        ):
            with self.subTest(secret=secret):
                self.assertEqual(verify_webhook(secret, signed(b"{}", expected), "{}"), {})

    def test_refuses_another_body_secret_or_time(self) -> None:
        for headers, body in (
            (signed(b"{}"), b"{ }"),
            (signed(b"{}", b"other"), b"{}"),
            (signed(b"{}", at=1), b"{}"),
            ({}, b"{}"),
        ):
            with self.subTest(headers=headers, body=body), self.assertRaises(WebhookVerificationError):
                verify_webhook(SECRET, headers, body)


class Retries(unittest.TestCase):
    def test_waits_as_long_as_the_service_says(self) -> None:
        refused = httpx.Response(429, headers={"Retry-After": "7"})
        self.assertEqual(Retry().wait_after(1, REQUEST, refused), 7)
        self.assertEqual(Retry(max_wait=2).wait_after(1, REQUEST, refused), 2)

    def test_repeats_a_post_only_when_that_has_the_same_effect(self) -> None:
        failed = httpx.Response(503)
        broken = httpx.ConnectError("refused")
        once = httpx.Request("POST", "http://service/jobs", headers={"Idempotency-Key": "a"})
        for outcome in (failed, broken):
            self.assertIsNone(Retry().wait_after(1, REQUEST, outcome))
            self.assertIsNotNone(Retry().wait_after(1, once, outcome))

    def test_ends_after_the_attempts(self) -> None:
        self.assertIsNone(Retry(attempts=2).wait_after(2, REQUEST, httpx.Response(429)))


class Errors(unittest.TestCase):
    def test_names_the_code_of_a_problem_document(self) -> None:
        problem = {"code": "not_found", "detail": "No such job"}
        error = ApiError.of(httpx.Response(404, json=problem))
        self.assertEqual((error.code, str(error), error.problem), ("not_found", "not_found: No such job", problem))

    def test_says_what_is_wrong_with_each_field(self) -> None:
        errors = [{"field": "target", "message": "target must be hn:top"}, {"field": "x", "message": "x is unknown"}]
        problem = {"code": "validation_failed", "detail": "Not valid: target, x", "errors": errors}
        error = ApiError.of(httpx.Response(400, json=problem))
        self.assertEqual(str(error), "validation_failed: Not valid: target, x; target must be hn:top; x is unknown")

    def test_quotes_a_page_of_a_proxy(self) -> None:
        error = ApiError.of(httpx.Response(502, text="<h1>Bad\n gateway</h1>"))
        self.assertEqual((error.code, error.problem), ("http_502", None))
        self.assertIn("<h1>Bad gateway</h1>", str(error))


class Wire(unittest.TestCase):
    def test_repeats_lists_and_leaves_none_out(self) -> None:
        given = {"forum": ["a", "b"], "is_nsfw": False, "author": None, "min_score": 3}
        expected = [("forum", "a"), ("forum", "b"), ("is_nsfw", "false"), ("min_score", "3")]
        self.assertEqual(parameters(given), expected)

    def test_takes_any_iterable_in_all_methods(self) -> None:
        for values in (
            ["a", "b"],
            ("a", "b"),
            (one for one in "ab"),
            {"a": 1, "b": 2}.keys(),
            collections.deque("ab"),
            iter(["a", None, "b"]),
        ):
            filters = given({"forum": values})
            self.assertEqual(parameters(filters), [("forum", "a"), ("forum", "b")])
            self.assertEqual(create_export("posts", "csv", filters).json["filters"], {"forum": ["a", "b"]})
        for single in ({"a"}, frozenset("a")):
            self.assertEqual(given({"forum": single}), {"forum": ["a"]})

    def test_takes_the_same_values_in_all_methods(self) -> None:
        time = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
        for value, wire, text in (
            (time, "2020-01-01T00:00:00+00:00", "2020-01-01T00:00:00+00:00"),
            (True, True, "true"),
            (3, 3, "3"),
            (decimal.Decimal("0.5"), 0.5, "0.5"),
        ):
            with self.subTest(value=value):
                self.assertEqual(create_export("posts", "csv", {"a": value}).json["filters"], {"a": wire})
                self.assertEqual(parameters({"a": value}), [("a", text)])

    def test_takes_values_of_numpy_and_pandas(self) -> None:
        try:
            import numpy
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        time = pandas.Timestamp("2020-01-01", tz="UTC")
        self.assertEqual(
            json_value([numpy.int64(3), numpy.float64(0.5), numpy.bool_(True), time, pandas.Series(["a"])]),
            [3, 0.5, True, "2020-01-01T00:00:00+00:00", ["a"]],
        )
        self.assertEqual(parameters({"forum": numpy.array(["a", "b"])}), [("forum", "a"), ("forum", "b")])

    def test_refuses_filters_that_it_cannot_send(self) -> None:
        for value in (b"a", object(), {"a": 1}):
            with self.subTest(value=value), self.assertRaises(TypeError):
                parameters({"forum": value})
        for empty in ([], (), iter([None])):
            with self.subTest(empty=empty), self.assertRaises(ValueError):
                parameters({"forum": empty})

    def test_keeps_an_id_within_its_segment(self) -> None:
        self.assertEqual(path_of("jobs", "../posts"), "/jobs/..%2Fposts")
        self.assertEqual(path_of("jobs", "a?b#c"), "/jobs/a%3Fb%23c")
        for wrong in ("", ".", ".."):
            with self.subTest(wrong=wrong), self.assertRaises(ValueError):
                path_of("jobs", wrong)
        self.assertEqual(checked_path("/posts/t3_a?view=full"), "/posts/t3_a?view=full")
        for wrong in ("posts", "/jobs/../posts", "/jobs/%2E%2e/posts", "/.", "//host/.."):
            with self.subTest(wrong=wrong), self.assertRaises(ValueError):
                checked_path(wrong)

    def test_joins_the_data_lines_of_an_event(self) -> None:
        parser = EventParser()
        lines = [": comment", "event: progress", "data: a", "data:b", ""]
        self.assertEqual([event for event in map(parser.feed, lines) if event], [("progress", "a\nb")])

    def test_yields_a_record_only_when_it_changed(self) -> None:
        changes = JobChanges()
        lines = ["event: progress", 'data: {"n":1}', ""] * 2 + ["event: end", 'data: {"n":2}', ""]
        self.assertEqual([job for job in map(changes.feed, lines) if job], [{"n": 1}, {"n": 2}])


class Service:
    """Answers requests without a network; keeps their URLs."""

    def __init__(self, answers: dict[str, object]) -> None:
        self.answers = answers
        self.asked: list[str] = []
        transport = httpx.MockTransport(self._answer)
        self.client = Client("http://service", "rp_key", retry=Retry(attempts=1), http=httpx.Client(transport=transport))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.raw_path.decode().removeprefix("/api/v1/workspaces/current")
        self.asked.append(path)
        answer = self.answers[path.partition("?")[0]]
        if isinstance(answer, bytes):
            return httpx.Response(200, content=answer)
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)


def exported(*parts: bytes) -> dict[str, object]:
    """The answers of a service about a completed export."""
    listed = [{"path": f"p{n}", "sha256": hashlib.sha256(part).hexdigest()} for n, part in enumerate(parts)]
    export = {"id": "export_1", "status": "completed", "parts": listed}
    contents = {f"/exports/export_1/parts/{n}": part for n, part in enumerate(parts, 1)}
    return {"/exports": export, "/exports/export_1": export, **contents}


class Reading(unittest.TestCase):
    def test_gives_at_most_the_limit_in_pages_of_a_size(self) -> None:
        page = {"posts": [{"id": "a"}, {"id": "b"}], "has_more": True, "cursor": "next"}
        for limit, size, rows, limits in ((3, 2, 3, ["2", "1"]), (1, 200, 1, ["1"]), (0, 200, 0, [])):
            service = Service({"/posts": page})
            posts = list(service.client.posts(limit=limit, page_size=size, forum=(one for one in ["f"])))
            queries = [httpx.QueryParams(path.partition("?")[2]) for path in service.asked]
            self.assertEqual([query["limit"] for query in queries], limits)
            self.assertTrue(all(query.get_list("forum") == ["f"] for query in queries))
            self.assertEqual(len(posts), rows)

    def test_writes_parts_one_by_one(self) -> None:
        sink = io.BytesIO()
        service = Service(exported(b"a,b\n1,2\n", b"a,b\n3,4\n"))
        self.assertEqual(service.client.export_to(sink), len(sink.getvalue()))
        self.assertEqual(sink.getvalue(), b"a,b\n1,2\n3,4\n")

    def test_writes_nothing_of_parts_that_cannot_be_joined(self) -> None:
        sink = io.BytesIO()
        with self.assertRaises(ValueError):
            Service(exported(b"[1]", b"[2]")).client.export_to(sink, format="json")
        self.assertEqual(sink.getvalue(), b"")

    def test_gives_a_key_that_may_only_read_no_cut_export(self) -> None:
        refusal = httpx.Response(403, json={"code": "insufficient_scope", "detail": "needs write"})
        for total, content in ((10_000, b"a\n1\n"), (10_001, None)):
            page = {"posts": [], "total": total, "has_more": False, "cursor": ""}
            service = Service({"/exports": refusal, "/posts": page, "/exports/posts": b"a\n1\n"})
            sink = io.BytesIO()
            if content is None:
                with self.assertRaises(ValueError):
                    service.client.export_to(sink, forum="f")
            else:
                service.client.export_to(sink, forum="f")
                self.assertEqual((sink.getvalue(), service.asked[-1]), (content, "/exports/posts?forum=f&format=csv"))

    def test_refuses_a_damaged_part(self) -> None:
        service = Service(exported(b"a\n") | {"/exports/export_1/parts/1": b"b\n"})
        with self.assertRaises(RuntimeError):
            service.client.export_to(io.BytesIO())

    def test_asks_only_for_what_was_meant(self) -> None:
        service = Service({"/jobs/..%2Fposts": {"id": "job"}})
        self.assertEqual(service.client.get_job("../posts"), {"id": "job"})


class Frames(unittest.TestCase):
    def test_has_all_columns_without_rows(self) -> None:
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        for of, score in (("posts", "score"), ("comments", "score")):
            empty = FrameBuilder(of).build()
            self.assertEqual((len(empty), str(empty[score].dtype)), (0, "int64"))
            self.assertEqual(str(empty["created_utc"].dtype), "datetime64[ns, UTC]")

    def test_collects_garbage_again_after_an_error(self) -> None:
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        builder = FrameBuilder("posts", "ndjson")
        for part in (b'{"id":"a"}\n{"id":"b"}\n', b'{"id":"c"}\n'):
            builder.add(part)
        self.assertEqual(list(builder.build()["id"]), ["a", "b", "c"])
        with self.assertRaises(ValueError):
            builder.add(b"{")
        self.assertTrue(gc.isenabled())


if __name__ == "__main__":
    unittest.main()
