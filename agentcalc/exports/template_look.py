"""The look of a template's layout: its background, whether it is dark, and how wide its faces run."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import Any

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE

from agentcalc.figures.theme import DARK, LIGHT, Palette, contrast

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
WHITE = "#FFFFFF"

WIDER = {
    "arial": 1.0, "helvetica": 1.0, "helvetica neue": 1.02, "liberation sans": 1.0, "calibri": 0.95,
    "calibri light": 0.95, "aptos": 1.0, "aptos display": 1.0, "cambria": 1.0, "times new roman": 0.95, "georgia": 1.08,
    "tahoma": 1.0, "trebuchet ms": 1.02, "segoe ui": 1.04, "segoe ui light": 1.02, "roboto": 1.02, "lato": 1.0,
    "source sans pro": 0.96, "open sans": 1.1, "inter": 1.08, "century gothic": 1.16, "verdana": 1.2, "montserrat": 1.2,
    "poppins": 1.2,
}  # fmt: skip
"""How wide common faces run beside Arial, by sets of prose, rounded up."""
UNKNOWN, CAPITALS = 1.2, 1.25


@dataclass(frozen=True)
class Look:
    """palette: of what is drawn on the background; wider, title_wider: than Arial, of body and title."""

    background: str
    palette: Palette
    wider: float
    title_wider: float


def read(layout: Any) -> Look:
    """Of a slide layout. A background that is a picture is taken for the colour its theme names."""
    master = layout.slide_master
    theme = _theme(master)
    background = _background(layout, master, theme)
    palette = max((LIGHT, DARK), key=lambda one: contrast(one.ink, background))
    style = master._element.find(".//{*}titleStyle")
    capitals = style is not None and 'cap="all"' in etree.tostring(style, encoding="unicode")
    major = _wider(theme, "major") * (CAPITALS if capitals else 1.0)
    return Look(background, palette, _wider(theme, "minor"), major)


def _theme(master: Any) -> etree._Element | None:
    try:
        blob = master.part.part_related_by(RELATIONSHIP_TYPE.THEME).blob
    except KeyError:
        return None
    return etree.fromstring(blob, etree.XMLParser(resolve_entities=False, no_network=True))


def _wider(theme: etree._Element | None, which: str) -> float:
    found = None if theme is None else theme.find(f".//{A}{which}Font/{A}latin")
    face = "" if found is None else found.get("typeface", "").lower()
    return WIDER.get(face, UNKNOWN)


def _background(layout: Any, master: Any, theme: etree._Element | None) -> str:
    names = _names(layout, master)
    for holder in (layout, master):
        found = holder._element.find("./{*}cSld/{*}bg")
        if found is None:
            continue
        solid = found.findall(f".//{A}solidFill") or found.findall("./{*}bgRef")
        if solid and (colour := _colour(solid[0], names, theme)):
            return colour
        stops = [c for stop in found.findall(f".//{A}gradFill//{A}gs") if (c := _colour(stop, names, theme))]
        if stops:
            return _mean(stops)
    return _scheme("bg1", names, theme) or WHITE


def _names(layout: Any, master: Any) -> dict[str, str]:
    """What the names of colours on slides mean in the theme."""
    found = master._element.find("./{*}clrMap")
    names = {} if found is None else dict(found.attrib)
    other = layout._element.find(f"./{{*}}clrMapOvr/{A}overrideClrMapping")
    return names | ({} if other is None else dict(other.attrib))


def _colour(holder: etree._Element, names: dict[str, str], theme: etree._Element | None) -> str | None:
    """The first colour in an element, lightened and darkened as it says; None where there is none to be read."""
    for child in holder:
        kind = etree.QName(child).localname
        if kind == "srgbClr":
            base = "#" + child.get("val", "")
        elif kind == "sysClr":
            base = "#" + child.get("lastClr", "FFFFFF")
        elif kind == "schemeClr":
            base = _scheme(child.get("val", ""), names, theme)
        else:
            continue
        if base is None or len(base) != 7:
            return None
        return _moved(base, child)
    return None


def _scheme(name: str, names: dict[str, str], theme: etree._Element | None) -> str | None:
    found = None if theme is None else theme.find(f".//{A}clrScheme/{A}{names.get(name, name)}")
    return None if found is None else _colour(found, {}, None)


def _moved(colour: str, how: etree._Element) -> str:
    """A colour by the luminance it is given (``lumMod``, ``lumOff``), as Office does it."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    hue, light, saturation = colorsys.rgb_to_hls(red, green, blue)
    for child in how:
        share = int(child.get("val", "0").rstrip("%") or 0) / 100_000
        kind = etree.QName(child).localname
        light = light * share if kind == "lumMod" else light + share if kind == "lumOff" else light
    parts = colorsys.hls_to_rgb(hue, min(max(light, 0.0), 1.0), saturation)
    return "#" + "".join(f"{round(255 * part):02X}" for part in parts)


def _mean(colours: list[str]) -> str:
    parts = [sum(int(c[i : i + 2], 16) for c in colours) / len(colours) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(part):02X}" for part in parts)
