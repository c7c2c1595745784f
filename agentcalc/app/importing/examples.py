"""Three small examples to try. Their numbers are made up, and say so; the files are like those that tools write."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

Files = tuple[tuple[str, bytes], ...]

PROMPT, ANSWER, REQUESTS = 7_373, 922, 200


@dataclass(frozen=True)
class Example:
    """title: on its button; files: (name, bytes) of each."""

    title: str
    files: Callable[[], Files]


def sweep() -> Files:
    """Results of ``vllm bench serve`` at five loads: latencies grow with the load, and all of it fits together."""
    return tuple((f"example-{users}-users.json", _vllm(users)) for users in (1, 4, 16, 64, 256))


def _vllm(users: int) -> bytes:
    ttft, tpot = 110.0 * (1 + users / 40), 6.0 * users**0.28
    e2el = ttft + (ANSWER - 1) * tpot
    rate = users / (e2el / 1e3)
    row = {
        "date": "20261102-090000",
        "endpoint_type": "openai-chat",
        "model_id": "openai/gpt-oss-120b",
        "num_prompts": REQUESTS,
        "request_rate": "inf",
        "max_concurrency": users,
        "duration": REQUESTS / rate,
        "completed": REQUESTS,
        "total_input_tokens": REQUESTS * PROMPT,
        "total_output_tokens": REQUESTS * ANSWER,
        "request_throughput": rate,
        "output_throughput": rate * ANSWER,
        "total_token_throughput": rate * (PROMPT + ANSWER),
    }
    for name, mean, spread in (("ttft", ttft, 3.0), ("tpot", tpot, 1.4), ("e2el", e2el, 1.5)):
        row |= {f"mean_{name}_ms": mean, f"median_{name}_ms": mean * 0.93, f"p99_{name}_ms": mean * spread}
    return json.dumps(
        {key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()}
    ).encode()


def status_page() -> Files:
    """Two numbers from a status page, in the template that people fill in by hand."""
    text = """\
# Made-up numbers, such as a provider's status page shows.
- label: Example provider
  model: gpt-oss-120b
  prompt_tokens: 1000
  statistic: median
  ttft_s: 0.35
  tok_s_user: 480
"""
    return (("example-status-page.yaml", text.encode()),)


def task() -> Files:
    """A task, beside a text that is nothing known, as folders are."""
    text = """\
name: Example, triage of one ticket
short: triage of one ticket
context_tokens: 4000
cached_tokens: 3000
steps:
  - kind: loop
    name: look
    times: {p50: 3, p90: 6, max: 20}
    steps:
      - {kind: model_call, name: think, input_tokens: 60, output_tokens: {p50: 150, p90: 600}}
      - {kind: tool_wait, name: search, seconds: {p50: 0.8, p90: 4}, result_tokens: 900}
  - {kind: model_call, name: answer, output_tokens: 350}
"""
    notes = "Notes of a meeting.\nNothing in here is a measurement.\n"
    return (("example-triage.yaml", text.encode()), ("example-notes.txt", notes.encode()))


EXAMPLES: dict[str, Example] = {
    "sweep": Example("A server under load (vLLM, 5 files)", sweep),
    "status": Example("Two numbers from a status page", status_page),
    "task": Example("A task, and a file that is none", task),
}
NOTE = "An example: its numbers are made up."
