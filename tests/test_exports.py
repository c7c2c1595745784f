"""Pictures of figures: their size, their form, and that they need nothing from outside."""

from __future__ import annotations

import re
import struct
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from agentcalc.errors import AgentcalcError
from agentcalc.exports import png, svg
from agentcalc.figures import timeline
from agentcalc.figures.theme import SIZES
from tests.test_figures import ABOUT, CODING, a_timeline


@pytest.fixture(scope="module")
def figure():
    return timeline.figure(a_timeline(CODING), "base", "cand", ABOUT, band=(29.5, 32.1))


@pytest.mark.parametrize("size", ["full", "4:3"])
def test_a_png_has_twice_the_pixels_of_its_size(figure, size):
    data = png(figure, size)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (2 * SIZES[size].width, 2 * SIZES[size].height)


def test_an_svg_is_well_formed_and_refers_to_nothing_outside(figure):
    text = svg(figure, "half", dark=True)
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (root.get("width"), root.get("height")) == ("640", "640")
    addresses = set(re.findall(r"https?://[^\s\"'<>]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "<image" not in text and "@import" not in text and "url(http" not in text
    assert root.get("role") == "img" and root.get("aria-label") == figure.alt_text
    words = " ".join(root.itertext()).replace("\u00a0", " ")
    assert "25.7 s sooner" in words and "TraceLab" in words
    assert svg(figure, "half", dark=True) == text


def test_what_cannot_be_drawn_is_said_in_one_line(figure):
    with pytest.raises(AgentcalcError, match=r"There is no size 'poster'. Use one of app, slide, full"):
        png(figure, "poster")

    def broken(look):
        plot = figure.draw(look)
        return replace(plot, params=plot.params | {"strip": "this is no expression ("})

    with pytest.raises(AgentcalcError) as caught:
        svg(replace(figure, draw=broken))
    assert "\n" not in str(caught.value) and "timeline" in str(caught.value)
