"""Present, from the entry script without a browser; what is taken away is opened."""

from __future__ import annotations

import csv
import html
import io
import re
import shlex
import zipfile
from dataclasses import replace

import pytest
from click.testing import CliRunner
from pptx import Presentation
from streamlit.testing.v1 import AppTest

from agentcalc.analysis.headline import headline
from agentcalc.app import calls, needs_cards, session, waiting
from agentcalc.app.brought import Brought
from agentcalc.app.options import ENTRY, pages_folder
from agentcalc.app.present import drawing, own_template, said, screens
from agentcalc.app.shell import BROKEN
from agentcalc.cli.main import cli
from agentcalc.comparison import compare
from agentcalc.errors import AgentcalcError
from agentcalc.exports.bundle import bundle
from agentcalc.exports.deck import Slide, deck, slide_of
from agentcalc.exports.images import svg
from agentcalc.exports.one_page import one_page
from agentcalc.exports.slides import Told
from agentcalc.figures import race_still
from agentcalc.figures.race import race_for
from agentcalc.figures.several import figures_for
from tests.browser.geometry import marks

PAIR = ("gb300/deepseek-r1", "jalapeno/deepseek-r1")
SEVEN = ("answer", "race", "timeline", "accumulation", "components", "changes", "sources")


def visit(**query: str) -> AppTest:
    app = AppTest.from_file(str(ENTRY), default_timeout=90)
    app.run()
    app.switch_page(str(pages_folder() / "present.py"))
    for key, value in query.items():
        app.query_params[key] = value
    return well(app.run())


