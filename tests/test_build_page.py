"""The page Build from the entry script, without a browser: edits, answers, mistakes, and never a traceback."""

from __future__ import annotations

import re
import time

import pytest
from streamlit.testing.v1 import AppTest

from agentcalc import catalog, documents
from agentcalc.app.build import parts
from agentcalc.app.build.rows import MOST_ROWS
from agentcalc.app.options import ENTRY, pages_folder
from tests.pages import control, text, well

TICKED, WAIT = {"pick": True}, '"3 parsecs" is not a time. Try 3 s, 300 ms, or 0.3–14 s.'


def visit(**query: str) -> AppTest:
    """A new visit to the page by its address."""
    app = AppTest.from_file(str(ENTRY), default_timeout=60)
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    return well(app.switch_page(str(pages_folder() / "build.py")).run())


def top(app: AppTest) -> str:
    body = next(e.proto.body for e in app.get("html") if "ac-build" in e.proto.body)
    return " ".join(re.sub(r"<[^>]+>", " ", body).replace("\u00a0", " ").split())


def desk(app: AppTest):
    return app.session_state["build"]


def type_in(app: AppTest, row: int, column: str, value) -> AppTest:
    """Types into a cell of the table that stands on the page."""
    key = f"steps-{desk(app).epoch}"
    before = dict(app.session_state[key]["edited_rows"]) if key in app.session_state else {}
    before[row] = {**before.get(row, {}), column: value}
    app.session_state[key] = {"edited_rows": before, "added_rows": [], "deleted_rows": []}
    return well(app.run())


def press(app: AppTest, key: str) -> AppTest:
    return well(next(b for b in app.button if b.key == key).click().run())


def is_off(app: AppTest, key: str) -> bool:
    return next(b for b in app.button if b.key == key).disabled


def names(app: AppTest) -> list[str]:
    return ["  " * row.depth + (row.name or row.kind) for row in desk(app).draft.rows]


def test_it_starts_with_the_task_of_compare_and_its_answer():
    app = visit()
    assert re.fullmatch(r"Coding agent, one request \d+ s on Jalapeño , \d+ s on GB300 , typically \d+ calls", top(app))
    assert "Nothing you enter leaves this computer or is kept on it." in text(app)
    assert names(app) == ["turns", "  act", "  run", "report"]
    assert is_off(app, "undo") and is_off(app, "redo") and not is_off(app, "use")
    assert "Voice, one turn" in top(visit(task="voice-turn"))


def test_an_edit_is_answered_and_undone():
    app = visit()
    before = top(app)
    type_in(app, 2, "wait", "30 s")
    assert "(edited)" in top(app) and "3 min" in top(app)
    assert desk(app).checked.task.steps[0].steps[1].seconds.fixed == 30
    press(app, "undo")
    assert top(app) == before and not is_off(app, "redo")
    press(app, "redo")
    assert "(edited)" in top(app)


def test_a_mistake_is_marked_and_the_answer_stays_that_of_before():
    app = visit()
    answer = top(app).removeprefix("Coding agent, one request ")
    type_in(app, 2, "wait", "3 parsecs")
    assert f"Row 3, Wait: {WAIT}" in text(app)
    assert top(app) == f"Coding agent, one request (edited) {answer}, before your last edit".replace(" ,", " ,")
    assert desk(app).checked.rows == {2}
    assert is_off(app, "use")
    type_in(app, 2, "wait", "3 s")
    assert "parsecs" not in text(app) and "before your last edit" not in top(app) and not is_off(app, "use")


def test_a_cell_that_is_typed_back_while_the_answer_is_made_is_back():
    app = visit()
    type_in(app, 3, "out", "7")
    assert desk(app).checked.task.steps[1].output_tokens.fixed == 7
    # The table was given 400 and is given it still, so 400 typed again is no edit, and it tells of none.
    assert desk(app).given[3]["out"] == "400"
    app.session_state[f"steps-{desk(app).epoch}"] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    well(app.run())
    assert desk(app).checked.task.steps[1].output_tokens.fixed == 400
    assert "(edited)" not in top(app)


def test_what_is_undone_to_a_task_that_editing_began_with_is_not_edited():
    app = visit()
    began = desk(app).checked.task
    desk(app).open(catalog.tasks()["voice-turn"], keep=True)
    well(app.run())
    assert "(edited)" not in top(app)
    press(app, "undo")
    assert desk(app).checked.task == began and "(edited)" not in top(app)
    type_in(app, 3, "out", "7")
    assert "(edited)" in top(app)


