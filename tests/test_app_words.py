"""What the app says in its own words: the caveat, what a result rests on, labels, tables. No Streamlit."""

import re
from dataclasses import replace

import pytest

from agentcalc import catalog, compare
from agentcalc.analysis.headline import headline
from agentcalc.analysis.naming import models
from agentcalc.app import faults, rests, scenario, what_if, words
from agentcalc.app.arrangement import arrange, inside_own_calls
from agentcalc.app.choices import choices
from agentcalc.app.state import MODEL, TASK, from_query
from agentcalc.errors import InputError
from agentcalc.figures import figures_for
from agentcalc.figures.race import race_for
from agentcalc.provenance import Source

SYSTEMS = catalog.systems()
KNOWN = choices(catalog.tasks(), SYSTEMS, catalog.PAIRS, TASK, MODEL)


def found(task="coding-agent", *systems, trials=2_000):
    return compare(task, systems or ("gb300/deepseek-r1", "jalapeno/deepseek-r1"), trials=trials)


@pytest.mark.parametrize(
    "pair, line",
    [
        (
            ("gb300/deepseek-r1", "jalapeno/deepseek-r1"),
            "Vendor-run by OpenAI. No MTP. Single-turn requests of 8k tokens in, 1k out. GB300's point serves 5 users "
            "on 22 GPUs; Jalapeño's load is unpublished.",
        ),
        (
            ("gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"),
            "Vendor-run by OpenAI. No MTP. Single-turn requests of 8k tokens in, 1k out. GB200's point serves 1 user "
            "on 9 GPUs; Jalapeño's load is unpublished.",
        ),
    ],
)
def test_the_caveat_is_true_of_the_pair(pair, line):
    assert words.caveat([SYSTEMS[name] for name in pair]) == line


def test_a_point_between_two_measured_ones_was_reported_by_nobody():
    pair = [SYSTEMS[name].at(8) for name in ("gb200/gpt-oss-120b", "h200/gpt-oss-120b")]
    guessed = [SYSTEMS["gb200/gpt-oss-120b"].at(20), pair[1]]
    assert guessed[0].point.between is not None
    for systems in (pair, guessed):
        assert words.caveat(systems).startswith("Measured by a public benchmark.")


def test_a_measurement_of_ones_own_is_no_public_benchmark():
    public = SYSTEMS["gb300/deepseek-r1"]
    source = Source(id="ours", title="ours.json", publisher="vLLM bench serve")
    point = public.point
    own = {name: getattr(point, name).model_copy(update={"source": "ours"}) for name in ("ttft", "tpot")}
    mine = public.model_copy(
        update={"id": "ours", "label": "Ours", "sources": (source,), "points": (point.model_copy(update=own),)}
    )
    assert words.caveat([public, mine]).startswith("Ours measured in-house, GB300 by a public benchmark. No MTP.")
    assert words.caveat([mine, mine]).startswith("Ours measured in-house. No MTP.")


def test_the_caveat_names_mtp_and_a_public_benchmark():
    pair = [SYSTEMS["gb300/deepseek-r1"], SYSTEMS["gb300-mtp/deepseek-r1"]]
    assert words.caveat(pair).startswith("Measured by a public benchmark. No MTP but for GB300 with MTP.")
    assert "No MTP but for GB300 with MTP." in words.caveat([pair[0], SYSTEMS["jalapeno/deepseek-r1"], pair[1]])


def test_the_caveat_names_who_published_a_number_and_not_who_made_the_system():
    said = words.caveat([SYSTEMS["gb300/kimi-k2.5"], SYSTEMS["jalapeno/kimi-k2.5"]])
    assert said.startswith("Vendor-run by OpenAI. No MTP.")
    assert words.caveat([SYSTEMS["gb300/kimi-k2.5"]] * 2).startswith("Reported by OpenAI.")


def test_the_caveat_says_once_that_no_load_is_published():
    pair = [SYSTEMS["gb300/kimi-k2.5"], SYSTEMS["jalapeno/kimi-k2.5"]]
    silent = [s.model_copy(update={"points": (s.point.model_copy(update={"concurrency": None}),)}) for s in pair]
    assert words.caveat(silent).endswith("1k out. GB300's and Jalapeño's load is unpublished.")


def test_the_caveat_says_what_was_changed_by_hand():
    base, cand = SYSTEMS["gb300/deepseek-r1"], SYSTEMS["jalapeno/deepseek-r1"]
    said = words.caveat([base, cand.scaled(ttft=0.5, speed=2)], [base, cand])
    assert said.startswith("Vendor-run by OpenAI. Jalapeño changed by hand. No MTP.")
    mine = base.scaled(ttft=2, speed=2).model_copy(update={"id": "gb300/deepseek-r1.changed", "label": "Changed GB300"})
    said = words.caveat([base, mine], [base, base])
    assert said.startswith("GB300 changed by hand.") and "public benchmark" not in said