def well(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    assert BROKEN not in text(app)
    return app


def htmls(app: AppTest) -> list[str]:
    return [e.proto.body for e in app.get("html") if not e.proto.body.startswith("<style")]


def text(app: AppTest) -> str:
    return re.sub(r"<[^>]+>", " ", " ".join(htmls(app))).replace("\u00a0", " ")


def title(app: AppTest) -> str:
    found = re.search(r"<h1.*?</h1>", " ".join(htmls(app)))[0]
    return re.sub(r"<[^>]+>", "", found).replace("\u00a0", " ")


def query(app: AppTest) -> dict[str, str]:
    return {key: value[-1] if isinstance(value, list) else value for key, value in app.query_params.items()}


def button(app: AppTest, key: str):
    return next(b for b in app.button if b.key == key)


def press(app: AppTest, key: str) -> AppTest:
    return well(button(app, key).click().run())


def retitle(app: AppTest, kind: str, computed: str, own: str) -> AppTest:
    """As the browser does when a title was edited in its place."""
    brought = app.session_state["brought"] if "brought" in app.session_state else Brought()
    app.session_state["brought"] = brought.titled(kind, computed, own)
    return well(app.run())


def words(slide) -> list[str]:
    return [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]


@pytest.fixture(scope="module")
def found():
    return compare("coding-agent", PAIR, trials=500)


@pytest.fixture(scope="module")
def slides(found):
    figures = figures_for(found)
    told = Told(
        comparison=found, head=headline(found), by="p50", run=0, caveat="A caveat.", changed="", command=str,
        figures=lambda: figures, race=lambda: race_for(found), moved=lambda: None, line=lambda: "",
    )  # fmt: skip
    return [screens.screen(kind, told).slide for kind in ("answer", "race", "components", "sources")]


def test_the_sentence_names_its_task_and_its_model(slides):
    assert slides[0].subtitle == slides[-1].subtitle == "Coding agent, one request, DeepSeek R1"


def test_the_first_screen_is_the_sentence_of_compare():
    app = visit()
    assert re.fullmatch(r"Jalapeño takes \d+ s instead of \d+ s: \d\.\d× faster", title(app))
    assert "1 / 7" in text(app) and "Vendor-run by OpenAI." in text(app) and "40,000 runs, seed 7." in text(app)
    assert '<span class="ac-candidate">Jalapeño</span>' in " ".join(htmls(app))
    assert query(app) == {}
    assert button(app, "pr_go_left").disabled and not button(app, "pr_go_right").disabled


def test_a_screen_has_an_address_and_the_buttons_of_a_deck_lead_on():
    app = visit(slide="3")
    assert "Jalapeño finishes" in title(app) and "3 / 7" in text(app)
    body = next(h for h in htmls(app) if "pr-timeline" in h)
    assert body.count("data:image/svg+xml;base64,") == 2 and "seed" in body
    app = press(app, "pr_go_right")
    assert query(app) == {"slide": "4"} and "Each call adds" in title(app)
    app = press(app, "pr_go_last")
    assert query(app) == {"slide": "7"} and button(app, "pr_go_right").disabled
    assert "Not known, and to bear in mind" in text(app) and "OpenAI, 25 Aug 2026" in text(app)
    app = press(app, "pr_go_first")
    assert query(app) == {}
    keys = {b.key: b.proto.shortcut for b in app.button if b.proto.shortcut}
    # Those that lead from screen to screen are the browser's: tests/browser/test_present_in_a_browser.py.
    assert keys["pr_dark"] == "d" and keys["pr_back"] == "escape"


def test_what_would_change_it_is_a_finding_with_its_runs_and_what_reaches_a_target(tmp_path):
    app = visit(slide="6", task="benchmark-call")
    assert "matter" in title(app) and "40,000 runs" in text(app)
    line = re.search(r'<p class="pr-line">(.*?)</p>', " ".join(htmls(app)))[1].replace("\u00a0", " ")
    assert re.fullmatch(r"What would bring Jalapeño under 1\.[0-9]+ s\? \d+% .* or .*", line), line
    body = next(h for h in htmls(app) if "pr-changes" in h)
    assert body.count("pr-picture") == 2 and body.index("pr-picture") < body.index("pr-line") < body.index("pr-source")
    app = press(app, "pr_take_deck")
    made = Presentation(io.BytesIO(app.session_state["present_made"].data))
    assert line in [text.replace("\u00a0", " ") for text in words(made.slides[6])]
    # The command line makes the same slides of the same.
    asked = ["deck", "benchmark-call", "--trials", "40000", "-o", str(tmp_path / "same.pptx")]
    assert CliRunner().invoke(cli, asked).exit_code == 0
    same = Presentation(tmp_path / "same.pptx")
    assert [words(slide) for slide in made.slides] == [words(slide) for slide in same.slides]
    ours, theirs = ([s.notes_slide.notes_text_frame.text.rpartition("\n") for s in d.slides] for d in (made, same))
    assert [text[0] for text in ours] == [text[0] for text in theirs]
    # Each names the command that makes it again, as does the command line of what it was asked for.
    assert [shlex.split(text[2]) for text in ours] == [shlex.split(text[2]) for text in theirs]
    assert "agentcalc deck benchmark-call --system gb300/deepseek-r1" in ours[4][2]


def test_who_does_not_wait_for_the_target_sees_the_figure(monkeypatch):
    def cancelled(*_):
        raise waiting.GivenUp("Cancelled.")

    monkeypatch.setattr(needs_cards, "work", cancelled)
    body = next(h for h in htmls(visit(slide="6", task="benchmark-call")) if "pr-changes" in h)
    assert body.count("pr-picture") == 2 and "pr-line" not in body


@pytest.mark.parametrize(
    "slide",
    ["0", "8", pytest.param("-1", marks=pytest.mark.slow), "²", pytest.param("3" * 50, marks=pytest.mark.slow), "<b>"],
)
def test_a_screen_that_is_not_there_is_told(slide):
    app = visit(slide=slide)
    assert "Part of this link could not be read (slide" in text(app) and "Showing the first of 7." in text(app)
    assert "<b>" not in " ".join(htmls(app))


@pytest.mark.slow
def test_a_screen_is_left_out_of_the_deck_and_the_link_knows():
    app = visit(slide="3")
    tick = next(c for c in app.checkbox if c.key == "pr_in_timeline")
    assert tick.value is True
    app = well(tick.uncheck().run())
    assert query(app) == {"slide": "3", "without": "timeline"}
    app = press(app, "pr_take_deck")
    assert "7 slides, " in text(app)
    data = app.session_state["present_made"].data
    shown = [
        shape.text_frame.text
        for s in Presentation(io.BytesIO(data)).slides
        for shape in s.shapes
        if shape.name == "Title"
    ]
    assert len(shown) == 7 and not any("finishes" in one for one in shown)
    app = well(next(c for c in app.checkbox if c.key == "pr_in_timeline").check().run())
    assert query(app) == {"slide": "3"} and "slides, " not in text(app)
    everything = visit(without=",".join(SEVEN) + ",nonsense,<b>")
    assert button(everything, "pr_take_deck").disabled


def test_an_edited_title_keeps_the_source_line_and_can_go_back():
    app = visit(slide="3")
    computed = re.sub("<[^>]+>", "", re.search(r"<h1.*?</h1>", " ".join(htmls(app)))[0])
    before = re.search(r'<p class="pr-source">.*?</p>', " ".join(htmls(app)))[0]
    app = retitle(app, "timeline", computed, "Ours <i>wins</i>")
    assert "Ours &lt;i&gt;wins&lt;/i&gt;</h1>" in " ".join(htmls(app)) and before in " ".join(htmls(app))
    assert 'alt="Ours &lt;i&gt;wins' in " ".join(htmls(app))
    app = press(app, "pr_title_back")
    assert title(app) == computed.replace("\u00a0", " ") and "x" not in query(app)
    assert not [b for b in app.button if b.key == "pr_title_back"]


@pytest.mark.slow
def test_a_title_travels_in_the_link_and_belongs_to_one_answer():
    app = visit(slide="4")
    computed = re.sub("<[^>]+>", "", re.search(r"<h1.*?</h1>", " ".join(htmls(app)))[0])
    app = retitle(app, "accumulation", computed, "It adds up")
    link = query(press(app, "pr_go_left"))
    assert {"slide", "x"} == set(link)
    other = visit(**(link | {"slide": "4"}))
    assert title(other) == "It adds up"
    assert title(visit(**(link | {"slide": "4", "tools": "0.5"}))) != "It adds up"


@pytest.mark.slow
def test_slides_are_made_in_a_template_of_ones_own():
    file = io.BytesIO()
    Presentation().save(file)
    app = visit(task="chat-turn")
    app.session_state["present_template"] = own_template.Own("ours.pptx", file.getvalue(), "digest")
    app = press(well(app.run()), "pr_take_deck")
    made = Presentation(io.BytesIO(app.session_state["present_made"].data))
    assert [slide.slide_layout.name for slide in made.slides] == ["Title Slide"] + ["Title Only"] * (
        len(made.slides) - 1
    )
    assert "--template ours.pptx" in made.slides[1].notes_slide.notes_text_frame.text
    app = press(app, "pr_template_none")
    made = Presentation(io.BytesIO(app.session_state["present_made"].data))
    assert made.slide_width == 1280 * 9525 and "present_template" not in app.session_state


@pytest.mark.slow
def test_dark_is_a_choice_of_the_page():
    app = visit()
    app = press(app, "pr_dark")
    styles = " ".join(e.proto.body for e in app.get("html") if e.proto.body.startswith("<style"))
    assert "color-scheme: dark" in styles and "#12171E" in styles
    assert button(app, "pr_dark").label == "Light"
    app = press(app, "pr_dark")
    assert "color-scheme: light" in " ".join(e.proto.body for e in app.get("html"))


@pytest.mark.slow
def test_back_leads_to_compare_without_the_parts_of_this_page():
    app = visit(slide="3", task="chat-turn")
    app = press(app, "pr_back")
    assert query(app) == {"task": "chat-turn"} and any("ac-why" in h for h in htmls(app))


@pytest.mark.slow
def test_a_figure_that_cannot_be_drawn_says_so_and_the_others_are_fine(monkeypatch):
    def refuse(*_):
        raise AgentcalcError("The figure 'components' could not be drawn: <no> reason")

    app = visit(slide="4")
    with monkeypatch.context() as patch:
        patch.setattr(drawing, "picture", refuse)
        app = press(app, "pr_go_right")
        assert "This figure could not be drawn. The others are fine." in text(app)
        assert "&lt;no&gt; reason" in " ".join(htmls(app)) and "5 / 7" in text(app)
    assert "Each call adds" in title(press(app, "pr_go_left"))


@pytest.mark.slow
def test_a_figure_that_fails_is_left_out_of_the_deck_and_named(monkeypatch):
    monkeypatch.setattr(drawing, "moved", lambda *_: 1 / 0)
    app = press(visit(), "pr_take_deck")
    assert "7 slides, " in text(app)
    assert "Left out, for they could not be drawn: What would change it." in text(app)
    app = press(press(app, "pr_go_last"), "pr_go_left")
    assert "The others are fine." in text(app) and "own log." in text(app)


def test_without_an_answer_there_is_one_line(monkeypatch):
    monkeypatch.setattr(session, "fault", lambda: ("mine.yaml: nothing in it",))
    app = visit()
    assert "mine.yaml: nothing in it" in text(app) and not [b for b in app.button if b.key == "pr_go_right"]


@pytest.mark.slow
def test_the_same_system_twice_has_a_sentence_and_sources():
    app = visit(candidate="gb300")
    assert "Choose another candidate." in title(app) and "1 / 2" in text(app)


def test_screens_of_other_tasks_are_those_compare_shows_first(found):
    from agentcalc.app.arrangement import arrange

    arranged = arrange(figures_for(found), found)
    assert screens.kinds_of(arranged, True) == SEVEN
    assert "race" not in screens.kinds_of(arranged, False)
    assert screens.kinds_of(None, False) == ("answer", "sources")


@pytest.mark.slow
def test_all_figures_are_a_zip_of_pictures_and_numbers(found):
    figures = figures_for(found)
    steps = []
    data = bundle([figures["components"]], "half", True, lambda done, of: steps.append((done, of)))
    packed = zipfile.ZipFile(io.BytesIO(data))
    assert packed.namelist() == [f"components.{ending}" for ending in ("png", "svg", "pdf", "csv", "xlsx")]
    starts = {name: packed.read(name)[:4] for name in packed.namelist()}
    assert starts["components.png"] == b"\x89PNG" and starts["components.pdf"] == b"%PDF"
    rows = list(csv.reader(io.StringIO(packed.read("components.csv").decode())))
    assert len(rows) == len(figures["components"].table) + 1 and steps == [(1, 1)]


def test_one_page_holds_everything_and_asks_nobody(slides):
    text = one_page(slides, dark=True)
    assert "default-src 'none'" in text
    asked = re.sub(r"http://www\.w3\.org/[\w/.]+|http-equiv", "", text)
    assert not re.search(r"https?:|//\w+\.\w|<link|<img|src=(?!\")", asked)
    assert text.count("<section") == 4 and text.count("<h1") == 1 and text.count("<h2") == 3
    assert (
        "Coding agent, one request, side by side</h2>" in text
        and "When Jalapeño is done" not in text.split("<noscript>")[0]
    )
    assert text.count('id="race"') == 1 and "export function mount" in text
    assert text.count("<svg") == 1 and "See the numbers" in text
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))


