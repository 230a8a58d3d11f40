"""Data frames of exported rows; needs pandas."""

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

#: Columns with times, by the rows that are exported.
TIMES = ("created_utc", "scraped_at")


def frame_of(parts: list[bytes]) -> "pandas.DataFrame":
    """A data frame of the parts of an NDJSON export; times are UTC timestamps."""
    try:
        import pandas
    except ImportError as missing:
        raise ImportError("to_dataframe needs pandas: pip install 'workspace-scraping-service[pandas]'") from missing
    with _without_collector():
        rows = [json.loads(line) for part in parts for line in part.split(b"\n") if line]
        frame = pandas.DataFrame.from_records(rows)
    for column in TIMES:
        if column in frame:
            frame[column] = pandas.to_datetime(frame[column], utc=True)
    return frame


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pauses the garbage collector, which would look through all rows again and again: a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