def test_the_table_and_the_sentence_save_the_same():
    for task in ("coding-agent", "deep-research", "chat-turn"):
        result = found(task)
        said = re.search(r"save (more than [^;]+);", headline(result).so_what)[1]
        assert f'<td class="n">{said}</td>' in words.results_table(result, "p50")


def test_the_share_of_runs_says_at_which_values_and_is_not_shown_where_nobody_knows():
    sure = words.results_table(found(), "p50")
    assert "First in, at the values used" in sure and "100% of runs" in sure
    pair = replace(found().pairs[0], speedup_band={"p50": (0.9, 1.4)})
    open_ = words.results_table(replace(found(), pairs=(pair,)), "p50")
    assert '<td class="n">not known</td>' in open_ and "% of runs" not in open_


@pytest.mark.parametrize("text", ["**b**", "[a](javascript:x)", "`c`", ":red[x]", "$x$", "# h", "<b>"])
def test_a_label_is_never_markdown(text):
    assert all(f"\\{c}" in words.plain_label(text) for c in text if c in "*[]`$#<>")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Steps: 10.4 calls (was 20\u00a0s)", "Steps: 10.4 calls (was 20\u00a0s)"),
        ("DeepSeek-R1 on llama.cpp", "DeepSeek-R1 on llama\\.cpp"),
        (":red[x] :+1: https://a.b", "\\:red\\[x\\] \\:\\+1: https\\://a\\.b"),
        ("1. a", "1\\. a"),
        ("1) a", "1\\) a"),
        ("- a -> b -- c", "\\- a \\-\\> b \\-\\- c"),
        ("a@b.2co", "a@b\\.2co"),
        ("Is it 4.", "Is it 4."),
    ],
)
def test_a_label_is_escaped_where_markdown_would_read_it(text: str, label: str):
    assert words.plain_label(text) == label


def test_tables_escape_what_is_not_html():
    made = words.table(("<a>",), [("<b>",), (words.Html("<i>x</i>"),)], classes=("one",))
    assert "<a>" not in made and "<b>" not in made and "&lt;b&gt;" in made and "<i>x</i>" in made


def test_a_hostile_name_stays_text():
    system = SYSTEMS["jalapeno/deepseek-r1"].model_copy(update={"label": "<i>J</i>", "id": "x/deepseek-r1"})
    result = found("coding-agent", "gb300/deepseek-r1", system)
    said = words.answer(headline(result)) + words.caveat_line(result.specs) + words.results_table(result, "p50")
    said += rests.details(result, {}, catalog.source)
    assert "<i>" not in said and "&lt;i&gt;J" in said


def test_what_a_result_rests_on_names_every_number_and_what_the_unknown_does():
    result = found()
    effect = {(1, "fixed_share"): (1.8, 2.0), (1, "ttft"): (1.9, 1.9)}
    said = rests.details(result, effect, catalog.source)
    assert "700\u00a0tok/s per user" in said and "6.071\u00a0ms a token" in said
    assert "That alone makes the answer 1.8× to 2.0×." in said and "That alone leaves the answer at 1.9×." in said
    assert said.index("Jalapeño") < said.index("<h3>GB300")
    assert rests.chip(result, headline(result)).startswith("Rests on: assumed, extrapolated, ")


def test_a_source_that_does_not_resolve_is_named_in_its_place():
    assert rests.link(catalog.source, "nowhere") == "nowhere (this source is missing)"


def test_a_pinned_system_is_at_the_end_of_its_band_and_has_no_other():
    system = SYSTEMS["jalapeno/deepseek-r1"]
    low, high = (scenario.pinned(system, "fixed_share", end) for end in (0.0, 1.0))
    assert (low.fixed_share.value, high.fixed_share.value) == system.fixed_share.band
    assert low.unknowns() == high.unknowns() == ()
    assert low.point.ttft.value == system.point.ttft.value