def test_hostile_words_stay_words_on_one_page():
    slide = Slide("<script>alert(1)</script>", "<b>", ("</p><img src=x>",), columns=(("<i>", ("<u>",)),))
    text = one_page([slide])
    assert "<script" not in text.split("</head>")[1] and "<img" not in text and "<i>" not in text and "<u>" not in text


def test_the_race_is_a_picture_in_a_deck_and_its_title_tells_where_the_other_is(found, slides):
    race = race_for(found)
    figure = race_still.figure(race)
    base, cand = race.lanes
    done = sum(at <= cand.end_s for at in base.steps)
    assert figure.title == f"When Jalapeño is done, GB300 is at step {done + 1} of {len(base.steps)}"
    mine = figure.table[figure.table["system"] == "Jalapeño"]
    assert (mine["done"] == 1).all() and mine["to_work_s"].max() == pytest.approx(race.length)
    other = figure.table[figure.table["system"] == "GB300"]
    assert ((other["end_s"] <= cand.end_s) == (other["done"] == 1)).all() and (other["done"] == 0).any()
    made = Presentation(io.BytesIO(deck(slides[1:2])))
    drawn = next(shape for shape in made.slides[0].shapes if shape.name == "race")
    assert "When Jalapeño is done" in drawn._element.nvGrpSpPr.cNvPr.get("descr")
    pictured = Presentation(io.BytesIO(deck(slides[1:2], pictures=True)))
    assert any(hasattr(shape, "image") for shape in pictured.slides[0].shapes)


