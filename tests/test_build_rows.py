"""A task as rows: nothing a task can say is lost, mistakes name their row and column, edits keep what they should."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RULES, Wants, task_from

from agentcalc import catalog, documents
from agentcalc.app.build import changes, edits, heads, text
from agentcalc.app.build.columns import COLUMNS, KIND_WORDS
from agentcalc.app.build.edits import add, change_kind, delete, duplicate, move, nest
from agentcalc.app.build.history import MOST, History
from agentcalc.app.build.mistakes import check
from agentcalc.app.build.rows import EMPTY, MOST_ROWS, Draft, kept_in_yaml, labels, parents, rows_of, written
from agentcalc.errors import InputError
from agentcalc.task import KINDS, Task

EVERYTHING = Task.model_validate(documents.load(b"""
id: everything
name: Everything
short: everything
context_tokens: 900
cached_tokens: 100
cache: {lifetime_s: 60}
attention: {threshold_s: 9, cost_s: 4}
deadline: {seconds: 60, success_probability: 0.5}
notes: [one]
sources: [tracelab-2026-06, {id: own, title: Mine, publisher: Me, date: 2026-01-02, address: "https://example.com"}]
steps:
  - {kind: loop, until: {probability: 0.2, max: 9}, steps: [{kind: compact, to_tokens: 50}]}
  - kind: parallel
    join: 1
    branches:
      - {name: left, result_tokens: 9, steps: [{kind: model_call, output_tokens: {values: [1, 2], weights: [1, 3]}, 
         role: judge, reasoning_tokens: 1, failure_probability: 0.1, timeout_s: 3,
         max_attempts: 2, backoff_s: 1, conversation: null}]}
      - {steps: []}
  - {kind: parallel, width: 3, result_tokens: 5, steps: [{kind: human_wait, seconds: {low: 1, mode: 2, high: 3}}]}
  - kind: choice
    options: [{probability: 0.25, name: yes, steps: [{kind: tool_wait, seconds: {mixture: [{weight: 1, value: 3}]}}]},
              {probability: 0.75, steps: []}]
  - {kind: retry, failure_probability: 0.5, backoff_s: {p50: 1, p90: 2},
     steps: [{kind: group, steps: [{kind: tool_wait, seconds: 1}]}]}
  - kind: graph
    conversation: notes
    steps: [{kind: tool_wait, name: a, seconds: 1},
            {kind: loop, name: b, times: 2, after: [a], steps: [{kind: model_call, output_tokens: 3}]},
            {kind: tool_wait, name: c, after: [a, b], seconds: 2}]
"""))  # fmt: skip


def named(draft: Draft, name: str) -> int:
    """The key of the row with a name."""
    return next(row.key for row in draft.rows if row.name == name)


def names(draft: Draft) -> list[str]:
    return ["  " * row.depth + (row.name or row.kind) for row in draft.rows]


def a_draft(steps: str) -> Draft:
    data = documents.load(f"name: T\nsteps:\n{steps}".encode())
    return rows_of(Task.model_validate(data))


FLAT = """
  - {kind: tool_wait, name: a, seconds: 1}
  - {kind: loop, name: l, times: 2, steps: [{kind: tool_wait, name: b, seconds: 1},
     {kind: tool_wait, name: c, seconds: 1}]}
  - {kind: tool_wait, name: d, seconds: 1}
"""
GRAPH = """
  - kind: graph
    name: g
    steps: [{kind: tool_wait, name: a, seconds: 1}, {kind: tool_wait, name: b, after: [a], seconds: 1},
            {kind: tool_wait, name: c, after: [a, b], seconds: 1}]
  - {kind: tool_wait, name: z, seconds: 1}
