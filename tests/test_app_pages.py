"""Every page, from the entry script, without a browser: what is said, what controls do, and never a traceback."""

from __future__ import annotations

import html
import random
import re

import pytest
from streamlit.testing.v1 import AppTest

from agentcalc import catalog, documents
from agentcalc.app import calls, keys, link, session
from agentcalc.app.brought import Brought
from agentcalc.app.choices import OWN
from agentcalc.app.options import ENTRY, FLAGS, pages_folder
from agentcalc.app.shell import BROKEN, PAGES, pages_there
from tests.pages import control

MODELS = {name.partition("/")[2] for name in catalog.systems()}


def visit(page: str = "compare", **query: str) -> AppTest:
    """A new visit to a page by its address."""
    app = AppTest.from_file(str(ENTRY), default_timeout=60)
    for key, value in query.items():
        app.query_params[key] = value
    app.run()
    if page != "compare":
        app = go(app, page)
    return well(app)


def go(app: AppTest, page: str) -> AppTest:
    """Another page of the same visit."""
    return app.switch_page(str(pages_folder() / f"{page}.py")).run()


def well(app: AppTest) -> AppTest:
    """The page was drawn: no exception, and not the line that hides one."""
    assert not app.exception, app.exception
    assert BROKEN not in text(app)
    return app


def htmls(app: AppTest) -> list[str]:
    """The pieces of HTML on the page, but for the style sheet."""
    found = [element.proto.body for element in app.get("html")]
    return [body for body in found if not body.startswith("<style")]


def text(app: AppTest) -> str:
    """Everything said in HTML on the page, without tags, with plain spaces."""
    return re.sub(r"<[^>]+>", " ", " ".join(htmls(app))).replace("\u00a0", " ")


def title(app: AppTest) -> str:
    found = next(h for h in htmls(app) if "ac-answer" in h)
    return re.sub(r"<[^>]+>", "", re.search(r"<h1.*?</h1>", found)[0]).replace("\u00a0", " ")


def query(app: AppTest) -> dict[str, str]:
    return {key: value[-1] if isinstance(value, list) else value for key, value in app.query_params.items()}


def button(app: AppTest, key: str):
    return next(b for b in app.button if b.key == key)


def take(app: AppTest, data: bytes, name: str) -> AppTest:
    """Opens a file, as the uploader's callback does, and draws the page again."""

    def script(data, name):
        from agentcalc.app import opening, session

        session.current()
        opening.take(data, name)

    opened = AppTest.from_function(script, args=(data, name))
    for key in session.KEYS:
        if key in app.session_state:
            opened.session_state[key] = app.session_state[key]
    for key, value in app.query_params.items():
        opened.query_params[key] = value
    opened.run()
    assert not opened.exception
    for key in session.KEYS:
        if key in opened.session_state:
            app.session_state[key] = opened.session_state[key]
    app.query_params.clear()
    return app.run()


def test_the_first_visit_answers_in_a_sentence_with_its_doubts():
    app = visit()
    assert re.fullmatch(r"Jalapeño takes \d+ s instead of \d+ s: \d\.\d× faster", title(app))
    said = text(app)
    assert "The calls alone are" in said and "no system could make it more than" in said
    assert re.search(r"Against GB300 with MTP: \d\.\d×\.", said)
    for caveat in (
        "Vendor-run by OpenAI.",
        "No MTP.",
        "8k tokens in, 1k out",
        "5 users on 22 GPUs",
        "load is unpublished",
    ):
        assert caveat in said
    assert query(app) == {}
    assert len(app.get("arrow_vega_lite_chart")) + len(app.get("vega_lite_chart")) >= 4


def test_the_name_that_leads_is_in_its_colour():
    found = next(h for h in htmls(visit()) if "ac-answer" in h)
    assert '<h1 class="ac-answer"><span class="ac-candidate">Jalapeño</span> takes' in found


@pytest.mark.slow
@pytest.mark.parametrize("model", sorted(MODELS))
@pytest.mark.parametrize("task", sorted(catalog.tasks()))
def test_every_packaged_task_on_every_model(task: str, model: str):
    app = visit(task=task, model=model)
    assert title(app)