def test_the_still_has_an_axis_in_the_time_that_the_work_takes_the_baseline(found):
    race = race_for(found)
    figure = race_still.figure(race)
    assert figure.subtitle.startswith("One run of ") and f". {race.task}: " in figure.subtitle
    drawn = {mark.text: mark.numbers[0] for mark in marks(svg(figure, "app")) if mark.tag == "text"}
    assert drawn["seconds of work on GB300"] < 10
    ticks = sorted((int(words), x) for words, x in drawn.items() if words.isdigit() and words != "0")
    (first, left), (last, right) = ticks[0], ticks[-1]
    # Both must cross the line where the length of the track ends, near the right edge of the picture.
    per_second = (right - left) / (last - first)
    assert 3 + race.length * per_second == pytest.approx(1216 - 16, abs=4)
    lanes = tuple(replace(lane, name=f"{lane.name} of a name{' that is long' * 4}") for lane in race.lanes)
    assert "seconds of work on the system above" in svg(race_still.figure(replace(race, lanes=lanes)), "app")


def test_where_it_is_too_close_the_still_does_not_name_a_winner():
    race = race_for(compare("chat-turn", ("gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"), trials=500))
    assert race_still.title(race).startswith(("Not known yet", "Too close to call"))


def test_a_title_on_a_slide_is_the_readers_own_and_the_source_stays(found):
    figure = figures_for(found)["components"]
    shown = screens.Screen("components", figure.title, slide_of(figure))
    own = screens.titled(shown, "Mine")
    assert own.shown == own.slide.title == own.figure.title == "Mine"
    assert own.slide.source == figure.source and own.figure.alt_text.startswith("Mine")
    assert screens.titled(shown, figure.title) == shown