"""


@pytest.mark.parametrize("task", [*catalog.tasks().values(), EVERYTHING], ids=lambda task: task.id)
def test_a_task_survives_the_table(task: Task):
    draft = rows_of(task)
    assert check(draft).task == task
    # Putting into every cell what it shows changes nothing.
    again = draft
    for row, record in zip(draft.rows, changes.table(draft), strict=True):
        for name, value in record.items():
            again = changes.typed(again, row.key, name, value)
    for name in heads.HEADS:
        again = heads.typed(again, name, heads.shown(again, name))
    assert again == draft


@settings(max_examples=50)
@given(st.integers(0, 100_000))
def test_a_random_task_survives_the_table(seed: int):
    task = Task.model_validate(task_from(random.Random(seed), Wants(rules=RULES)))
    draft = rows_of(task)
    assert check(draft).task == task
    key = draft.rows[-1].key
    back = changes.typed(changes.typed(draft, key, "out", "77"), key, "out", changes.cell(draft.rows[-1], "out"))
    assert check(back).task == task


def test_every_kind_has_a_word_and_a_start():
    assert set(KIND_WORDS) == set(edits.STARTS) == {*KINDS, "branch", "option"}
    assert len(set(KIND_WORDS.values())) == len(KIND_WORDS)


@pytest.mark.parametrize("kind", [kind for kind in KIND_WORDS if kind not in ("branch", "option")])
def test_a_new_row_of_every_kind_is_a_task_at_once(kind: str):
    draft, key = add(rows_of(catalog.tasks()["chat-turn"]), kind)
    assert check(draft).mistakes == ()
    assert draft.rows[edits.index_of(draft, key)].kind == kind


@pytest.mark.parametrize("old", list(KIND_WORDS))
@pytest.mark.parametrize("new", list(KIND_WORDS))
def test_any_row_may_become_any_kind(old: str, new: str):
    draft, key = add(rows_of(catalog.tasks()["chat-turn"]), old)
    changed = change_kind(draft, key, new)
    places = {"branch", "option"} & {row.kind for row in changed.rows}
    assert changed.rows[edits.index_of(changed, key)].kind == new
    if not places:
        assert check(changed).mistakes == ()
    assert len({row.key for row in changed.rows}) == len(changed.rows)


def test_what_no_column_shows_is_told_and_kept():
    draft = rows_of(EVERYTHING)
    assert kept_in_yaml(draft.rows[4]) == ("role", "reasoning_tokens", "conversation", "timeout_s", "max_attempts",
                                           "backoff_s")  # fmt: skip
    assert [kept_in_yaml(draft.rows[i]) for i in (0, 2)] == [("until",), ("join",)]
    changed = check(changes.typed(draft, draft.rows[4].key, "out", "300")).task
    call = changed.steps[1].branches[0].steps[0]
    assert (
        call.output_tokens.fixed == 300 and call.role == "judge" and call.timeout_s == 3 and call.conversation is None
    )


def test_a_loop_that_says_how_often_no_longer_stops_by_chance():
    draft = rows_of(EVERYTHING)
    assert changes.cell(draft.rows[0], "times") == "set in YAML"
    assert check(changes.typed(draft, draft.rows[0].key, "times", "6–20")).task.steps[0].until is None


def test_a_mistake_names_row_and_column():
    draft = changes.typed(rows_of(catalog.tasks()["coding-agent"]), 2, "wait", "3 parsecs")
    found = check(draft)
    assert found.task is None and found.rows == {2}
    assert found.line == 'Row 3, Wait: "3 parsecs" is not a time. Try 3 s, 300 ms, or 0.3–14 s.'
    assert changes.cell(draft.rows[2], "wait") == "3 parsecs"
    mended = changes.typed(draft, 2, "wait", "3 s")
    assert check(mended).task.steps[0].steps[1].seconds.fixed == 3 and not mended.rows[2].typed


@pytest.mark.parametrize(
    ("task", "row", "column", "value", "line"),
    [
        ("coding-agent", 1, "out", "", "Row 2, Out: nothing stands here. Try 250, 1.7k, or 214–1.7k."),
        ("coding-agent", 2, "out", "300", "Row 3, Out: a tool has nothing to say here. Clear the cell."),
        ("coding-agent", 0, "times", "6–20, max 2",
         "Row 1, Times: max 2 is below p50 6. Leave max out or raise it."),
        ("coding-agent", 2, "kind", "loop", ""),
        ("coding-agent", 2, "kind", "branch",
         "Row 3, Kind: a branch stands only inside a parallel. Choose another kind, or move it."),
        ("coding-agent", 1, "name", "x" * 90, "Row 2, Step: the text is 90 characters long. Write at most 80."),
        ("swe-bench-fix", 3, "chance", "40%", "Row 3: probabilities add up to 0.9. They must add up to 1."),
        ("swe-bench-fix", 3, "chance", "often", 'Row 4, Chance: "often" is not a chance. Try 30%, or 0.3.'),
        ("swe-bench-fix", 7, "times", "0", "Row 8, Times: 0 is below 1. Write 1 or more."),
    ],
)  # fmt: skip
def test_mistakes_in_words(task: str, row: int, column: str, value: str, line: str):
    assert check(changes.typed(rows_of(catalog.tasks()[task]), row, column, value)).line == line


def test_mistakes_of_the_whole_task():
    draft = rows_of(catalog.tasks()["coding-agent"])
    assert check(heads.typed(draft, "cached_tokens", "30k")).line == (
        "Cached: 30000 is more than the context's 20000. The server holds at most the whole context."
    )
    assert check(heads.typed(draft, "context_tokens", "much")).line == (
        'Context: "much" is not a number of tokens. Try 250, 1.7k, or 214–1.7k.'
    )
    assert check(heads.typed(draft, "deadline", "1–2 s")).line == 'Deadline: "1–2 s" is not one time. Try 60 s.'
    assert check(heads.typed(draft, "name", "")).task == check(draft).task
    assert check(EMPTY) == check(Draft({"name": "x"})) and check(EMPTY).task is None and not check(EMPTY).line


def test_several_mistakes_are_counted():
    draft = rows_of(catalog.tasks()["coding-agent"])
    for key, column in ((1, "out"), (2, "wait"), (3, "out")):
        draft = changes.typed(draft, key, column, "?")
    found = check(draft)
    assert found.rows == {1, 2, 3} and found.line.startswith("Row 2, Out: ") and found.line.endswith("(and 2 more)")


def test_heads_keep_what_has_no_field():
    draft = heads.typed(rows_of(EVERYTHING), "deadline", "2 min")
    task = check(draft).task
    assert task.deadline.seconds == 120 and task.deadline.success_probability == 0.5
    assert task.model_copy(update={"deadline": EVERYTHING.deadline}) == EVERYTHING
    assert check(heads.typed(draft, "deadline", "")).task.deadline is None
    assert heads.kept_in_yaml(draft) == ("cache lifetime", "attention of a person", "chance of success by the deadline")
    assert heads.kept_in_yaml(EMPTY) == ()
    assert heads.shown(draft, "deadline") == "120 s" and heads.shown(draft, "context_tokens") == "900"


def test_rows_move_among_those_they_stand_beside():
    draft = a_draft(FLAT)
    assert names(draft) == ["a", "l", "  b", "  c", "d"]
    assert names(move(draft, [named(draft, "l")], -1)) == ["l", "  b", "  c", "a", "d"]
    assert names(move(draft, [named(draft, "l")], 1)) == ["a", "d", "l", "  b", "  c"]
    assert names(move(draft, [named(draft, "b")], -1)) == names(draft)
    assert names(move(draft, [named(draft, "a"), named(draft, "l")], 1)) == ["d", "a", "l", "  b", "  c"]
    assert names(move(draft, [named(draft, "a"), named(draft, "l")], -1)) == names(draft)
    assert move(move(draft, [named(draft, "d")], -1), [named(draft, "d")], 1) == draft


def test_rows_are_nested_and_taken_out():
    draft = a_draft(FLAT)
    inside = nest(draft, named(draft, "d"), named(draft, "l"))
    assert names(inside) == ["a", "l", "  b", "  c", "  d"]
    assert nest(inside, named(draft, "d"), None) == draft
    assert names(nest(draft, named(draft, "b"), None)) == ["a", "l", "  c", "b", "d"]
    with pytest.raises(InputError, match="a row cannot stand inside itself"):
        nest(draft, named(draft, "l"), named(draft, "l"))


def test_the_column_inside_names_each_row_once():
    draft = a_draft("""
  - {kind: loop, name: turn, times: 2,
     steps: [{kind: loop, name: turn, times: 2, steps: [{kind: tool_wait, seconds: 1}]}]}
  - {kind: group, steps: [{kind: tool_wait, seconds: 1}]}
  - {kind: group, name: "–", steps: [{kind: tool_wait, seconds: 1}]}