@pytest.mark.parametrize("by", ["typical", "average", "slow"])
@pytest.mark.parametrize("task", ["coding-agent", "deep-research"])
def test_every_statistic(task: str, by: str):
    app = visit(task=task, by=by)
    assert title(app)
    assert control(app, "pick_by").value in (by, [by])


def test_the_switch_carries_each_statistics_own_answer():
    app = visit()
    labels = [option.content for option in app.get("button_group")[0].proto.options]
    assert [re.sub(r"\d+\.\d+×", "r", label) for label in labels] == ["Typical r", "Average r", "Slow (p95) r"]


def test_each_choice_is_written_to_the_address():
    app = visit()
    control(app, "pick_task").select("deep-research").run()
    assert query(well(app)) == {"task": "deep-research"}
    control(app, "pick_model").select("gpt-oss-120b").run()
    assert query(well(app)) == {"task": "deep-research", "model": "gpt-oss-120b"}
    assert control(app, "pick_baseline").value == "gb200"
    control(app, "pick_model").select("deepseek-r1").run()
    control(app, "pick_baseline").select("gb300-mtp").run()
    assert query(well(app)) == {"task": "deep-research", "baseline": "gb300-mtp"}
    assert "MTP" in title(app) or "MTP" in text(app)


def test_the_same_system_on_both_sides():
    app = visit(candidate="gb300")
    assert title(app) == "Both sides are GB300. Choose another candidate."
    changed = visit(candidate="gb300", speed="2")
    assert title(changed).startswith("Changed GB300 takes ")
    both = "--system gb300/deepseek-r1 --system gb300/deepseek-r1 --set speed=2x"
    assert both in text(go(changed, "method"))
    assert title(visit(candidate="gb300", tools="2")) == "Both sides are GB300. Choose another candidate."


def test_sides_exchanged_the_baseline_leads():
    app = visit(baseline="jalapeno", candidate="gb300")
    assert title(app).startswith("Jalapeño finishes first")
    assert '<span class="ac-baseline">Jalapeño</span>' in next(h for h in htmls(app) if "ac-answer" in h)


def test_the_stronger_rival_is_not_named_when_it_is_on_screen():
    assert "Against " not in text(visit(baseline="gb300-mtp"))


def test_break_even_is_offered_unasked_on_gpt_oss():
    app = visit(model="gpt-oss-120b")
    assert re.search(r"below about \d+|too close", text(app), re.IGNORECASE)
    assert any("figure-break" in str(block) for block in _keys(app))


def _keys(app: AppTest) -> list[str]:
    """Ids of all blocks, which hold the keys of containers."""
    found, todo = [], [app._tree.main]
    while todo:
        block = todo.pop()
        found.append(getattr(getattr(block, "proto", None), "id", ""))
        todo += list(getattr(block, "children", {}).values())
    return found


def test_what_if_rewrites_the_sentence_and_says_what_it_was():
    app = visit()
    before = title(app)
    button(app, "what_if").click().run()
    control(app, "factor_tools").set_value(0.5).run()
    well(app)
    assert query(app) == {"tools": "0.5"}
    assert title(app) != before
    said = text(app)
    assert "Changed: tool time 0.5×. Before: " in said and ", at most " in said
    assert re.match(r"Tool time: .+ \(was .+\)", control(app, "factor_tools").label.replace("\\", ""))
    button(app, "reset").click().run()
    assert title(well(app)) == before and query(app) == {}


@pytest.mark.parametrize("factor", ["steps", "tokens", "tools", "speed", "first", "context"])
@pytest.mark.parametrize("value", [0.25, 4.0])
def test_each_slider_at_its_ends(factor: str, value: float):
    app = visit(**{factor: f"{value:g}"})
    assert control(app, f"factor_{factor}").value == value
    assert "Changed: " in text(app)


def test_one_slider_goes_back_alone():
    app = visit(tools="0.5", context="2", cached="0.5")
    assert "Changed: tool time 0.5×, context at the start 2×, of it cached 50%." in text(app)
    assert control(app, "factor_context").label.replace("\\", "").startswith("Context at the start: 40,000")
    button(app, "undo_context").click().run()
    assert query(well(app)) == {"tools": "0.5", "cached": "0.5"}
    assert control(app, "factor_cached").label.endswith("10,000 tokens (was 20,000 tokens)")
    assert not any(b.key == "undo_context" for b in app.button)
    button(app, "reset").click().run()
    assert query(well(app)) == {}


