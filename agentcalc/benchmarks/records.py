"""What every reader of a benchmark result makes of a file: one record for each run at one load.

Seconds and tokens throughout. A number that the file does not give is None; readers never fill one in.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Spread:
    """Statistics of one latency over the requests of a run, s. None: not in the file."""

    mean: float | None = None
    median: float | None = None
    p90: float | None = None
    p95: float | None = None
    p99: float | None = None


@dataclass(frozen=True)
class Requests:
    """Single requests of a run, one place a request in each: tokens of the prompt and of the answer, TTFT and
    end-to-end latency in s.
    """

    input_tokens: tuple[float, ...]
    output_tokens: tuple[float, ...]
    ttft_s: tuple[float, ...]
    e2el_s: tuple[float, ...]


@dataclass(frozen=True)
class Measurement:
    """One run of a benchmark at one load.

    format: the reader's name for the kind of file. concurrency: requests in flight at once; None for an open loop or
    where the file does not say. chips: accelerators the run used. input_tokens, output_tokens: means a request, as
    really sent and received where the file has them. ttft, tpot (after the first token, (e2el - ttft) / (n - 1)),
    e2el: over requests. output_tok_s, total_tok_s (input and output): of the whole run, all chips. context_tokens:
    already in the cache before the prompt. notes: what a reader of the numbers must know, one sentence each.
    """

    format: str
    model: str | None = None
    hardware: str | None = None
    precision: str | None = None
    software: str | None = None
    mtp: bool | None = None
    layout: str | None = None
    chips: int | None = None
    concurrency: float | None = None
    request_rate: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    ttft: Spread = Spread()
    tpot: Spread = Spread()
    e2el: Spread = Spread()
    output_tok_s: float | None = None
    total_tok_s: float | None = None
    context_tokens: float = 0.0
    completed: int | None = None
    failed: int | None = None
    requests: Requests | None = field(default=None, repr=False)
    date: dt.date | None = None
    address: str | None = None
    notes: tuple[str, ...] = ()