def test_a_parallel_of_tools_is_offered():
    app = visit()
    desk(app).add("parallel", "tool_wait")
    assert [row.kind for row in desk(app).draft.rows[-2:]] == ["parallel", "tool_wait"]
    assert parts.OFFERED["parallel of tools"] == ("parallel", "tool_wait") and parts.OFFERED["loop"] == ("loop",)


@pytest.mark.slow
def test_ticked_rows_move_double_and_go():
    app = visit()
    assert all(is_off(app, key) for key in ("up", "down", "duplicate", "delete"))
    type_in(app, 0, "pick", True)
    press(app, "down")
    assert names(app) == ["report", "turns", "  act", "  run"]
    press(app, "duplicate")
    assert names(app) == ["report", "turns", "  act", "  run", "turns 2", "  act 2", "  run 2"]
    press(app, "delete")
    assert names(app) == ["report", "turns", "  act", "  run"]
    press(app, "undo")
    press(app, "undo")
    press(app, "undo")
    assert names(app) == ["turns", "  act", "  run", "report"]


def test_nesting_and_kinds_in_the_table():
    app = visit()
    type_in(app, 3, "inside", "turns")
    assert names(app) == ["turns", "  act", "  run", "  report"]
    type_in(app, 2, "kind", "loop")
    assert names(app) == ["turns", "  act", "  loop", "    run", "  report"]
    type_in(app, 0, "inside", "row 3")
    assert "A row cannot stand inside itself" in text(app).replace("a row cannot", "A row cannot")
    assert names(app) == ["turns", "  act", "  loop", "    run", "  report"]


@pytest.mark.slow
def test_typing_again_after_a_move_meets_the_right_row():
    app = visit()
    type_in(app, 3, "out", "500")
    type_in(app, 0, "pick", True)
    press(app, "down")
    type_in(app, 0, "out", "600")
    assert desk(app).checked.task.steps[0].output_tokens.fixed == 600
    assert desk(app).checked.task.steps[1].steps[0].output_tokens.fixed is None


def test_a_sentence_makes_a_task():
    app = visit()
    app.text_input(key="build_sentence").set_value("8 turns, fast tools").run()
    assert "I could not use: 'fast tools'. Write a number and a unit, like 4 s tools." in text(well(app))
    assert is_off(app, "make")
    app.text_input(key="build_sentence").set_value("8 turns, 6k context, 250 tokens out, 4 s tools").run()
    assert "8 × (model call, 250 tokens; tool, 4 s); context starts at 6,000." in text(well(app))
    press(app, "make")
    assert names(app) == ["turn", "  call", "  tool"] and "8 calls" in top(app)
    press(app, "undo")
    assert names(app) == ["turns", "  act", "  run", "report"]


def test_name_and_start_of_the_conversation():
    app = visit()
    app.text_input(key="head_name").set_value("Mine <b>").run()
    app.text_input(key="head_context_tokens").set_value("many").run()
    assert 'Context: "many" is not a number of tokens.' in text(well(app))
    app.text_input(key="head_context_tokens").set_value("40k").run()
    task = desk(well(app)).checked.task
    assert (task.name, task.context_tokens) == ("Mine <b>", 40_000)
    assert "&lt;b&gt;" in next(e.proto.body for e in app.get("html") if "ac-build" in e.proto.body)


def test_yaml_is_in_step_with_the_table():
    app = visit()
    app.session_state["yaml_open"] = True
    well(app.run())
    area = app.text_area(key="build_yaml")
    assert documents.read_task(area.value.encode()) == catalog.tasks()["coding-agent"]
    before = names(app)
    area.set_value(area.value.replace("p50: 0.3", "p50: 3 parsecs")).run()
    assert re.search(r"YAML, line \d+: steps\[0\].steps\[1\].seconds", text(well(app))) and names(app) == before
    assert "The table stays as it was." in text(app) and "parsecs" in app.text_area(key="build_yaml").value
    area = app.text_area(key="build_yaml")
    area.set_value(area.value.replace("3 parsecs", "3")).run()
    assert desk(well(app)).checked.task.steps[0].steps[1].seconds.model_dump()["p50"] == 3
    type_in(app, 3, "out", "77")
    assert "output_tokens: 77" in app.text_area(key="build_yaml").value