def test_the_life_of_a_cache_is_a_lever_where_there_is_one():
    assert control(visit(tools="2"), "factor_lifetime").disabled
    app = visit(task="sub-agents-cache", lifetime="2")
    assert "10 min (was 5 min)" in control(app, "factor_lifetime").label.replace("\\", "").replace("\u00a0", " ")


def test_halving_tools_leaves_what_runs_save_unchanged():
    saves = r"Half of all runs save more than [^;]+"
    plain, halved = text(visit()), text(visit(tools="0.5"))
    assert re.search(saves, plain)[0] == re.search(saves, halved)[0]


def test_the_run_is_kept_while_sliders_move():
    app = visit(run="7")
    button(app, "what_if").click().run()
    control(app, "factor_tools").set_value(2.0).run()
    assert query(app) == {"run": "7", "tools": "2"}
    button(app, "another").click().run()
    assert query(well(app))["run"] == "8"


def test_a_task_without_tools_has_nothing_to_change_there():
    app = visit(task="benchmark-call", tokens="0.5")
    assert control(app, "factor_tools").disabled
    assert control(app, "factor_steps").disabled
    assert not control(app, "factor_tokens").disabled


def test_a_broken_link_is_answered_line_by_line_until_something_is_chosen():
    app = visit(baseline="gb400", by="<b>x</b>")
    said = " ".join(htmls(app))
    assert "(system &#x27;gb400&#x27;). Showing GB300 instead." in said
    assert "<b>x</b>" not in said and "&lt;b&gt;x&lt;/b&gt;" in said
    control(app, "pick_task").select("chat-turn").run()
    assert "could not be read" not in text(well(app))
    assert query(app) == {"task": "chat-turn"}


def test_what_was_said_of_a_link_does_not_follow_to_another_page():
    app = visit(task="nonsense", x="garbage")
    assert "The rest of this link could not be read; it may have been cut." in text(well(app))
    assert "could not be read" in text(well(app.run())), "it stays while the page is drawn anew"
    for page in ("explore", "compare"):
        app.query_params.clear()
        app.switch_page(str(pages_folder() / f"{page}.py")).run()
        assert "could not be read" not in text(well(app))


def test_a_task_of_ones_own():
    data = b"name: 'Mine <img src=x onerror=alert(1)>'\nsteps:\n- {kind: model_call, output_tokens: 2000}\n"
    app = well(take(visit(), data, "mine.yaml"))
    assert query(app)["task"] == OWN and set(query(app)) == {"task", "x"}
    assert title(app).startswith("Jalapeño takes")
    assert not any("<img" in h for h in htmls(app))
    control(app, "pick_task").select("chat-turn").run()
    control(app, "pick_task").select(OWN).run()
    assert title(well(app)).startswith("Jalapeño takes")


ODD = {
    "tools only": b"name: x\nsteps: [{kind: tool_wait, seconds: 3}]\n",
    "people only": b"name: x\nsteps: [{kind: human_wait, seconds: {p50: 30, p90: 90}}]\n",
    "one token": b"name: x\nsteps: [{kind: model_call, output_tokens: 1}]\n",
    "nothing written": b"name: x\nsteps: [{kind: model_call, input_tokens: 500, output_tokens: 0}]\n",
    "no time at all": b"name: x\nsteps: [{kind: tool_wait, seconds: 0}]\n",
    "mostly nothing": b"name: h\nsteps: [{kind: choice, options: [{probability: 0.6, steps: []}, "
    b"{probability: 0.4, steps: [{kind: tool_wait, seconds: 1}]}]}]\n",
    "no copies": b"name: h\nsteps: [{kind: parallel, width: 0, steps: [{kind: tool_wait, seconds: 1}]}]\n",
    "wide": b"name: w\nsteps: [{kind: parallel, width: 40, steps: [{kind: model_call, output_tokens: 9}]}]",
    "retry": b"name: x\nsteps: [{kind: retry, failure_probability: 0.4, steps: [{kind: tool_wait, seconds: 9}]}]",
    "long name": b"name: "
    + b"W" * 80
    + b"\nsteps: [{kind: model_call, name: '"
    + b"m" * 80
    + b"', output_tokens: 900}]\n",
    "markdown": b"name: '**x** [a](b) $y$ :red[z]'\nsteps: [{kind: model_call, output_tokens: 900}]\n",
    "many steps": b"name: x\nsteps: [{kind: loop, times: 400, steps: [{kind: model_call, output_tokens: 20}]}]\n",
}


