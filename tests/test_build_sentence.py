"""A sentence of numbers: what it makes, what it says it understood, and what it says it could not use."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentcalc.app.build.sentence import EXAMPLE, read
from agentcalc.distributions import Fixed


def test_the_example_makes_what_it_says():
    found = read(EXAMPLE)
    assert found.line == "8 × (model call, 250 tokens; tool, 4 s); context starts at 6,000."
    task = found.task
    assert task.context_tokens == 6000 and task.cached_tokens is None
    (loop,) = task.steps
    assert loop.times == Fixed(8)
    call, tool = loop.steps
    assert (call.kind, call.output_tokens, tool.kind, tool.seconds) == ("model_call", Fixed(250), "tool_wait", Fixed(4))


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("250 tokens out", "model call, 250 tokens; context starts at 0."),
        ("8 turns of 250 tokens out", "8 × (model call, 250 tokens); context starts at 0."),
        ("12 calls with 1,500 tokens in, 300 out; 2 min person, deadline 60 s",
         "12 × (model call, 1.5k in, 300 tokens out; person, 120 s); context starts at 0; done by 60 s."),
        ("about 6–20 turns and 20k context, 214-1.7k tokens out, tools take 0.3–14 s, 800 tokens back",
         "6–20 × (model call, 214–1.7k tokens; tool, 0.3–14 s, 800 tokens back); context starts at 20,000."),
        ("0.5 s per tool call, output 250 tokens", "model call, 250 tokens; tool, 0.5 s; context starts at 0."),
        ("20k context, 10k cached, 9 out", "model call, 9 tokens; context starts at 20,000, 10,000 of it cached."),
        ("5 turns, 300 out, 10% fail, 4 in parallel",
         "4 at once: 5 × (model call, 300 tokens; fails 10% of the time, at most 3 tries); context starts at 0."),
    ],
)  # fmt: skip
def test_what_is_understood(sentence: str, line: str):
    found = read(sentence)
    assert found.line == line
    assert found.task is not None


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("8 turns, fast tools",
         "I read: 8 turns. I could not use: 'fast tools'. Write a number and a unit, like 4 s tools."),
        ("8 turns, 250 out, 4 tools",
         "I read: 8 turns, 250 tokens out. I could not use: '4 tools'. Write a number and a unit, like 4 s tools."),
        ("big context, 9 out",
         "I read: 9 tokens out. I could not use: 'big context'. Write a number and a unit, like 6k context."),
        ("9 out, 8 out",
         "I read: 9 tokens out. I could not use: '8 out'. Write a number and a unit, like 250 tokens out."),
        ("hello", "I could not use: 'hello'. Write a number and a unit, like 4 s tools."),
        ("8 turns", "I read: 8 turns. How much does a call write? Add it, like 250 tokens out."),
        ("9 out, 50 tokens back",
         "I read: 9 tokens out, 50 tokens back. How long do the tools take? Add it, like 4 s tools."),
        ("9 out, 30k cached",
         "I read: 9 tokens out, 30k cached. The cached tokens are a part of the context. Write the context too, like "
         "20k context."),
        ("9 out, 9000000000000 turns", "I read: 9 tokens out, 9000000000000 turns. 9000000000000 is above 1e+12."),
        ("x" * 600,
         "That is 600 characters long. Write at most 500, like 8 turns, 6k context, 250 tokens out, 4 s tools."),
    ],
)  # fmt: skip
def test_what_is_not(sentence: str, line: str):
    found = read(sentence)
    assert found.line == line
    assert found.task is None


def test_nothing_says_nothing():
    assert read("").line == read("  ,, ; ").line == ""
    assert read("").task is None


def test_a_hostile_sentence_is_quoted_as_plain_text():
    line = read("9 out, \u202e<img src=x>\x00").line
    assert "\u202e" not in line and "\x00" not in line and "<img src=x>" in line


@pytest.mark.parametrize("piece", ["1 ", "1", "1.1,", "1 to ", "- ", "1 s ", "a ", "/", "tools ", "and 1 out ", "5 "])
def test_no_sentence_takes_long(piece: str):
    start = time.process_time()
    read((piece * 500)[:500])
    assert time.process_time() - start < 1


@given(st.text(alphabet="0123456789 ks,.–-/toutcxinp%m±\u202e<", max_size=60))
def test_any_text_is_answered(text: str):
    found = read(text)
    assert "\n" not in found.line
    assert (found.task is None) == bool(found.unused or found.lacking or not found.amounts)
