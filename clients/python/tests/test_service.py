"""The clients against a running service: BASE_URL and API_KEY."""

import asyncio
import io
import json
import os
import time
import unittest

from workspace_scraping_service import ApiError, AsyncClient, Client
from workspace_scraping_service.frames import FrameBuilder

SERVICE = (os.environ["BASE_URL"], os.environ["API_KEY"])


def setUpModule() -> None:
    with Client(*SERVICE) as client:
        job = client.start_job("technology", limit=20, download_media=False)
        assert client.wait_for_job(job["id"])["status"] == "completed"


class Sync(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(*SERVICE)
        self.addCleanup(self.client.close)

    def test_scrapes_and_lists_every_post_once(self) -> None:
        job = self.client.start_job("programming", limit=30, download_media=False, scrape_comments=False)
        records = list(self.client.follow_job(job["id"]))
        self.assertEqual((records[-1]["status"], records[-1]["posts_scraped"]), ("completed", 30))
        ids = [post["id"] for post in self.client.posts(forum="programming", page_size=7)]
        self.assertEqual((len(ids), len(set(ids))), (30, 30))

    def test_gives_at_most_the_limit(self) -> None:
        self.assertEqual(len(list(self.client.posts(forum="technology", limit=5, page_size=2))), 5)
        self.assertEqual(len(list(self.client.comments(limit=3))), 3)

    def test_starts_one_job_for_one_key(self) -> None:
        first, second = (
            self.client.start_job("technology", limit=1, idempotency_key="python-client") for _ in range(2)
        )
        self.assertEqual(first["id"], second["id"])
        self.assertEqual(self.client.wait_for_job(first["id"])["status"], "completed")

    def test_exports_every_row(self) -> None:
        total = self.client.request("GET", "/posts", params={"forum": "technology", "limit": 1})["total"]
        sink = io.BytesIO()
        size = self.client.export_to(sink, format="ndjson", forum="technology")
        self.assertEqual((sink.getvalue().count(b"\n"), len(sink.getvalue())), (total, size))

    def test_reads_comments_behind_a_cursor(self) -> None:
        total = self.client.request("GET", "/comments", params={"forum": "technology", "limit": 1})["total"]
        self.assertEqual(len({one["comment_id"] for one in self.client.comments(forum="technology")}), total)

    def test_counts_rows_by_values_and_by_time(self) -> None:
        total = self.client.request("GET", "/posts", params={"forum": "technology", "limit": 1})["total"]
        counted = self.client.facets(by="forum,sentiment", forum="technology")
        self.assertEqual((counted["total"], sum(one["count"] for one in counted["facets"]["sentiment"])), (total, total))
        buckets = self.client.time_series(of="posts", interval="day", forum="technology")
        self.assertEqual(sum(bucket["count"] for bucket in buckets), total)
        self.assertLessEqual(len(self.client.spikes(interval="day", forum="technology")), 10)

    def test_gives_at_most_the_limit_of_stories(self) -> None:
        stories = list(self.client.stories(of="comments", since="2000-01-01T00:00:00Z"))
        self.assertEqual(list(self.client.stories(of="comments", since="2000-01-01T00:00:00Z", limit=1)), stories[:1])

    def test_keeps_alerts_and_gives_their_matches(self) -> None:
        alert = self.client.create_alert(
            name="Python", keywords=["the"], channel="webhook", channel_config={"webhook_url": "https://example.com/x"}
        )
        self.client.update_alert(alert["id"], name="Renamed")
        self.assertIn("Renamed", [one["name"] for one in self.client.alerts()])
        job = self.client.start_job("pictures", limit=40, download_media=False)
        self.client.wait_for_job(job["id"])
        for _ in range(300):
            if matches := list(self.client.matches(alert_id=alert["id"], limit=2, page_size=1)):
                break
            time.sleep(0.1)
        self.assertIn(len(matches), (1, 2))
        self.assertEqual(self.client.update_match(matches[0]["id"], state="kept")["state"], "kept")
        self.client.delete_alert(alert["id"])
        self.assertNotIn(alert["id"], [one["id"] for one in self.client.alerts()])

    def test_keeps_reports(self) -> None:
        alert = self.client.create_alert(
            name="Reported", keywords=["x"], channel="webhook", channel_config={"webhook_url": "https://example.com/x"}
        )
        report = self.client.create_report(
            name="Weekly", alerts=[alert["id"]], channel="webhook", channel_config={"webhook_url": "https://example.com/x"}
        )
        self.assertIn(report["id"], [one["id"] for one in self.client.reports()])
        self.client.delete_report(report["id"])
        self.client.delete_alert(alert["id"])
        with self.assertRaises(ApiError) as refused:
            self.client.latest_report(report["id"])
        self.assertEqual(refused.exception.code, "not_found")

    def test_raises_the_problem_of_a_refusal(self) -> None:
        with self.assertRaises(ApiError) as refused:
            self.client.request("GET", "/posts", params={"min_score": "ten"})
        self.assertEqual(refused.exception.code, "validation_failed")
        self.assertRegex(str(refused.exception), "min_score must be")

    def test_gives_a_data_frame(self) -> None:
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = self.client.to_dataframe(forum="technology")
        weekly = frame.set_index("created_utc")["sentiment_score"].resample("W").mean()
        self.assertGreater(len(weekly), 0)
        self.assertIn("keywords", frame.columns)

    def test_gives_the_same_data_frame_to_a_key_that_may_only_read(self) -> None:
        try:
            from pandas.testing import assert_frame_equal
        except ImportError:
            self.skipTest("pandas is not installed")
        key = self.client.request("POST", "/api-keys", json={"name": "reader", "scopes": ["read"]})["key"]
        with Client(SERVICE[0], key) as reader:
            for of, order in (("posts", "id"), ("comments", "comment_id")):
                frames = [
                    client.to_dataframe(of, forum={"technology"}).sort_values(order, ignore_index=True)
                    for client in (self.client, reader)
                ]
                assert_frame_equal(*frames)

    def test_gives_a_data_frame_without_rows(self) -> None:
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        for of in ("posts", "comments"):
            some, none = self.client.to_dataframe(of, forum="technology"), self.client.to_dataframe(of, q="zzzzzz")
            self.assertEqual(len(none), 0)
            self.assertEqual(dict(none.dtypes), dict(some.dtypes))

    def test_gives_the_same_data_frame_of_any_parts(self) -> None:
        try:
            from pandas.testing import assert_frame_equal
        except ImportError:
            self.skipTest("pandas is not installed")
        whole, parts = FrameBuilder("posts", "ndjson"), FrameBuilder("posts", "ndjson")
        sink = io.BytesIO()
        self.client.export_to(sink, format="ndjson", forum="technology")
        lines = sink.getvalue().splitlines(keepends=True)
        rows = [json.loads(line) for line in lines]
        # A number and a truth value that only one part has.
        rows[0] |= {"score": None, "is_nsfw": None, "sentiment_score": None}
        lines[0] = json.dumps(rows[0]).encode() + b"\n"
        whole.add(b"".join(lines))
        for line in lines:
            parts.add(line)
        parts.add(b"")
        assert_frame_equal(parts.build(), whole.build())

    def test_gives_the_same_data_frame_of_either_format(self) -> None:
        try:
            import pyarrow  # noqa: F401
            from pandas.testing import assert_frame_equal
        except ImportError:
            self.skipTest("pandas or pyarrow is not installed")
        for of in ("posts", "comments"):
            frames = []
            for format in ("ndjson", "parquet"):
                sink = io.BytesIO()
                self.client.export_to(sink, of=of, format=format, forum="technology")
                builder = FrameBuilder(of, format)
                builder.add(sink.getvalue())
                frames.append(builder.build())
            assert_frame_equal(*frames)


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_waits_for_several_jobs_at_once(self) -> None:
        async with AsyncClient(*SERVICE) as client:
            jobs = await asyncio.gather(*(client.start_job("askanything", limit=n) for n in (1, 2)))
            ended = await asyncio.gather(*(client.wait_for_job(job["id"]) for job in jobs))
            self.assertEqual([job["posts_scraped"] for job in ended], [1, 2])
            ids = [post["id"] async for post in client.posts(forum="askanything")]
            self.assertEqual(len(ids), 2)

    async def test_times_out(self) -> None:
        async with AsyncClient(*SERVICE) as client:
            job = await client.start_job("technology", limit=1_000)
            with self.assertRaises(TimeoutError):
                await client.wait_for_job(job["id"], timeout=0)
            await client.request("DELETE", f"/jobs/{job['id']}")


if __name__ == "__main__":
    unittest.main()