@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_odd_tasks_are_answered_too(data: bytes):
    app = well(take(visit(), data, "mine.yaml"))
    assert query(app)["task"] == OWN and title(app)
    app = go(app, "method")
    assert "YOUR-TASK.yaml" in text(well(app))


def test_a_factor_between_the_stops_is_kept():
    app = visit(tools="0.33")
    assert control(app, "factor_tools").value == 0.33
    assert "Changed: tool time 0.33×." in text(app)


def test_more_systems_are_in_the_table_and_the_sentence_stays_about_the_pair():
    plain = visit()
    app = visit(more="gb300-mtp")
    assert title(app) == title(plain)
    table = next(h for h in htmls(app) if "<table" in h)
    assert re.findall(r'<tr class="(\w*)"><td>(.*?)</td>', table) == [
        ("baseline", "GB300"), ("candidate", "Jalapeño"), ("", "GB300 with MTP"),
    ]  # fmt: skip
    control(plain, "pick_more").select("gb300-mtp").run()
    assert query(well(plain)) == {"more": "gb300-mtp"}
    control(plain, "pick_model").select("kimi-k2.5").run()
    assert query(well(plain)) == {"model": "kimi-k2.5"}


FAULTS = {
    "empty": (b"", "mine.yaml"),
    "not a task": (b"- 1\n- 2\n", "mine.yaml"),
    "no steps": (b"name: x\nsteps: []\n", "steps"),
    "unknown key": (b"name: x\nsteps: [{kind: model_call, output_tokens: 5, colour: red}]\n", "colour"),
    "probabilities": (b"name: x\nsteps: [{kind: choice, options: [{probability: 0.9, steps: []}]}]\n", "0.9"),
    "aliases": (b"a: &a [1]\nb: *a\n", "mine.yaml"),
    "binary": (bytes(range(256)), "mine.yaml"),
    "not text": (b"\xff\xfe\x00\x00", "mine.yaml"),
    "a broken system": (b"id: mine\nlabel: x\npoints: []\n", "mine.yaml"),
    "a broken scenario": (b"scenario: 1\nlink: [1]\n", "link"),
    "endless": (
        b"name: mine.yaml\nsteps: [{kind: loop, times: 100000000, steps: [{kind: human_wait, seconds: 5}]}]\n",
        "mine.yaml",
    ),
    "html": (b"name: x\nsteps: [{kind: '<script>alert(1)</script>'}]\n", "script"),
}


@pytest.mark.parametrize("data, word", FAULTS.values(), ids=FAULTS)
def test_a_broken_task_is_one_line_where_the_answer_would_be(data: bytes, word: str):
    app = well(take(visit(), data, "mine.yaml"))
    problems = [h for h in htmls(app) if "ac-problem" in h]
    assert len(problems) == 1 and word in problems[0]
    assert "\n" not in problems[0] and "<script" not in problems[0]
    assert not any("ac-answer" in h for h in htmls(app))
    assert len(app.selectbox) == 4
    # Another choice is an answer again.
    control(app, "pick_task").select("chat-turn").run()
    assert title(well(app))


def test_method_puts_this_scenarios_numbers_in():
    app = go(visit(model="gpt-oss-120b", task="chat-turn"), "method")
    said = text(well(app))
    assert re.search(r"One call on Jalapeño: .*0\.\d{3} s \+ [\d,]+ × 0\.685 ms = ", said)
    assert "agentcalc compare chat-turn --system gb200/gpt-oss-120b --system jalapeno/gpt-oss-120b" in said


def test_method_shows_every_number_source_and_note_of_the_catalog():
    raw = " ".join(htmls(visit("method")))
    from html import escape

    for system in catalog.systems().values():
        assert escape(system.headline) in raw
        for _, number in system.numbers():
            assert escape(number.note or "") in raw
    for source in catalog.sources().values():
        assert escape(source.title) in raw and (source.address or "") in raw