@pytest.mark.parametrize(
    ("size", "words"), [(210_400, "210 kB"), (12, "1 kB"), (999_600, "1.0 MB"), (2_340_000, "2.3 MB")]
)
def test_sizes_in_plain_words(size, words):
    assert said.size(size).replace("\u00a0", " ") == words


def test_a_title_fits_two_lines_of_its_own_type():
    long = "Nearly all of the time saved comes from writing tokens; 20.7 s of tools stay"
    assert 18 < said.width_ems(long) < 24
    assert said.width_ems("Short") < 3


def test_the_report_of_a_what_if_has_its_command_and_its_title(monkeypatch):
    from agentcalc.exports import report_html

    monkeypatch.setattr(report_html, "drawn", lambda *_: "")
    monkeypatch.setattr(calls, "trials_for", lambda task: 500)
    app = press(visit(task="chat-turn", tokens="2"), "pr_take_report")
    assert "One report, " in text(app)
    made = app.session_state["present_made"]
    said = html.unescape(re.sub("</?span>", "", made.data.decode())).replace("\u00a0", " ")
    assert made.name == "chat-turn-report.html" and "Changed: " in said
    assert "agentcalc report chat-turn --system gb300/deepseek-r1 --system jalapeno/deepseek-r1 --set tokens=2x" in said
    assert "--by p50 --trial " in said and "Not packaged" not in said


@pytest.mark.slow
def test_a_file_of_one_scenario_is_not_offered_for_another():
    app = press(visit(), "pr_take_page")
    assert "7 screens, " in text(app)
    assert "7 screens, " in text(press(app, "pr_go_right"))
    assert "7 screens, " not in text(press(app, "pr_dark"))
