"""Data frames of exported rows; needs pandas."""

import gc
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import models

if TYPE_CHECKING:
    import pandas

#: Columns with times, by the rows that are exported.
TIMES = ("created_utc", "scraped_at")
#: Columns with fractions, whose values may all be whole or missing.
FRACTIONS = ("sentiment_score", "upvote_ratio")
#: The fields of an exported row, by the rows that are exported.
RECORDS = {"posts": models.ExportedPostDto, "comments": models.ExportedCommentDto}
#: Types of columns without rows; all other columns have objects.
DTYPES = {"int": "int64", "float": "float64", "bool": "bool"}


class FrameBuilder:
    """Builds a data frame of the parts of an export of ``posts`` or ``comments`` in ``format`` as they arrive.

    The format is Parquet where pyarrow is installed, which takes less time, and NDJSON otherwise; columns have the same
    types by either. Raises ImportError without pandas.
    """

    def __init__(self, of: str = "posts", format: str | None = None) -> None:
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("to_dataframe needs pandas: pip install 'workspace-scraping-service[pandas]'") from missing
        self._pandas = pandas
        self._frames: list["pandas.DataFrame"] = []
        self._fields = RECORDS[of].__annotations__
        self.format = format or ("parquet" if _reads_parquet() else "ndjson")

    def add(self, part: bytes) -> None:
        """Parse the next part."""
        with _without_collector():
            frame = _read_parquet(part) if self.format == "parquet" else self._read_ndjson(part)
        for column in TIMES:
            if column in frame:
                frame[column] = self._pandas.to_datetime(frame[column], utc=True).astype("datetime64[ns, UTC]")
        for column in FRACTIONS:
            if column in frame:
                frame[column] = frame[column].astype("float64")
        if len(frame) > 0:
            self._frames.append(frame)

    def build(self) -> "pandas.DataFrame":
        """All rows, with the types that they have in one part; times are UTC timestamps, texts are objects or None.

        Without rows there are all columns.
        """
        if not self._frames:
            return self._empty()
        frame = self._pandas.concat(self._frames, ignore_index=True).infer_objects()
        for column, dtype in frame.dtypes.items():
            if isinstance(dtype, self._pandas.StringDtype):
                texts = frame[column].astype(object)
                frame[column] = texts.where(texts.notna(), None)
        return frame

    def _empty(self) -> "pandas.DataFrame":
        columns = {}
        for field, annotation in self._fields.items():
            dtype = DTYPES.get(getattr(annotation, "__forward_arg__", ""), "object")
            columns[field] = self._pandas.Series(dtype="datetime64[ns, UTC]" if field in TIMES else dtype)
        return self._pandas.DataFrame(columns)

    def _read_ndjson(self, part: bytes) -> "pandas.DataFrame":
        return self._pandas.DataFrame.from_records([json.loads(line) for line in part.split(b"\n") if line])


def _reads_parquet() -> bool:
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        return False
    return True


def _read_parquet(part: bytes) -> "pandas.DataFrame":
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(part))
    frame = table.to_pandas()
    for field in table.schema:
        column: Any = frame[field.name]
        if column.dtype.kind == "i":
            frame[field.name] = column.astype("int64")
        elif str(field.type).startswith("list"):
            frame[field.name] = table[field.name].to_pylist()
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