def test_method_says_which_checks_are_independent():
    raw = next(h for h in htmls(visit("method")) if "One benchmark call" in h)
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr.*?</tr>", raw)[1:]]
    kinds = {row[0]: row[2] for row in rows}
    assert len(rows) == 6
    assert [name for name, kind in kinds.items() if kind == "independent and blind"] == ["GB200, GPT-OSS 120B"]
    assert kinds["GB300, DeepSeek R1"].startswith("not blind: the row was identified by its giving 5.99 s (−0.2%)")


def test_method_says_which_runs_a_ceiling_and_which_system_a_range_of_prompts_is_about():
    said = text(visit("method"))
    assert re.search(r"Here \d\.\d× on typical runs; \d\.\d× of the averages; \d\.\d× on slow runs \(p95\)\.", said)
    assert re.search(r"GB200, GPT-OSS 120B; [^:]*: measured on prompts of 819 to 8,192 fresh tokens\.", said)
    assert "All others: measured on prompts of 6,553 to 8,192 fresh tokens." in said


def test_a_system_changed_by_hand_is_said_to_be_and_further_systems_are_in_the_caption():
    assert "Vendor-run by OpenAI. Jalapeño changed by hand. No MTP." in text(visit(speed="2", first="0.5"))
    assert "public benchmark" not in text(visit(candidate="gb300", speed="2", first="0.5"))
    assert "No MTP but for GB300 with MTP." in text(visit(more="gb300-mtp"))


def test_a_system_file_is_compared_as_the_candidate_and_travels_in_the_link():
    jalapeno = catalog.systems()["jalapeno/deepseek-r1"]
    mine = jalapeno.model_copy(update={"id": "mine", "label": "Mine", "model": None, "model_label": None})
    app = well(take(visit(), documents.write(mine).encode(), "mine.yaml"))
    assert query(app)["candidate"] == "mine" and title(app).startswith("Mine takes")
    again = visit(**query(app))
    assert title(again) == title(app) and query(again) == query(app)
    # One of the id of a packaged system stands beside it.
    app = well(take(visit(), documents.write(jalapeno).encode(), "mine.yaml"))
    assert query(app)["candidate"] == "jalapeno-2"
    assert control(app, "pick_candidate").options[-1].endswith("jalapeno-2/deepseek-r1")


def test_a_scenario_saved_as_a_file_is_the_same_when_it_is_opened():
    app = visit(task="chat-turn", tools="0.5", by="slow")
    saved = link.to_file(app.session_state["scenario"], app.session_state["brought"], calls.catalog_choices())
    again = well(take(visit(), saved, "scenario.json"))
    assert title(again) == title(app) and query(again) == query(app)
    newer = saved.replace(b'"scenario": 1', b'"scenario": 2')
    assert "comes from a newer agentcalc" in text(well(take(visit(), newer, "scenario.json")))


def test_several_faults_of_a_file_are_one_line_each():
    many = b"name: x\nsteps: [" + b"{kind: model_call, output_tokens: -1}, " * 8 + b"]\n"
    app = well(take(visit(), many, "mine.yaml"))
    problem = next(h for h in htmls(app) if "ac-problem" in h)
    assert problem.count("<p>") == 6 and "… and 3 more." in problem


def test_a_link_carries_a_task_and_brings_it_back():
    app = well(take(visit(), b"name: Mine\nsteps: [{kind: model_call, output_tokens: 900}]\n", "mine.yaml"))
    again = visit(**query(app))
    assert title(again) == title(app) and query(again) == query(app)
    assert control(again, "pick_task").options[0] == "Mine"
    torn = {**query(app), "x": query(app)["x"][:-9]}
    said = text(visit(**torn))
    assert "Part of this link was lost on its way" in said and "stays with whoever" not in said


def test_method_names_the_seconds_that_add_up_and_none_that_compound():
    said = text(visit("method"))
    assert "accumulates" in said and "Nothing here compounds: none of the three rules" in said
    assert "All of it adds up call by call: " in said