def test_what_if_in_words():
    state, _ = from_query({"tools": "0.5", "speed": "2"}, KNOWN, 100)
    before = compare(scenario.task_of(state.plain, KNOWN), ["gb300/deepseek-r1", "jalapeno/deepseek-r1"])
    now = compare(scenario.task_of(state, KNOWN), scenario.systems_of(state, KNOWN))
    said = what_if.before_line(state.factors, before, "p50").replace("\u00a0", " ")
    assert said.startswith("Changed: tool time 0.5×, Jalapeño tok/s 2×. Before: ")
    assert what_if.before_line({}, before, "p50") == ""
    assert what_if.label("speed", now, before, "p50", moved=True) == "Jalapeño tok/s: 1,400 (was 700)"
    assert (
        what_if.label("first", now, before, "p50", moved=False).replace("\u00a0", " ") == "Jalapeño first token: 0.33 s"
    )
    # The label's tool time is the one in the sentence.
    tools = what_if.label("tools", now, before, "p50", moved=True).split(": ")[1].split(" (was ")
    assert f"tools take {tools[0]} on both" in headline(now).why
    assert f"tools take {tools[1].rstrip(')')} on both" in headline(before).why


def test_only_a_slider_that_was_moved_has_a_value_before():
    state, _ = from_query({"steps": "2"}, KNOWN, 100)
    pair = ["gb300/deepseek-r1", "jalapeno/deepseek-r1"]
    before, now = (compare(scenario.task_of(s, KNOWN), pair) for s in (state.plain, state))
    steps = what_if.label("steps", now, before, "p50", moved=True)
    assert re.fullmatch(r"Steps: [\d.]+ calls on average \(was [\d.]+\)", steps)
    tokens = [what_if.label("tokens", now, before, "p50", moved=moved) for moved in (True, False)]
    assert "(was " in tokens[0] and "(was " not in tokens[1]


def test_what_the_task_assumes_stands_once_and_no_number_twice():
    result = found("coding-agent")
    task = result.task.model_copy(update={"cached_tokens": None, "notes": ("Ours <b>only</b>.", *result.task.notes)})
    result = found(task)
    said = rests.details(result, {}, catalog.source)
    assert "<h3>The task</h3>" in said and "Ours &lt;b&gt;only&lt;/b&gt;." in said
    assert said.count("The server holds all 20,000 tokens of context") == 1
    assert "83%" in said and "does not grow with the prompt 0.83" not in said


def test_the_faults_of_a_file_are_one_line_each():
    many = b"name: x\nsteps: [" + b"{kind: model_call, output_tokens: -1}, " * 8 + b"]\n"
    with pytest.raises(InputError) as wrong:
        catalog.load_task(many, where="x.yaml")
    said = faults.lines(wrong.value)
    assert len(said) == 6 and said[-1] == "… and 3 more."
    assert all(line.startswith("x.yaml: steps[") for line in said[:5])


def test_break_even_comes_forward_where_it_lies_inside_the_tasks_own_calls():
    oss = found("coding-agent", "gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b")
    assert inside_own_calls(oss)
    kinds = [[figure.kind for figure in row] for row in arrange(figures_for(oss), oss).rows]
    assert kinds == [["accumulation", "break_even"], ["distribution", "components"]]


def test_without_a_crossing_there_is_no_break_even():
    r1 = found()
    kinds = [[figure.kind for figure in row] for row in arrange(figures_for(r1), r1).rows]
    assert kinds == [["accumulation", "components"], ["distribution"]]


def test_elsewhere_a_break_even_is_shown_too():
    oss = found("benchmark-call", "gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b")
    shown = [figure.kind for figure in arrange(figures_for(oss), oss).all]
    assert sorted(shown) == ["accumulation", "break_even", "components", "distribution", "timeline"]


def test_a_model_is_called_once_however_files_call_it():
    packaged = catalog.systems()["gb300/deepseek-r1"]
    imported = packaged.model_copy(update={"model_label": "deepseek-ai/DeepSeek-R1"})
    other = catalog.systems()["gb200/gpt-oss-120b"]
    assert models((imported, packaged)) == ("DeepSeek R1",)
    assert models((imported,)) == ("deepseek-ai/DeepSeek-R1",)
    assert models((packaged, other)) == ("DeepSeek R1", other.model_label)
    assert models((packaged.model_copy(update={"model": None, "model_label": None}),)) == ()


def test_every_figure_of_a_what_if_says_what_was_changed():
    was = found(trials=500)
    said = what_if.changed_line({"tools": 0.5, "speed": 2.0}, was)
    assert said == "Changed: tool time 0.5×, Jalapeño tok/s 2×."
    for changed in ("", said):
        it = replace(was, changed=changed)
        lines = [figure.source for figure in figures_for(it, 3).values()] + [race_for(it, 3).source]
        assert all(line.startswith(said) == bool(changed) for line in lines)
        assert ("at the pace of the sources" in race_for(it, 3).about) != bool(changed)
