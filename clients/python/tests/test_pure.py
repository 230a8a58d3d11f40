"""Rules that need no service."""

import base64
import gc
import hashlib
import hmac
import json
import time
import unittest

import httpx

from workspace_scraping_service import ApiError, Retry, WebhookVerificationError, verify_webhook
from workspace_scraping_service.frames import FrameBuilder
from workspace_scraping_service.operations import EventParser, JobChanges, parameters

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

    def test_quotes_a_page_of_a_proxy(self) -> None:
        error = ApiError.of(httpx.Response(502, text="<h1>Bad\n gateway</h1>"))
        self.assertEqual((error.code, error.problem), ("http_502", None))
        self.assertIn("<h1>Bad gateway</h1>", str(error))


class Wire(unittest.TestCase):
    def test_repeats_lists_and_leaves_none_out(self) -> None:
        given = {"forum": ["a", "b"], "is_nsfw": False, "author": None, "min_score": 3}
        expected = [("forum", "a"), ("forum", "b"), ("is_nsfw", "false"), ("min_score", "3")]
        self.assertEqual(parameters(given), expected)

    def test_joins_the_data_lines_of_an_event(self) -> None:
        parser = EventParser()
        lines = [": comment", "event: progress", "data: a", "data:b", ""]
        self.assertEqual([event for event in map(parser.feed, lines) if event], [("progress", "a\nb")])

    def test_yields_a_record_only_when_it_changed(self) -> None:
        changes = JobChanges()
        lines = ["event: progress", 'data: {"n":1}', ""] * 2 + ["event: end", 'data: {"n":2}', ""]
        self.assertEqual([job for job in map(changes.feed, lines) if job], [{"n": 1}, {"n": 2}])


class Frames(unittest.TestCase):
    def test_collects_garbage_again_after_an_error(self) -> None:
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        builder = FrameBuilder("ndjson")
        for part in (b'{"id":"a"}\n{"id":"b"}\n', b'{"id":"c"}\n'):
            builder.add(part)
        self.assertEqual(list(builder.build()["id"]), ["a", "b", "c"])
        with self.assertRaises(ValueError):
            builder.add(b"{")
        self.assertTrue(gc.isenabled())


if __name__ == "__main__":
    unittest.main()
