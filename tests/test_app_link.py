"""What a link and a file carry: every scenario comes back as it was, and nothing hostile gets through. No Streamlit."""

from __future__ import annotations

import base64
import hashlib
import json
import time
import tracemalloc
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tasks
from streamlit.runtime.state import query_params
from test_app_state import KNOWN, TRIALS, states

from agentcalc import catalog, documents
from agentcalc.app import link
from agentcalc.app.brought import Brought, Kept, Title, placed, short_id
from agentcalc.app.choices import OWN
from agentcalc.app.packing import DICTIONARY
from agentcalc.app.state import LONGEST_LINK, from_query, start, to_query
from agentcalc.app.unread import MOST_PARTS
from agentcalc.errors import InputError

TASK = catalog.tasks()["coding-agent"]
JALAPENO = catalog.systems()["jalapeno/deepseek-r1"]
MINE = placed(JALAPENO.model_copy(update={"id": "mine"}), KNOWN, "deepseek-r1")


def test_streamlit_leaves_out_as_many_parts_as_the_page_takes_it_to():
    most = query_params.CLIENT_STATE_QUERY_STRING_MAX_FIELDS
    assert most == MOST_PARTS
    assert query_params.sanitize_query_string("&".join("a" * most)) and LONGEST_LINK < 512 * 1024
    assert query_params.sanitize_query_string("&".join("a" * (most + 1))) == ""


def packed(values: object) -> str:
    """Any values as the text of x."""
    press = zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_DEFAULT_STRATEGY, DICTIONARY)
    data = press.compress(json.dumps(values).encode()) + press.flush()
    return "a" + base64.urlsafe_b64encode(data).decode().rstrip("=")


def read(**query: str) -> link.Opened:
    return link.read(query, KNOWN, TRIALS)


@st.composite
def bundles(draw) -> Brought:
    """What a reader may bring along."""
    own = st.none() | tasks()
    query = draw(states().map(lambda state: to_query(state, KNOWN)))
    kept = st.builds(
        Kept,
        query=st.just(query),
        side=st.sampled_from(["baseline", "candidate"]),
        name=st.none()
        | st.sampled_from(["Today", "Jalapeño, tools twice as fast", "<b>", "\u202eabc".strip("\u202e")]),
        task=own,
    )
    title = st.builds(
        Title,
        kind=st.sampled_from(["timeline", "components"]),
        was=st.text(max_size=80),
        text=st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=1, max_size=80),
    )
    systems = draw(st.sampled_from([(), (MINE,), (MINE, placed(JALAPENO, KNOWN, "deepseek-r1"))]))
    return Brought(
        task=draw(own),
        systems=systems,
        kept=tuple(draw(st.lists(kept, max_size=6))),
        titles=tuple(draw(st.lists(title, max_size=3))),
    )


@settings(max_examples=30, deadline=None)
@given(bundles())
def test_what_is_packed_is_unpacked(brought: Brought):
    assert link.unpack(link.pack(brought), KNOWN) == (brought, ())


@settings(max_examples=25, deadline=None)
@given(bundles(), states())
def test_a_scenario_survives_its_file(brought: Brought, state):
    data = documents.load(link.to_file(state, brought, KNOWN), where="scenario.json")
    opened = link.from_file(data, "scenario.json", KNOWN, TRIALS)
    assert (opened.state, opened.brought, opened.notes) == (state, brought, ())


@settings(max_examples=25, deadline=None)
@given(bundles(), states())
def test_a_scenario_survives_its_address(brought: Brought, state):
    if brought.task is not None:
        state = state.model_copy(update={"task": OWN})
    query = link.write(state, brought, KNOWN)
    opened = link.read(query, KNOWN, TRIALS)
    if link.length(query) > LONGEST_LINK:
        assert opened.notes == (link.TOO_LONG,)
    else:
        assert (opened.state, opened.brought, opened.notes) == (state, brought, ())
        assert link.write(opened.state, opened.brought, KNOWN) == query


