"""Figures as pictures: PNG, SVG and PDF, made without a browser and without a network."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.sax.saxutils import quoteattr

import vl_convert

from agentcalc.errors import AgentcalcError
from agentcalc.figures.figure import Figure
from agentcalc.figures.theme import SIZES

PNG_SCALE = 2
"""Pixels of a PNG to a CSS pixel, so that slides stay sharp; 3 stays sharp in print too."""


def png(figure: Figure, size: str = "full", dark: bool = False, scale: int = PNG_SCALE, **other: int) -> bytes:
    """The figure as a PNG, at twice the pixels of its size ("full": 2560 x 1440). scale: how many times, 1 to 4.

    other: width or height in CSS pixels, in place of the size's own; labels give way to it. Raises AgentcalcError when
    it cannot be drawn, and for another scale.
    """
    if scale not in (1, 2, 3, 4):
        raise AgentcalcError(f"A picture has 1 to 4 pixels to a point, not {scale}.")
    return _drawn(
        figure, size, dark, lambda spec: vl_convert.vegalite_to_png(spec | other, scale=scale, allowed_base_urls=[])
    )


def svg(
    figure: Figure,
    size: str = "full",
    dark: bool = False,
    change: Callable[[dict], dict] | None = None,
    **other: int,
) -> str:
    """The figure as an SVG that refers to nothing outside itself. Raises AgentcalcError when it cannot be drawn.

    change: of the specification; other: width or height in CSS pixels, in place of the size's own; labels give way.
    """

    def draw(spec: dict) -> str:
        changed = change(spec) if change else spec
        return vl_convert.vegalite_to_svg(changed | other, allowed_base_urls=[])

    text = _drawn(figure, size, dark, draw)
    # Vega describes the parts but not the whole.
    return _renamed(text).replace("<svg ", f'<svg role="img" aria-label={quoteattr(figure.alt_text)} ', 1)


_DEFINED = re.compile(r'<(?:clipPath|linearGradient|radialGradient) id="([^"]+)"')


def _renamed(text: str) -> str:
    """An SVG whose parts are named by their order in it. Vega counts them through all pictures of a process, so that
    the same figure would be another file each time.
    """
    names = {name: f"part{i}" for i, name in enumerate(dict.fromkeys(_DEFINED.findall(text)), 1)}
    if not names:
        return text
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(rf'(\bid="|url\(#|href="#)({known})(?=["\)])', lambda m: m[1] + names[m[2]], text)


def pdf(figure: Figure, size: str = "full", dark: bool = False) -> bytes:
    """The figure as a PDF of one page, its text as text. Raises AgentcalcError when it cannot be drawn."""
    return _drawn(figure, size, dark, lambda spec: vl_convert.vegalite_to_pdf(spec, allowed_base_urls=[]))


def _drawn(figure: Figure, size: str, dark: bool, draw: Callable[[dict], bytes | str]) -> bytes | str:
    if size not in SIZES:
        raise AgentcalcError(f"There is no size '{size}'. Use one of {', '.join(SIZES)}.")
    try:
        return draw(figure.chart(size, dark).to_dict())
    except ValueError as error:
        # vl-convert reports every failure of Vega as a ValueError of many lines; the first says what it was.
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "no reason given")
        raise AgentcalcError(f"The figure '{figure.kind}' could not be drawn: {reason[:200]}") from error
