"""What can be set on figures: each option where it has meaning, and one line that refuses it where it has none."""

from __future__ import annotations

import pytest

import agentcalc
from agentcalc.errors import InputError
from agentcalc.exports import svg
from agentcalc.figures import figures_for
from agentcalc.figures.chosen import NOTHING
from agentcalc.figures.style import PLAIN, style_of

SYSTEMS = ["gb300/deepseek-r1", "jalapeno/deepseek-r1"]
KINDS = ("timeline", "accumulation", "components", "break_even", "distribution")


@pytest.fixture(scope="module")
def figures():
    return figures_for(agentcalc.compare("coding-agent", SYSTEMS, trials=400))


def refusal(figure, where: str = "full", **fields) -> str:
    with pytest.raises(InputError) as caught:
        figure.styled(style_of(**fields)).chart(where)
    text = str(caught.value)
    assert "\n" not in text and len(text) < 400
    return text


def spec(figure, **fields) -> str:
    return figure.styled(style_of(**fields)).chart("full").to_json()


# Nothing set


@pytest.mark.parametrize("kind", KINDS)
def test_with_nothing_set_the_picture_is_the_same_byte_for_byte(figures, kind):
    figure = figures[kind]
    assert figure.styled(PLAIN) is figure and figure.styled() is figure and figure.chosen is NOTHING
    assert style_of().plain and style_of(unit="auto", order=(), title="").plain
    assert svg(figure.styled(style_of())) == svg(figure)
    assert figure.chart("full", style=PLAIN).to_dict() == figure.chart("full").to_dict()


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_figure_shows_by_itself_may_be_said(figures, kind):
    can = figures[kind].settable()
    for axis, of in (("x", can.x), ("y", can.y)):
        if of is not None:
            same = figures[kind].styled(style_of(**{f"{axis}_scale": of.scale}))
            assert svg(same) == svg(figures[kind])