@pytest.mark.parametrize(
    ("task", "rule", "why"),
    [
        ("sub-agents-cache", "the lifetime of the cache", "a cache it keeps"),
        ("long-report", "the time limit of a call", "timeouts it no longer hits"),
        ("approvals", "the limit of attention", "a person it does not lose"),
    ],
)
def test_method_names_the_rule_that_makes_seconds_compound(task: str, rule: str, why: str):
    app = visit("method", task=task)
    said = text(app)
    assert f"On in this task: {rule}." in said and "Nothing here compounds" not in said
    assert "add up call by call and" in said and f"compound: {why}." in said


def test_compare_says_what_adds_up_and_what_compounds_beside_the_table():
    assert "All of it adds up call by call: " in text(visit())
    assert "compound: timeouts it no longer hits." in text(visit(task="long-report"))
    assert "Chance of success at most" in text(visit(task="best-of-n"))


def test_the_command_on_method_gives_the_same_answer():
    from click.testing import CliRunner

    app = go(visit(), "method")
    line = re.search(r"agentcalc (compare .*?--seed \d+)", text(app))[1]
    from agentcalc.cli.main import cli

    out = CliRunner().invoke(cli, line.split())
    assert out.exit_code == 0, out.output


def test_pages_and_flags():
    files = {path.stem for path in pages_folder().glob("*.py")}
    assert {"compare", "method"} <= files <= {name for name, _ in PAGES}
    assert [title for _, title, _ in pages_there()] == [title for name, title in PAGES if name in files]
    assert all(address.isalpha() for _, _, address in pages_there())
    assert "--browser.gatherUsageStats=false" in FLAGS


def test_settings_hold_however_the_app_is_started():
    import tomllib

    settings = tomllib.loads((ENTRY.parent / ".streamlit" / "config.toml").read_text("utf-8"))
    for flag in FLAGS:
        name, _, value = flag.removeprefix("--").partition("=")
        section, _, key = name.partition(".")
        assert str(settings[section][key]).lower() == value.lower(), flag


def cards(app: AppTest) -> list[str]:
    """The numbers on the cards of what was kept."""
    found = [re.sub(r"<[^>]+>", "", h).replace("\u00a0", " ") for h in htmls(app) if 'class="ac-card"' in h]
    return [" ".join(one.split()) for one in found]


def names(app: AppTest) -> list[str]:
    return [b.label.replace("\\", "") for b in app.button if (b.key or "").startswith("restore-")]


def test_keep_puts_both_sides_and_then_each_candidate_into_the_strip_and_the_link():
    app = visit()
    assert cards(app) == []
    button(app, "keep").click().run()
    assert names(well(app)) == ["A GB300", "B Jalapeño"]
    first, second = cards(app)
    assert re.fullmatch(r"\d\d\.\d s", first) and re.fullmatch(r"\d\d\.\d s 1\.\d× against A", second)
    button(app, "keep").click().run()
    assert len(names(app)) == 2, "the same once more is not kept twice"
    button(app, "what_if").click().run()
    control(app, "factor_tools").set_value(0.5).run()
    button(app, "keep").click().run()
    assert names(well(app))[2] == "C Jalapeño, tool time 0.5×"
    ratio = re.search(r"[\d.]+×", title(app))[0]
    assert cards(app)[2].endswith(f"× against A{ratio} against GB300 in this scenario")
    again = visit(**query(app))
    assert names(again) == names(app) and cards(again) == cards(app) and title(again) == title(app)
    # By another statistic all of them change.
    control(app, "pick_by").set_value("average").run()
    assert cards(well(app))[0] != first


def test_cards_are_renamed_moved_opened_and_taken_away():
    app = visit(tools="0.5", model="gpt-oss-120b")
    before = title(app)
    button(app, "keep").click().run()
    app.text_input(key="rename-0").set_value("  Today <b>\u202e ").run()
    assert names(well(app))[0] == "A Today <b>"
    button(app, "move-0-Right").click().run()
    assert [n[2:] for n in names(well(app))] == ["Jalapeño, tool time 0.5×", "Today <b>"]
    control(app, "pick_model").select("deepseek-r1").run()
    control(app, "pick_task").select("chat-turn").run()
    assert title(app) != before
    button(app, "restore-1").click().run()
    assert title(well(app)) == before and query(app)["model"] == "gpt-oss-120b"
    button(app, "remove-1").click().run()
    button(app, "remove-0").click().run()
    assert names(well(app)) == [] and "x" not in query(app)