def test_nothing_brought_along_is_nothing_in_the_address():
    assert link.write(start(KNOWN), Brought(), KNOWN) == {}
    assert len(link.pack(Brought(task=TASK))) < 1_000


def test_the_words_of_version_a_never_change():
    """Another dictionary would break every link there is: it needs another letter."""
    assert link.VERSION == "a"
    assert hashlib.sha256(DICTIONARY).hexdigest() == "ac6af4ca6c2bbba780f5e3e5641c28dac6ec7d6b9bb2081ffacfb4bc95d89222"
    old = "aePnsdcfHw0wIkGIev5PQHGIJ9QeW6hK5YgCqAQAgfiUy"
    brought, notes = link.unpack(old, KNOWN)
    assert notes == () and brought.task.name == "Mine" and brought.kept[0].query == {"tools": "0.5"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", link.NOT_OURS),
        ("b" + link.pack(Brought(titles=(Title(kind="timeline", was="x", text="y"),)))[1:], link.NEWER_LINK),
        ("b" + "A" * 20, link.NOT_OURS),
        ("9abc", link.NOT_OURS),
        ("garbage", link.NOT_OURS),
        ("beP", link.NOT_OURS),
        ("a!!!", link.NOT_OURS),
        ("aäöü", link.NOT_OURS),
        ("a", link.TORN),
        ("aAAAA", link.TORN),
        ("aA", link.TORN),
        (link.pack(Brought(task=TASK))[:-8], link.TORN),
        (packed("text"), "Part of this link could not be read. It was left out."),
        (packed([1]), "Part of this link could not be read. It was left out."),
        (packed({"colour": 1}), "Part of this link could not be read ('colour'). It was left out."),
        (
            packed({"task": {"name": "x", "steps": []}}),
            "Part of this link could not be read (its task: steps, the list is empty). It was left out.",
        ),
        (
            packed({"titles": [{"kind": "timeline", "was": "", "text": "a\nb"}]}),
            "Part of this link could not be read (a title: text",
        ),
    ],
)
def test_a_broken_x_is_one_line(text: str, line: str):
    opened = read(x=text, by="slow")
    assert len(opened.notes) == 1 and opened.notes[0].startswith(line)
    assert opened.state.by == "slow" and opened.brought == Brought()


def test_parts_that_are_right_stay_when_another_is_wrong():
    good = json.loads(documents.write(MINE, "json"))
    brought, notes = link.unpack(packed({"systems": [good, {"id": "x"}], "kept": [{"query": {}}, 7]}), KNOWN)
    assert brought.systems == (MINE,) and brought.kept == (Kept(),)
    assert len(notes) == 2 and "a system" in notes[0] and "a kept scenario" in notes[1]


def test_more_than_there_is_room_for_is_said():
    brought, notes = link.unpack(packed({"kept": [{}] * 9}), KNOWN)
    assert len(brought.kept) == 6
    assert notes == ("This link holds more kept than there is room for. Showing the first 6.",)


def test_a_source_that_leads_nowhere_is_refused():
    task = json.loads(documents.write(TASK.model_copy(update={"sources": ("nobody",)}), "json"))
    brought, notes = link.unpack(packed({"task": task}), KNOWN)
    assert brought.task is None and "nobody" in notes[0]


def test_a_task_that_could_not_be_read_is_said_once():
    opened = read(task=OWN, x=packed({"task": {"name": "x"}}))
    assert len(opened.notes) == 1 and opened.state.task == start(KNOWN).task


def test_a_bomb_is_refused_before_it_unfolds():
    press = zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_DEFAULT_STRATEGY, DICTIONARY)
    bomb = "a" + base64.urlsafe_b64encode(press.compress(b" " * 5_000_000) + press.flush()).decode()
    assert len(bomb) < LONGEST_LINK
    tracemalloc.start()
    began = time.process_time()
    assert read(x=bomb).notes == (link.NOT_OURS,)
    assert time.process_time() - began < 1
    assert tracemalloc.get_traced_memory()[1] < 4_000_000
    tracemalloc.stop()


