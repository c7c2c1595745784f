"""Slides: no text runs into another or out of its box, however long it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcalc.exports.slide_layout import FOOT, HEIGHT, MARGIN, PX, TITLE_PT, WIDTH, height, lay_out

SOURCE = "Jalapeño: speed reported by OpenAI (25 Aug 2026), first-token time derived. "


def texts(layout):
    return {text.name: text for text in layout.texts}


def boxes(layout):
    found = [text.box for text in layout.texts]
    return [*found, layout.picture] if layout.picture else found


def overlap(a, b):
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def test_one_short_line_of_each_leaves_the_figure_its_full_width():
    made = lay_out("Jalapeño finishes 25.5 s sooner", "One run of 10,000.", (), (), SOURCE, "3 / 7", True)
    assert texts(made)["Title"].pt == TITLE_PT[0]
    assert texts(made)["Title"].box[3] == pytest.approx(30 * PX * 1.2)
    assert made.picture[2] == 1184 and made.picture[3] > 500


def test_a_title_of_two_lines_keeps_its_type_and_pushes_the_rest_down():
    long = "Nearly all of the time saved comes from writing tokens; 20.7 s of tools stay as they are on both systems"
    one, two = (lay_out(title, "About.", (), (), SOURCE, "1 / 1", True) for title in ("Short", long))
    assert texts(two)["Title"].pt == 30
    assert texts(two)["About"].box[1] - texts(one)["About"].box[1] == pytest.approx(30 * PX * 1.2)


def test_a_line_under_a_picture_stands_between_it_and_the_source():
    made = lay_out("T", "About.", ["What would bring it under 25 s? 15% fewer turns."], (), SOURCE, "6 / 7", True)
    line, found = texts(made)["Text"], texts(made)
    assert line.pt == found["About"].pt and line.box[1] + line.box[3] <= found["Source"].box[1]
    assert made.picture[1] + made.picture[3] <= line.box[1] and made.picture[3] > 400


def test_lines_that_do_not_fit_are_counted():
    made = lay_out("T", "", ["word " * 60] * 40, (), "", "1 / 1", False)
    text = texts(made)["Text"]
    kept = len(text.lines) - 1
    assert text.lines[-1] == f"and {40 - kept} more" and text.pt == 10
    assert height(text.lines, text.pt, text.box[2]) <= text.box[3]


def test_columns_share_a_type_and_stand_beside_each_other():
    made = texts(lay_out("T", "", (), [("Not known", ["a"]), ("Sources", ["word " * 40] * 12)], "", "1 / 1", False))
    left, right = made["Column 1"], made["Column 2"]
    assert left.pt == right.pt < 18 and left.lines[0] == "Not known"
    assert left.box[0] + left.box[2] < right.box[0]


words = st.lists(st.sampled_from(["Jalapeño", "a", "first-token", "57.0\u00a0s", "W" * 30, "and"]), min_size=1)


@settings(max_examples=40, deadline=None)
@given(
    title=words.map(" ".join).map(lambda t: t[:200]),
    about=words.map(" ".join).map(lambda t: t[:250]),
    lines=st.lists(words.map(" ".join), max_size=12),
    sources=st.integers(0, 8),
    kind=st.sampled_from(["picture", "lines", "columns"]),
)
def test_nothing_overlaps_or_overflows(title, about, lines, sources, kind):
    columns = [("Head", lines), ("Other", lines[:2])] if kind == "columns" else ()
    made = lay_out(
        title, about, lines if kind == "lines" else (), columns, SOURCE * sources, "12 / 12", kind == "picture"
    )
    found = boxes(made)
    assert not [1 for i, a in enumerate(found) for b in found[:i] if overlap(a, b)]
    for left, top, wide, tall in found:
        assert left >= MARGIN - 1e-6 and left + wide <= WIDTH - MARGIN + 1e-6 and top >= 0 and top + tall <= HEIGHT
    for text in made.texts:
        # Where even one line beside the count of the others is too much, that line stays.
        if not (text.name.startswith(("Text", "Column")) and len(text.lines) <= 2):
            assert height(text.lines, text.pt, text.box[2], text.bold) <= text.box[3] + 1e-6
    if made.picture:
        assert made.picture[2] == WIDTH - 2 * MARGIN and made.picture[3] > 200
        assert made.picture[1] + made.picture[3] <= FOOT
