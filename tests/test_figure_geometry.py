"""Every figure of hard and of packaged tasks, at every size: no text cut, crossed, covered or over another."""

from __future__ import annotations

import io
import re

import figure_cases as cases
import numpy as np
import pytest
import vl_convert
from figure_geometry import drawn, faults, read
from PIL import Image

from agentcalc import catalog, exports
from agentcalc.figures.measure import ems

SIZES = ("full", "half", "square", "4:3")
WIDTHS = (358, 640, 1216)

# The checker: it finds what was put in on purpose


def page(*parts: str, width: int = 200, height: int = 100) -> str:
    frame = f'<g class="mark-group role-frame"><path class="background" d="M0,0h{width}v{height}h-{width}Z"/></g>'
    inner = f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>{frame}<g class="mark-x role-mark it">'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
    return f'{head}<g fill="none" class="role-scope">{inner}{"".join(parts)}</g></g></svg>'


def words(text: str, x: float, y: float, anchor: str = "start", fill: str = "#000000", more: str = "") -> str:
    place = f'text-anchor="{anchor}" transform="translate({x},{y})"'
    return f'<text {place} font-size="20px" fill="{fill}" {more}>{text}</text>'


BAR = '<path d="M20,30h100v40h-100Z" fill="#1F5FA8"/>'
PARTED = '<path d="M20,30h60v40h-60Z" fill="#D9DFE6" stroke="#7C8896"/>'


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ([words("Seven", 20, 50)], []),
        ([words("Seven", 160, 50)], ["cut"]),
        ([words("Seven", 30, 50, "end")], ["cut"]),
        ([words("Seven", 20, 10)], ["cut"]),
        ([words("Seven", 20, 98)], []),
        ([words("Sigh", 20, 98)], ["cut"]),
        ([words("Sev…", 20, 50)], ["shortened"]),
        ([words("Seven", 20, 50), words("seven", 60, 55)], ["overlap"]),
        ([words("Seven", 20, 50), words("seven", 80, 55)], []),
        ([words("Seven", 20, 40), words("seven", 20, 65)], []),
        ([words("Seven", 20, 50), '<path d="M0,20l100,50" stroke="#000000"/>'], ["struck through"]),
        (['<path d="M0,0l200,90" stroke="#000000"/>', words("Seven", 20, 50)], []),
        (['<line x1="0" y1="45" x2="200" y2="45" stroke="#000000"/>', words("Seven", 20, 50)], ["struck through"]),
        (['<line x1="0" y1="45" x2="200" y2="45" stroke="#E3E7EC"/>', words("Seven", 20, 50)], []),
        (['<line x1="0" y1="54" x2="200" y2="54" stroke="#000000"/>', words("Seven", 20, 50)], []),
        ([BAR, words("Seven", 40, 55, fill="#FFFFFF")], []),
        ([BAR, words("Seven", 40, 55)], ["contrast"]),
        ([BAR, words("Seven", 90, 55, fill="#8592A1")], ["contrast", "across an edge"]),
        ([PARTED, words("Seven", 40, 55)], ["struck through"]),
        ([PARTED, words("Se", 40, 55)], []),
        ([words("Seven", 40, 55), BAR], ["covered"]),
        ([words("Seven", 40, 55), '<path d="M20,30h100v40h-100Z" fill="#1F5FA8" opacity="0"/>'], []),
        (['<path d="M150,30h70v40h-70Z" fill="#1F5FA8"/>'], ["outside the picture"]),
        (['<path transform="translate(100,50)" d="M5,0A5,5,0,1,1,-5,0A5,5,0,1,1,5,0" fill="#1F5FA8"/>'], []),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(parts, found):
    kinds = {fault.split(":")[0] for fault in faults(read(page(*parts)))}
    assert kinds == set(found)


def test_a_halo_parts_a_text_from_a_line():
    line, halo = (
        '<line x1="0" y1="45" x2="200" y2="45" stroke="#000000"/>',
        words("Seven", 20, 50, more='stroke="#FFFFFF"'),
    )
    assert faults(read(page(line, halo, words("Seven", 20, 50)))) == []


def test_dots_and_curves_are_read_as_they_are():
    dot = '<path transform="translate(100,50)" d="M20,0A20,20,0,1,1,-20,0A20,20,0,1,1,20,0" fill="#1F5FA8"/>'
    (found,) = [shape for shape in read(page(dot)).shapes if shape.role == "mark"]
    assert found.holds(100, 50) and found.holds(100, 69) and not found.holds(115, 65)
    assert found.box.left == pytest.approx(80, abs=0.5) and found.box.bottom == pytest.approx(70, abs=0.5)