def test_a_link_of_ten_megabytes_is_refused_at_once():
    began = time.process_time()
    assert read(x="a" * 10_000_000).notes == (link.TOO_LONG,)
    assert time.process_time() - began < 1


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60) | st.binary(max_size=120).map(lambda b: "a" + base64.urlsafe_b64encode(b).decode()))
def test_no_x_raises(text: str):
    opened = read(x=text)
    assert opened.brought == Brought() and len(opened.notes) == 1 and opened.notes[0].isprintable()


def _damaged(values: object, pick, junk: object) -> object:
    """Values with one of them, somewhere inside, exchanged for junk."""
    if isinstance(values, dict) and values and pick(0, 3):
        key = sorted(values)[pick(0, len(values) - 1)]
        return {**values, key: _damaged(values[key], pick, junk)}
    if isinstance(values, list) and values and pick(0, 3):
        at = pick(0, len(values) - 1)
        return [*values[:at], _damaged(values[at], pick, junk), *values[at + 1 :]]
    return junk


junk = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20) | st.just([[]])


@settings(max_examples=80, deadline=None)
@given(st.data(), junk)
def test_no_damaged_x_raises(data, junk):
    whole = Brought(task=TASK, systems=(MINE,), kept=(Kept(query={"by": "slow"}, task=TASK),))
    values = json.loads(documents.write(whole, "json"))
    values = _damaged(values, lambda low, high: data.draw(st.integers(low, high)), junk)
    brought, notes = link.unpack(packed(values), KNOWN)
    assert isinstance(brought, Brought)
    assert all(line.isprintable() and len(line) < 700 for line in notes)
    from_query({"task": OWN}, brought.choices(KNOWN), TRIALS)


def test_the_parts_of_a_page_are_its_own():
    assert link.read({"view": "target"}, KNOWN, TRIALS, own=("view",)).notes == ()
    assert len(read(view="target").notes) == 1


def test_a_file_of_another_version_or_shape_is_refused():
    for values in ({"scenario": 2}, {"scenario": "a"}, {"steps": []}):
        with pytest.raises(InputError, match="newer agentcalc"):
            link.from_file(values, "f.json", KNOWN, TRIALS)
    with pytest.raises(InputError, match="names and texts"):
        link.from_file({"scenario": 1, "link": {"by": 1}}, "f.json", KNOWN, TRIALS)


def test_a_system_is_placed_under_an_id_of_its_own():
    assert MINE.id == "mine/deepseek-r1" and short_id(MINE) == "mine"
    twice = placed(JALAPENO, KNOWN, "kimi-k2.5")
    assert twice.id == "jalapeno-2/deepseek-r1"
    assert placed(twice, KNOWN, "deepseek-r1") == twice
    alone = JALAPENO.model_copy(update={"id": "x@5", "model": None, "model_label": None})
    assert (placed(alone, KNOWN, "kimi-k2.5").id, placed(alone, KNOWN, "kimi-k2.5").model_label) == (
        "x/kimi-k2.5",
        "Kimi K2.5",
    )
    known = KNOWN.with_systems((MINE,))
    assert known.system("deepseek-r1", "mine") == MINE and known.pair("deepseek-r1") == KNOWN.pair("deepseek-r1")
    other = MINE.model_copy(update={"model": "new-model", "id": "mine/new-model"})
    assert KNOWN.with_systems((other,)).pair("new-model") == ("mine", "mine")


def test_a_title_stands_as_long_as_what_it_says():
    brought = Brought().titled("timeline", "5 s sooner", "  Half  the wait ")
    assert brought.title("timeline", "5 s sooner") == "Half the wait"
    assert brought.title("timeline", "6 s sooner") == "6 s sooner"
    assert brought.title("components", "5 s sooner") == "5 s sooner"
    assert brought.titled("timeline", "5 s sooner", "") == Brought() == brought.titled("timeline", "a", "a")