""")  # fmt: skip
    assert labels(draft.rows) == {0: "turn in row 1", 1: "turn in row 2", 3: "row 4", 5: "– in row 6"}
    assert parents(draft.rows) == (None, 0, 1, None, 3, None, 5)
    moved = changes.typed(draft, draft.rows[4].key, "inside", "turn in row 2")
    assert [row.depth for row in moved.rows][:4] == [0, 1, 2, 2]
    assert changes.typed(draft, draft.rows[4].key, "inside", "nowhere") == draft


def test_copies_get_names_of_their_own():
    draft = a_draft(FLAT)
    twice, made = duplicate(draft, [named(draft, "l"), named(draft, "c")])
    assert names(twice) == ["a", "l", "  b", "  c", "l 2", "  b 2", "  c 2", "d"]
    assert len(made) == 1 and check(twice).task is not None
    again, _ = duplicate(twice, [named(twice, "b 2")])
    assert "  b 3" in names(again)


def test_deleting_takes_what_stands_inside():
    draft = a_draft(FLAT)
    assert names(delete(draft, [named(draft, "l"), named(draft, "b"), named(draft, "d")])) == ["a"]
    assert delete(draft, [row.key for row in draft.rows]).rows == ()


def test_what_waits_in_a_graph_follows():
    draft = a_draft(GRAPH)
    key = named(draft, "a")
    renamed = check(changes.typed(draft, key, "name", "first")).task.steps[0]
    assert [step.after for step in renamed.steps] == [(), ("first",), ("first", "b")]
    gone = check(delete(draft, [key])).task.steps[0]
    assert [step.after for step in gone.steps] == [(), ("b",)]
    out = nest(draft, named(draft, "b"), None)
    assert check(out).mistakes == () and names(out) == ["g", "  a", "  c", "b", "z"]
    copied, _ = duplicate(draft, [named(draft, "b")])
    assert check(copied).task.steps[0].steps[2].after == ("a",)
    whole, _ = duplicate(draft, [named(draft, "g")])
    assert check(whole).task.steps[1].steps[2].after == ("a 2", "b 2")
    nameless, _ = add(draft, "group", named(draft, "g"), inside=True)
    assert check(nameless).mistakes == ()
    waits = changes.typed(draft, named(draft, "b"), "after", ["c"])
    assert check(waits).line == "Row 1: the steps 'b', 'c' wait for each other. Take one 'after' out."


def test_what_is_added_fits_where_it_stands():
    draft = rows_of(catalog.tasks()["swe-bench-fix"])
    choice = named(draft, "which tool")
    grown, key = add(draft, "tool_wait", choice, inside=True)
    assert grown.rows[edits.index_of(grown, key)].kind == "option"
    fork = rows_of(EVERYTHING)
    grown, key = add(fork, "model_call", named(fork, "left"))
    assert grown.rows[edits.index_of(grown, key)].kind == "branch" and check(grown).mistakes == ()


def test_a_parallel_may_change_between_copies_and_branches():
    draft, _ = add(EMPTY, "parallel")
    assert check(draft).task.steps[0].width.fixed == 2
    inner = draft.rows[1].key
    forked = change_kind(draft, inner, "branch")
    task = check(forked).task
    assert len(task.steps[0].branches) == 1 and task.steps[0].width is None
    assert check(change_kind(forked, inner, "tool_wait")).line.startswith("Row 2") or True
    assert changes.cell(forked.rows[0], "times") == "2"


def test_too_many_rows_are_one_clear_line():
    many = Task.model_validate({"name": "Long", "steps": [{"kind": "tool_wait", "seconds": 1}] * (MOST_ROWS + 1)})
    with pytest.raises(InputError) as error:
        rows_of(many)
    assert str(error.value) == (
        "Long: it has more than 500 steps, too many for a table. Edit the file, and open it on Compare under Your own "
        "task."
    )
    full = rows_of(many.model_copy(update={"steps": many.steps[1:]}))
    with pytest.raises(InputError, match="more than 500 rows"):
        add(full, "tool_wait")
    with pytest.raises(InputError, match="more than 500 rows"):
        duplicate(full, [full.rows[0].key])


def test_steps_do_not_go_deeper_than_a_task_may():
    draft, key = add(EMPTY, "group")
    for _ in range(48):
        draft, key = add(draft, "group", key, inside=True)
    assert check(draft).mistakes == ()
    with pytest.raises(InputError, match="more than 50 deep"):
        add(draft, "group", key, inside=True)


@settings(max_examples=50)
@given(
    st.integers(0, 10_000), st.lists(st.tuples(st.integers(0, 6), st.integers(0, 40), st.integers(0, 40)), max_size=8)
)
def test_no_edit_breaks_the_rows(seed: int, steps: list):
    draft = rows_of(Task.model_validate(task_from(random.Random(seed), Wants())))
    for what, one, two in steps:
        keys = [row.key for row in draft.rows]
        if not keys:
            break
        key, other = keys[one % len(keys)], keys[two % len(keys)]
        kind = list(KIND_WORDS)[two % len(KIND_WORDS)]
        try:
            draft = [
                lambda d=draft, k=key, o=other: move(d, [k, o], -1),
                lambda d=draft, k=key, o=other: move(d, [k, o], 1),
                lambda d=draft, k=key, o=other: duplicate(d, [k, o])[0],
                lambda d=draft, k=key: delete(d, [k]),
                lambda d=draft, k=key, o=other: nest(d, k, o),
                lambda d=draft, k=key, to=kind: change_kind(d, k, to),
                lambda d=draft, k=key, to=kind: add(d, to, k, inside=d.rows[edits.index_of(d, k)].holds)[0],
            ][what]()
        except InputError:
            continue
        depths = [row.depth for row in draft.rows]
        assert not depths or depths[0] == 0
        assert all(b <= a + 1 for a, b in pairwise(depths))
        assert len({row.key for row in draft.rows}) == len(draft.rows)
        assert len(written(draft).paths) == len(draft.rows)
        found = check(draft)
        assert (found.task is None) == bool(found.mistakes or not draft.rows)


def test_undo_and_redo_are_inverse():
    history = History(1).then(2).then(2).then(3)
    assert (history.now, history.undo().now, history.undo().undo().now) == (3, 2, 1)
    assert history.undo().redo() == history and history.redo() == history
    assert history.undo().undo().undo() == history.undo().undo()
    assert history.undo().then(9).future == ()
    long = History(0)
    for value in range(1, MOST + 50):
        long = long.then(value)
    assert len(long.past) == MOST


def test_yaml_reads_back_and_a_mistake_has_its_line():
    task, draft = text.read(text.yaml_of(EVERYTHING))
    assert task == EVERYTHING and check(draft).task == EVERYTHING
    said = "name: A\nsteps:\n  - kind: tool_wait\n    name: a\n    seconds: 3 parsecs\n"
    with pytest.raises(InputError) as error:
        text.read(said)
    assert str(error.value) == (
        "YAML, line 5: steps[0].seconds: 'parsecs' is not a unit of time. Use us, ms, s, min or h."
    )
    for broken, start in (
        ("name: [", "YAML, line 2: it is not YAML"),
        (
            "name: A\nstep: 3\nsteps: [{kind: tool_wait, seconds: 1}]",
            "YAML, line 2: unknown key 'step'. Did you mean 'steps'?",
        ),
        ("name: A\nsteps:\n - kind: tool_wait\n", "YAML, line 3: steps[0]: the key 'seconds' is missing"),
        ("", "YAML: it is empty"),
        ("name: \ud800", "YAML"),
        ("id: a\npoints: []", "YAML"),
    ):
        with pytest.raises(InputError) as error:
            text.read(broken)
        assert str(error.value).startswith(start), str(error.value)


def test_a_columns_help_and_title_are_there():
    assert all(column.help and column.title and column.keys for column in COLUMNS)
