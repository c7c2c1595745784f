"""Lines of places in a text: YAML in blocks and in flows, JSON, and texts that nobody can read."""

from __future__ import annotations

import pytest

from agentcalc import catalog
from agentcalc.documents import line_of, write

TEXT = """name: A
cache: {lifetime_s: 3}
steps:
  - kind: loop
    steps:
      - {kind: tool_wait,
         seconds: {p50: 1, p90: 2}}
      - kind: model_call
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("", 1),
        ("name", 1),
        ("cache.lifetime_s", 2),
        ("steps", 3),
        ("steps[0]", 4),
        ("steps[0].steps[0].seconds.p90", 7),
        ("steps[0].steps[0].seconds.p99", 7),
        ("steps[0].steps[1].output_tokens", 8),
        ("steps[7].kind", 3),
        ("nothing", 1),
    ],
)
def test_the_line_of_a_place_or_of_the_nearest(path: str, line: int):
    assert line_of(TEXT, path) == line


def test_json_and_what_cannot_be_read():
    assert line_of('{"name": "A",\n "steps": [\n {"kind": 3}]}', "steps[0].kind") == 3
    assert line_of("a: [", "a") is None
    assert line_of("", "a") is None


def test_every_step_of_the_packaged_tasks_has_a_line_of_its_own():
    for task in catalog.tasks().values():
        text = write(task)
        for index, _ in enumerate(task.steps):
            line = line_of(text, f"steps[{index}].kind")
            assert text.split("\n")[line - 1].strip().startswith("- kind:")
