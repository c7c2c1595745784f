"""Pictures of figures: their size, their form, and that they need nothing from outside."""

from __future__ import annotations

import base64
import hashlib
import html
import re
import struct
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from agentcalc.comparison import compare
from agentcalc.errors import AgentcalcError
from agentcalc.exports import page, png, svg, tips
from agentcalc.figures import timeline
from agentcalc.figures.asked import Asked, drawn
from agentcalc.figures.kinds import NAMES
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


def test_a_page_lets_one_script_run_and_says_what_its_marks_say(figure):
    text = page(figure)
    script = re.findall(r"<script>(.*?)</script>", text, re.S)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert len(script) == 1
    assert policy == f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'"
    assert not re.search(r"\b(eval|Function|fetch|XMLHttpRequest|innerHTML|import)\b", script[0])
    drawn = [
        found.replace("&#xA;", "\n").replace("&#x9;", "\t") for found in re.findall("<title>([^<]*)</title>", text)
    ]
    assert any(words.endswith("spent on:\ttools\ntime:\t16.6\u00a0s") for words in drawn)
    assert set(re.findall(r'class="light (w[0-9]+)"', text)) == {"w1216", "w760", "w358"}
    assert set(re.findall(r'class="dark (w[0-9]+)"', page(figure, "half", dark=True))) == {"w576", "w358"}
    with pytest.raises(AgentcalcError, match="There is no size 'poster'"):
        page(figure, "poster")


def test_tooltips_become_words_of_marks():
    layer = {
        "mark": "line",
        "encoding": {
            "x": {"field": "x"},
            "order": {"field": "x"},
            "tooltip": [{"field": "it's"}, {"field": "b", "title": "of", "format": ",.0f"}],
        },
    }
    line, point = tips.said({"layer": [{"layer": [layer]}]})["layer"][0]["layer"]
    assert line == layer
    assert point["mark"] == {"type": "point", "filled": True, "opacity": 0, "size": 24, "color": None, "aria": True}
    words = "'it\\'s:\\t' + datum['it\\'s'] + '\\n' + 'of:\\t' + format(datum['b'], ',.0f')"
    assert point["transform"] == [{"calculate": words, "as": "told_"}]
    assert set(point["encoding"]) == {"x", "description"}
    plain = {"layer": [{"mark": "rect", "encoding": {}}]}
    assert tips.said(plain) == plain


def test_what_cannot_be_drawn_is_said_in_one_line(figure):
    with pytest.raises(AgentcalcError, match=r"There is no size 'poster'. Use one of app, slide, full"):
        png(figure, "poster")

    def broken(look):
        plot = figure.draw(look)
        return replace(plot, params=plot.params | {"strip": "this is no expression ("})

    with pytest.raises(AgentcalcError) as caught:
        svg(replace(figure, draw=broken))
    assert "\n" not in str(caught.value) and "timeline" in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("kind", NAMES)
def test_marks_of_every_kind_say_what_they_are(kind):
    """Words and values, none of them missing, and a unit or a name in each line."""
    found = compare("rag-answer", ["gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b"], trials=60)
    words = [
        html.unescape(one) for one in re.findall(r'class="tip[^>]*><title>([^<]*)', page(drawn(kind, Asked(found))))
    ]
    assert len(words) > 2
    for line in (line for one in words for line in one.split("\n")):
        name, value = line.split(tips.BETWEEN)
        assert name.strip() and "_" not in name and value.strip() not in ("", "undefined", "null", "NaN")
