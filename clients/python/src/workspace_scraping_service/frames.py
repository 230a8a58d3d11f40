"""Data frames of exported rows; needs pandas."""

import json
from typing import TYPE_CHECKING, Any

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
    rows: list[dict[str, Any]] = [json.loads(line) for part in parts for line in part.split(b"\n") if line]
    frame = pandas.DataFrame.from_records(rows)
    for column in TIMES:
        if column in frame:
            frame[column] = pandas.to_datetime(frame[column], utc=True)
    return frame