@pytest.fixture(scope="module")
def timeline() -> str:
    return exports.svg(cases.figure("timeline", "coding-agent"), "full")


@pytest.mark.parametrize(
    ("what", "found"),
    [
        (lambda label: label.replace("translate(", "translate(-60"), "cut"),
        (lambda label: re.sub(r"font-size=\"[0-9.]+px", 'font-size="300px', label), "cut"),
        (lambda label: re.sub(r"fill=\"#\w+", 'fill="#DDE1E8', label), "contrast"),
        (lambda label: label * 2, "overlap"),
    ],
)
def test_a_label_of_a_figure_moved_grown_paled_or_doubled_is_found(timeline, what, found):
    assert faults(read(timeline)) == []
    labels = re.findall(r"<text [^>]*>[^<]+ sooner</text>", timeline)
    changed = timeline.replace(labels[0], what(labels[0]))
    assert changed != timeline
    assert any(re.match(found, fault) for fault in faults(read(changed)))


def test_what_is_not_known_is_not_passed_over():
    with pytest.raises(ValueError, match="<image>"):
        read(page("<image/>"))
    with pytest.raises(ValueError, match="skewX"):
        read(page('<path transform="skewX(3)" d="M0,0h1" stroke="#000000"/>'))


# Widths, against what is drawn


@pytest.mark.parametrize("bold", [False, True], ids=["regular", "bold"])
def test_measured_widths_are_those_that_are_drawn(bold):
    """A text is as wide as the way it pushes a bar that follows it."""
    letters = [chr(c) for c in range(33, 127) if chr(c) not in "&<>"]
    apart = ["".join(letters[i::3]) for i in range(3)]
    for text in ("0123456789 min", "hamburgefonstiv", *apart, "Jalapeño 2.5× −3 s · µ 4–5 — ’∞’"):
        pushed, alone = (_ink_right(t, bold) for t in (text + "|", "|"))
        drawn, measured = (pushed - alone) / 50, ems(text, bold)
        assert drawn * 0.995 <= measured + 0.02 and measured <= drawn * (1.03 if text.isascii() else 1.06), text


def _ink_right(text: str, bold: bool) -> float:
    weight = ' font-weight="bold"' if bold else ""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="2400" height="80"><path d="M0,0h2400v80h-2400Z" fill="#FFF"/>'
        f'<text x="10" y="50" font-family="Liberation Sans" font-size="50px"{weight} fill="#000000">{text}</text></svg>'
    )
    shades = np.asarray(Image.open(io.BytesIO(vl_convert.svg_to_png(svg))).convert("L"))
    return float(np.flatnonzero((shades < 128).any(axis=0)).max())


# The figures


OF_SYSTEMS = ("operating_points", "first token under load", "speed under load")
"""Kinds that show systems, whatever the task."""
ALL_CASES = (*cases.HARD, *catalog.tasks())


def turn(kind: str, case: str) -> str | int:
    """A size of export or a width of the app: each kind has all of them, and so has each case."""
    at = cases.KINDS.index(kind) + 5 * ALL_CASES.index(case)
    return (*SIZES, *WIDTHS)[at % 7]


def wrong(kind: str, case: str, size: str | int | None = None) -> list[str]:
    figure, size = cases.figure(kind, case), size or turn(kind, case)
    if figure is None:
        return []
    return [f"{kind} of {case}, {size}: {fault}" for fault in faults(read(drawn(figure, size)))]


FEW = [
    (kind, list(cases.HARD)[(i * 2 + k * 7) % len(cases.HARD)]) for i, kind in enumerate(cases.KINDS) for k in range(2)
]
"""Every kind twice, every hard case with three kinds or more."""


@pytest.mark.parametrize(("kind", "case"), FEW)
def test_hard_figures_are_sound(kind, case):
    assert wrong(kind, case) == []


@pytest.mark.slow
@pytest.mark.parametrize("case", ALL_CASES)
def test_every_figure_is_sound(case):
    named = case in cases.HARD and cases.HARD[case][1] != "pair"
    kinds = [kind for kind in cases.KINDS if named or kind not in OF_SYSTEMS]
    assert [fault for kind in kinds for fault in wrong(kind, case)] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", cases.KINDS)
def test_every_kind_is_sound_at_every_size(kind):
    assert [fault for size in (*SIZES, *WIDTHS) for fault in wrong(kind, "coding-agent", size)] == []


def test_every_kind_has_something_to_draw_of_most_cases():
    """A kind that were never drawn would be sound."""
    for kind in cases.KINDS:
        assert cases.figure(kind, "coding-agent") is not None, kind