def test_six_are_kept_at_most():
    app = visit()
    for factor in ("1", "0.5", "0.7", "1.4", "2", "2.5"):
        app.query_params["tools"] = factor
        app.run()
        if not button(app, "keep").disabled:
            button(app, "keep").click().run()
    assert len(names(well(app))) == 6 and button(app, "keep").disabled


def test_a_kept_task_of_ones_own_comes_back_after_another_took_its_place():
    app = well(take(visit(), b"name: One\nsteps: [{kind: model_call, output_tokens: 900}]\n", "a.yaml"))
    button(app, "keep").click().run()
    one = title(app)
    app = well(take(app, b"name: Two\nsteps: [{kind: model_call, output_tokens: 90}]\n", "b.yaml"))
    assert title(app) != one
    button(app, "restore-0").click().run()
    assert title(well(app)) == one and control(app, "pick_task").options[0] == "One"


def test_sides_are_swapped():
    app = visit()
    button(app, "swap").click().run()
    assert title(well(app)).startswith("Jalapeño finishes first") and query(app) == {
        "baseline": "jalapeno",
        "candidate": "gb300",
    }
    button(app, "swap").click().run()
    assert query(well(app)) == {}


def test_the_race_takes_the_place_of_the_answer_and_gives_it_back():
    app = visit()
    before = title(app)
    button(app, "race_switch").click().run()
    assert "side by side" in text(well(app)) and "faster" not in text(app)
    button(app, "race_switch").click().run()
    assert title(well(app)) == before


def test_the_link_is_copied_until_something_else_is_on_screen():
    app = visit(tools="0.5")
    button(app, "copy_link").click().run()
    assert any("copied" in str(key) for key in _keys(well(app)))
    button(app, "reset").click().run()
    assert not any("copied" in str(key) for key in _keys(well(app)))


def test_a_scenario_too_long_for_a_link_goes_as_a_file_and_is_not_lost():
    pick = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    steps = "".join(
        f"- {{kind: tool_wait, name: '{''.join(pick.choices(letters, k=60))}', seconds: 0.1}}\n" for _ in range(200)
    )
    app = well(take(visit(), f"name: Long\nsteps:\n{steps}".encode(), "long.yaml"))
    assert query(app) == {"task": OWN} and control(app, "pick_task").options[0] == "Long"
    button(app, "copy_link").click().run()
    assert "Send it as a file." in text(well(app))
    control(app, "pick_by").set_value("slow").run()
    assert control(app, "pick_task").options[0] == "Long"
    assert "stays with whoever opened it" in text(visit(**query(app)))


def test_an_edited_title_stands_over_its_figure_while_it_is_true():
    app = visit()
    computed = re.search(r'ac-finding">(.*?)</h2>', next(h for h in htmls(app) if "ac-finding" in h))[1]
    brought = Brought().titled("timeline", html.unescape(computed), "Half the wait <i>")
    state = app.session_state["scenario"]
    app = visit(**link.write(state, brought, calls.catalog_choices()))
    assert "Half the wait &lt;i&gt;" in " ".join(htmls(app))
    control(app, "pick_task").select("chat-turn").run()
    assert "Half the wait" not in text(well(app))


def test_the_keys_that_are_listed_are_the_keys_there_are():
    app = visit()
    there = {b.proto.shortcut.upper() for b in app.button if b.proto.shortcut}
    assert there == {"P", "L", "F", "W", "K", "S", "N", "H"}
    assert there <= {key for listed, _ in keys.KEYS for key in listed.split(", ")}
    button(app, "keys").click().run()
    assert "Copy the link to all of this" in text(well(app))


def test_cancelled_work_leads_back_to_the_last_answer():
    def script():
        import streamlit as st

        from agentcalc.app import session

        state = session.current()
        if state.task == "coding-agent":
            session.answered()
        st.button("go", key="go", on_click=session.change, kwargs={"task": "chat-turn"})
        st.button("back", key="back", on_click=session.go_back)

    app = AppTest.from_function(script).run()
    button(app, "go").click().run()
    assert app.session_state["scenario"].task == "chat-turn"
    button(app, "back").click().run()
    assert app.session_state["scenario"].task == "coding-agent" and not app.exception
