"""Colours of all figures: text that can be read, marks that can be seen, neighbours told apart, by everyone.

The three kinds of colour blindness are simulated in full strength with the matrices of Machado, Oliveira and Fernandes,
"A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and
Computer Graphics 15 (6), 2009, table for severity 1.0, in linear sRGB; how far colours then lie apart is measured in
OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020).
"""

from __future__ import annotations

import itertools

import figure_cases as cases
import numpy as np
import pytest
from figure_geometry import Picture, Shape, drawn, grounds, read
from test_figure_geometry import page

from agentcalc.figures.race_still import PALE, PALE_TOOLS
from agentcalc.figures.theme import DARK, LIGHT, Palette, blend, contrast

SEES = {
    "everyone": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
GREY = "in grey"
APART = 0.06
"""How far two colours lie apart in OKLab when they are told apart side by side at a glance; 0.02 is just seen."""
SEEN = 3.0
"""Contrast of a mark that means something to what lies beside it (WCAG 2.2, 1.4.11)."""
SOLID = 0.6
"""Paint that covers less is a tint: a band or a ribbon behind lines and bars, which carry what it says."""
THICK = 4.0
"""Pixels from which a bar is one: thinner ones are drawn without a line that parts them, which would be all of it."""
OKLAB_CONES = np.array(
    [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
     [0.0883024619, 0.2817188376, 0.6299787005]]
)  # fmt: skip
OKLAB = np.array(
    [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
     [0.0259040371, 0.7827717662, -0.8086757660]]
)  # fmt: skip


def linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(colour: str, sees: str) -> np.ndarray:
    """A colour as someone sees it, in OKLab."""
    rgb = linear(colour)
    seen = np.full(3, rgb @ [0.2126, 0.7152, 0.0722]) if sees == GREY else np.clip(SEES[sees] @ rgb, 0, 1)
    return OKLAB @ np.cbrt(OKLAB_CONES @ seen)


def apart(a: str, b: str, sees: str) -> float:
    return float(np.linalg.norm(lab(a, sees) - lab(b, sees)))


# The measures themselves


def test_white_black_and_grey_look_alike_to_all():
    for sees in SEES:
        assert lab("#FFFFFF", sees) == pytest.approx([1, 0, 0], abs=2e-3)
        assert apart("#808080", "#808080", sees) == 0
        assert lab("#808080", sees) == pytest.approx(lab("#808080", "everyone"), abs=2e-3)
    assert apart("#000000", "#FFFFFF", GREY) == pytest.approx(1, abs=1e-3)


def test_colours_that_are_mixed_up_are_found():
    # Oklab's own table: pure red is (0.628, 0.225, 0.126).
    assert lab("#FF0000", "everyone") == pytest.approx([0.628, 0.225, 0.126], abs=2e-3)
    for sees in ("protanopia", "deuteranopia"):
        assert apart("#8C8C00", "#B46E00", sees) < 0.7 * apart("#8C8C00", "#B46E00", "everyone")
    assert apart("#1F9BB4", "#2FA58C", "tritanopia") < apart("#1F9BB4", "#2FA58C", "everyone")
    assert apart("#D62728", "#6A6A2A", GREY) < 0.1


# What is drawn


def unseen(picture: Picture) -> list[str]:
    """Bars, dots and lines without contrast to what lies under them, by fill or outline.

    Not asked of furniture (axis, grid and halos, in their colours) nor of tints and of what is drawn pale since it is
    not done, bought or needed, which stands within marks that are seen.
    """
    found = []
    drawn = marks(picture)
    for shape in drawn:
        if shape.closed and min(shape.box.right - shape.box.left, shape.box.bottom - shape.box.top) < THICK:
            continue
        palette = DARK if picture.ground(1, 1, 10**9) == DARK.background else LIGHT
        if shape.fill in pale(palette) or (
            (shape.stroke or palette.grid) in (palette.grid, palette.axis) and not shape.fill
        ):
            continue
        # An outline may be a mark of its own.
        mine = (
            [shape, *(s for s in drawn if s.order > shape.order and s.stroke and s.box == shape.box)]
            if shape.closed
            else [shape]
        )
        paint = [shape.fill] if shape.fill and shape.fill_alpha >= SOLID else []
        paint += [s.stroke for s in mine if s.stroke and s.stroke_alpha >= SOLID and s.stroke != palette.background]
        grounds = {picture.ground(*point, shape.order) for point in beside(shape)} | halo(picture, shape)
        if paint and not any(contrast(a, b) >= SEEN - 0.005 for a in paint for b in grounds):
            found.append(f"{shape.name}: {' and '.join(paint)} on {' and '.join(sorted(grounds))}")
    return sorted(set(found))


def pale(palette: Palette) -> set[str]:
    """Fills of areas, and of what is still to do in a race."""
    tints = {palette.background, palette.candidate_tint, palette.baseline_tint}
    tints.add(blend(palette.baseline_tint, palette.background, 0.7))
    return tints | {
        blend(f.fill, palette.background, share) for f in palette.fills.values() for share in (PALE, PALE_TOOLS)
    }


def halo(picture: Picture, shape: Shape) -> set[str]:
    """The colours of wider lines under a line."""
    if shape.closed:
        return set()
    under = (s for s in marks(picture) if s.order < shape.order and s.stroke and s.width > shape.width + 1)
    return {s.stroke for s in under if s.rings == shape.rings}


def marks(picture: Picture) -> list[Shape]:
    return [shape for shape in picture.shapes if shape.role in ("mark", "legend-symbol")]


def beside(shape: Shape) -> list[tuple[float, float]]:
    """Points at which the ground of a mark is looked at: around it, or under a line."""
    box = shape.box
    if not shape.closed:
        return [shape.rings[0][len(shape.rings[0]) // 2]]
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return [(box.left - 2, y), (box.right + 2, y), (x, box.top - 2), (x, box.bottom + 2)]


def mixed_up(picture: Picture) -> list[str]:
    """Bars side by side that someone cannot tell apart, and that no line parts."""
    bars = [s for s in marks(picture) if s.role == "mark" and s.upright and s.fill and s.fill_alpha >= SOLID]
    bars = [s for s in bars if s.box.right - s.box.left >= THICK and s.box.bottom - s.box.top >= THICK]
    found = []
    for a, b in itertools.combinations(bars, 2):
        if a.fill == b.fill or not touching(a, b) or parted(picture, a, b):
            continue
        found += [f"{a.fill} and {b.fill}: {sees}" for sees in (*SEES, GREY) if apart(a.fill, b.fill, sees) < APART]
    return sorted(set(found))


def touching(a: Shape, b: Shape) -> bool:
    """Whether two bars have an edge in common."""
    (left, right), (top, bottom) = (
        (max(a.box.left, b.box.left), min(a.box.right, b.box.right)),
        (max(a.box.top, b.box.top), min(a.box.bottom, b.box.bottom)),
    )
    wide, high = right - left, bottom - top
    return (abs(wide) < 1.5 and high >= THICK) or (abs(high) < 1.5 and wide >= THICK)


def between(line: Shape, a: Shape, b: Shape) -> bool:
    """Whether a line is the outline of one of two bars, or runs where they meet."""
    if line.box in (a.box, b.box):
        return True
    x = a.box.right if abs(a.box.right - b.box.left) < 1.5 else a.box.left
    upright = not line.closed and line.box.right - line.box.left < 0.5 and abs(line.box.left - x) < 1.5
    return upright and line.box.top < a.box.bottom and line.box.bottom > a.box.top


def parted(picture: Picture, a: Shape, b: Shape) -> bool:
    """Whether a line between two bars is seen on both."""
    strokes = [s.stroke for s in marks(picture) if s.stroke and s.stroke_alpha >= SOLID and between(s, a, b)]
    return any(min(contrast(line, a.fill), contrast(line, b.fill)) >= SEEN - 0.005 for line in strokes)


def test_what_cannot_be_seen_or_told_apart_is_found():
    bars = '<path d="M20,30h40v40h-40Z" fill="{}"/><path d="M60,30h40v40h-40Z" fill="{}"{}/>'
    assert unseen(read(page(bars.format("#C97A00", "#1F5FA8", "")))) == []
    assert unseen(read(page(bars.format("#C9E0FF", "#1F5FA8", "")))) == ["it: #C9E0FF on #FFFFFF"]
    assert mixed_up(read(page(bars.format("#C97A00", "#1F5FA8", "")))) == []
    assert mixed_up(read(page(bars.format("#7C7C00", "#8C7000", ""))))
    white = ' stroke="#FFFFFF"'
    assert mixed_up(read(page(bars.format("#7C7C00", "#8C7000", white)))) == []


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_kinds_of_time_and_systems_are_told_apart_by_all(palette):
    """By colour alone under every kind of colour blindness; what lies close in grey is parted by lines and named."""
    fills = {name: fill.fill for name, fill in palette.fills.items() if name not in ("attention", "retry")}
    systems = [palette.baseline, palette.candidate, palette.third, palette.fourth]
    for colours in (fills.values(), systems):
        for a, b in itertools.combinations(colours, 2):
            for sees in SEES:
                assert apart(a, b, sees) >= APART, (a, b, sees)


# All of it


SCALES = ("heat_map", "heat map of ratios")
"""Cells of one scale: neighbours are alike since their numbers are, which are written in them where there is room."""


def wrong(kind: str, case: str, size: str | int, dark: bool) -> list[str]:
    figure = cases.figure(kind, case) or cases.figure(kind, "coding-agent")
    picture = read(drawn(figure, size, dark))
    found = [] if kind in SCALES else [*unseen(picture), *mixed_up(picture)]
    for words in picture.words:
        for colour in grounds(picture, words):
            ratio = contrast(blend(words.fill, colour, words.alpha), colour)
            if ratio < words.least - 0.005:
                found.append(f"{words.text!r}: {words.fill} on {colour} is {ratio:.2f}")
    return found


@pytest.mark.parametrize("kind", cases.KINDS)
def test_all_can_be_read_and_seen(kind):
    """Of a task that has every kind of time; of each kind one scheme here, and the other below."""
    assert wrong(kind, "everything", "full", cases.KINDS.index(kind) % 2 == 0) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", cases.KINDS)
def test_all_can_be_read_and_seen_in_both_schemes_and_of_other_tasks(kind):
    at = cases.KINDS.index(kind)
    assert wrong(kind, "everything", "full", at % 2 == 1) == []
    case, size = (("twelve", "half"), ("99.9%", 640), ("approvals", 358), ("sub-agents-cache", "square"))[at % 4]
    for dark in (False, True):
        assert wrong(kind, case, size, dark) == [], (case, dark)