@pytest.mark.slow
def test_what_the_table_cannot_show_is_told():
    app = visit(task="sub-agents-cache")
    assert "Set in YAML, and kept: cache lifetime." in text(app)
    assert desk(app).checked.task == catalog.tasks()["sub-agents-cache"]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(catalog.tasks()))
def test_every_packaged_task_can_be_edited(name: str):
    app = visit(task=name)
    call = next(i for i, row in enumerate(desk(app).draft.rows) if row.kind == "model_call")
    type_in(app, call, "out", "333")
    assert not desk(app).checked.mistakes and "(edited)" in top(app)


def test_it_goes_to_compare():
    app = visit()
    type_in(app, 3, "out", "500")
    edited = desk(app).checked.task
    press(app, "use")
    assert app.session_state["scenario"].task == "own" and "ac-build" not in "".join(
        e.proto.body for e in app.get("html")
    )
    assert app.session_state["brought"].task == edited


@pytest.mark.slow
def test_another_task_on_compare_is_shown_until_something_is_edited():
    app = visit()
    well(app.switch_page(str(pages_folder() / "compare.py")).run())
    control(app, "pick_task").select("voice-turn").run()
    well(app.switch_page(str(pages_folder() / "build.py")).run())
    assert "Voice, one turn" in top(app) and is_off(app, "undo")
    type_in(app, 0, "wait", "1 s")
    well(app.switch_page(str(pages_folder() / "compare.py")).run())
    control(app, "pick_task").select("chat-turn").run()
    well(app.switch_page(str(pages_folder() / "build.py")).run())
    assert "Voice, one turn (edited)" in top(app)


def test_a_file_is_opened_and_a_broken_one_changes_nothing():
    app = visit()

    def opened(data: bytes, name: str) -> AppTest:
        def script(data, name):
            import streamlit as st

            from agentcalc.app.build import parts

            parts.take_file(st.session_state["build"], data, name)

        side = AppTest.from_function(script, args=(data, name))
        side.session_state["build"] = desk(app)
        side.run()
        assert not side.exception
        return well(app.run())

    good = b"name: Mine\nsteps:\n  - {kind: tool_wait, name: look, seconds: 2}\n"
    assert names(opened(good, "mine.yaml")) == ["look"]
    assert top(app).startswith("Mine 2.0 s on Jalapeño")
    for data, name, said in (
        (good.replace(b": 2}", b": 2 parsecs}"), "mine.yaml", "mine.yaml, line 3: steps[0].seconds"),
        (b"\xff\xfe\x00", "x.yaml", "x.yaml"),
        (b"id: a/b\npoints: []\n", "s.yaml", "this is a system file"),
        (b"name: " + b"x" * 3_000_000, "big.yaml", "it is larger than 2 MB"),
        (
            b"name: A\nsteps:\n" + b"- {kind: tool_wait, seconds: 1}\n" * (MOST_ROWS + 1),
            "long.yaml",
            "too many for a table",
        ),
        (b"name: A\nsteps:\n" + b"- {kind: tool_wait, seconds: 1}\n" * 100_000, "huge.yaml", "huge.yaml"),
        (
            b"name: \xe2\x80\xaeabc\nsteps: [{kind: tool_wait, seconds: 1}]\n",
            "bidi.yaml",
            "control or layout characters",
        ),
    ):
        opened(data, name)
        assert said in text(app), said
        assert names(app) == ["look"]


def test_an_empty_table_says_what_to_do_and_a_first_step_answers():
    app = visit()
    desk(app).open(None, keep=True)
    well(app.run())
    assert "Add a first step, or start from a packaged task." in text(app) and top(app) == "New task (edited)"
    assert is_off(app, "use")
    desk(app).add("model_call")
    well(app.run())
    assert "1 call" in top(app) and not is_off(app, "use")


def test_a_task_that_cannot_be_played_here_is_one_line():
    app = visit()
    type_in(app, 0, "times", "1000000")
    assert "before your last edit" in top(app) and "steps" in text(app) and is_off(app, "use")
    type_in(app, 0, "times", "4")
    assert "before your last edit" not in top(app) and not is_off(app, "use")


def test_an_edit_is_quick():
    app = visit()
    start = time.process_time()
    type_in(app, 3, "out", "401")
    assert time.process_time() - start < 2
