"""A native chart as XML: its series, labels and axes in the figures' own look, and its frame on a slide.

Numbers stand in the workbook inside (``native_sheet``); places inside the frame are fixed, so that words beside the
chart meet what they belong to in every program.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from pptx.enum.chart import XL_CHART_TYPE

from agentcalc.exports.native_ground import Box, Ground, writable
from agentcalc.exports.native_shapes import font, solid
from agentcalc.exports.native_sheet import Column, Sheet
from agentcalc.figures.figure import Figure

ACROSS, UP = "111", "222"
"""Identifiers of the two axes."""
NAMESPACES = (
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
NONE = "<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>"
"""Of what takes its place and is not seen."""
TITLE_PLACE = "<c:layout/>"
NO_MARKER = '<c:marker><c:symbol val="none"/></c:marker>'


class Chart:
    """One chart being made: a sheet, and the XML of its groups of series and its axes."""

    def __init__(self, ground: Ground):
        self.ground, self.sheet = ground, Sheet()
        self.groups: list[str] = []
        self.axes: list[str] = []
        self._series = 0

    def series(self, column: Column, look: str, values: str, *, before: str = "", after: str = "") -> str:
        """``c:ser``. look: ``c:spPr`` and what belongs beside it; values: categories and numbers; before, after: what
        stands on either side of the labels.
        """
        number, self._series = self._series, self._series + 1
        head = f'<c:idx val="{number}"/><c:order val="{number}"/>{column.named}'
        return f"<c:ser>{head}{look}{before}{values}{after}</c:ser>"

    def put(self, figure: Figure, box: Box, inner: Box) -> None:
        """The chart into a box of the slide, its plot exactly into ``inner``; both in pixels of the layout."""
        made = _Made(self._xml(box, inner), self.sheet.xlsx(figure))
        frame = self.ground.page.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *self.ground.place(box), made)
        frame.name = figure.kind
        frame._element.nvGraphicFramePr.cNvPr.set("descr", writable(figure.alt_text))

    def _xml(self, box: Box, inner: Box) -> str:
        left, top, wide, tall = box
        share = (inner[0] - left) / wide, (inner[1] - top) / tall, inner[2] / wide, inner[3] / tall
        places = "".join(f'<c:{n} val="{v:.6f}"/>' for n, v in zip("xywh", share, strict=True))
        modes = '<c:layoutTarget val="inner"/><c:xMode val="edge"/><c:yMode val="edge"/>'
        plot = f"<c:layout><c:manualLayout>{modes}{places}</c:manualLayout></c:layout>"
        # The title of the axis stands at its left end, under the labels.
        at = share[0], share[1] + share[3] + (6 + 1.3 * self.ground.label) / tall
        spots = "".join(f'<c:{n} val="{v:.6f}"/>' for n, v in zip("xy", at, strict=True))
        spots = (
            f'<c:layout><c:manualLayout><c:xMode val="edge"/><c:yMode val="edge"/>{spots}</c:manualLayout></c:layout>'
        )
        axes = "".join(self.axes).replace(TITLE_PLACE, spots)
        inside = f"{plot}{''.join(self.groups)}{axes}<c:spPr><a:noFill/></c:spPr>"
        text = words(self.ground, self.ground.label, self.ground.palette.muted)
        return (
            f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?><c:chartSpace {NAMESPACES}>'
            '<c:date1904 val="0"/><c:roundedCorners val="0"/><c:chart><c:autoTitleDeleted val="1"/>'
            f"<c:plotArea>{inside}</c:plotArea>"
            f'<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>{NONE}{text}</c:chartSpace>'
        )


def around(inner: Box, *, left: float = 0, below: float = 0, right: float = 0, above: float = 0) -> Box:
    """A chart's frame: its plot with room for labels on its sides."""
    x, y, wide, tall = inner
    return x - left, y - above, wide + left + right, tall + above + below


class _Made:
    """A finished chart, in the form in which python-pptx takes chart data."""

    def __init__(self, xml: str, xlsx: bytes):
        self.xlsx_blob, self._xml = xlsx, xml.encode()

    def xml_bytes(self, chart_type: XL_CHART_TYPE) -> bytes:
        return self._xml


def words(ground: Ground, size: float, colour: str, bold: bool = False) -> str:
    """``c:txPr``: how texts of a part are written."""
    run = font(ground, size, colour, bold, "a:defRPr")
    insets = 'wrap="none" lIns="0" tIns="0" rIns="0" bIns="0"'
    return f'<c:txPr><a:bodyPr {insets}/><a:p><a:pPr>{run}</a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>'


def filled(ground: Ground, fill: str, outline: str | None, *, alpha: float = 1.0, dashed: bool = False) -> str:
    """``c:spPr`` of a bar or an area."""
    dash = '<a:prstDash val="sysDash"/>' if dashed else ""
    edge = f'<a:ln w="{ground.emu(1)}">{solid(outline)}{dash}</a:ln>' if outline else "<a:ln><a:noFill/></a:ln>"
    return f"<c:spPr>{solid(fill, alpha)}{edge}</c:spPr>"


def drawn(ground: Ground, colour: str, width: float, dash: str = "", tag: str = "c:spPr") -> str:
    """``c:spPr`` of a line of some pixels; dash: of DrawingML."""
    dashes = f'<a:prstDash val="{dash}"/>' if dash else ""
    return f'<{tag}><a:ln w="{ground.emu(width)}" cap="rnd">{solid(colour)}{dashes}<a:round/></a:ln></{tag}>'


def unseen() -> str:
    """``c:spPr`` of a line that is not drawn."""
    return "<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>"


def marker(ground: Ground, colour: str, size: float, symbol: str = "circle") -> str:
    """``c:marker``, of some pixels."""
    points = min(72, max(2, round(size * ground.scale * 0.75)))
    edge = f"<c:spPr>{solid(colour)}<a:ln><a:noFill/></a:ln></c:spPr>"
    return f'<c:marker><c:symbol val="{symbol}"/><c:size val="{points}"/>{edge}</c:marker>'


def label(
    ground: Ground, index: int, place: str, size: float, colour: str, *, text: str = "", form: str = "",
    bold: bool = False, name: bool = False,
) -> str:  # fmt: skip
    """``c:dLbl`` of one point. text: as it stands; without, the value in a number format, which follows the value,
    after the series' name if ``name``. place: of DrawingML, such as ``ctr``.
    """
    rich = ""
    if text:
        run = font(ground, size, colour, bold)
        body = f"<a:p><a:r>{run}<a:t>{escape(writable(text))}</a:t></a:r></a:p>"
        rich = f'<c:tx><c:rich><a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0"/>{body}</c:rich></c:tx>'
    number = f'<c:numFmt formatCode={quoteattr(form)} sourceLinked="0"/>' if form else ""
    shows = {"LegendKey": 0, "Val": 1, "CatName": 0, "SerName": int(name), "Percent": 0, "BubbleSize": 0}
    shown = "".join(f'<c:show{what} val="{on}"/>' for what, on in shows.items())
    parts = f'{rich}{number}{NONE}{words(ground, size, colour, bold)}<c:dLblPos val="{place}"/>{shown}'
    return f'<c:dLbl><c:idx val="{index}"/>{parts}{"<c:separator> </c:separator>" if name else ""}</c:dLbl>'


def labels(those: Iterable[str]) -> str:
    """``c:dLbls``: the labels of some points, none at the others."""
    every = ("LegendKey", "Val", "CatName", "SerName", "Percent", "BubbleSize")
    none = "".join(f'<c:show{what} val="0"/>' for what in every)
    return f"<c:dLbls>{''.join(those)}{none}</c:dLbls>"


def spans(ground: Ground, direction: str, plus: Column, minus: Column, colour: str, width: float, caps: bool) -> str:
    """``c:errBars``: from each point up by one column and down by another; direction: ``x`` or ``y``."""
    ends = f"{plus.numbers('c:plus')}{minus.numbers('c:minus')}"
    kind = f'<c:errBarType val="both"/><c:errValType val="cust"/><c:noEndCap val="{int(not caps)}"/>'
    return f'<c:errBars><c:errDir val="{direction}"/>{kind}{ends}{drawn(ground, colour, width)}</c:errBars>'


def value_axis(
    ground: Ground, which: str, where: str, low: float, high: float, *, step: float | None = None,
    form: str = "General", title: str = "", grid: bool = False, shown: str = "low", line: bool = False,
    between: str = "midCat", log: bool = False, crosses: str = '<c:crosses val="min"/>',
) -> str:  # fmt: skip
    """``c:valAx``. which: ACROSS or UP; where: ``b``, ``l``; shown: where
    the labels of its ticks stand (``low``, ``nextTo``, ``none``)."""
    palette = ground.palette
    scaling = ('<c:logBase val="10"/>' if log else "") + '<c:orientation val="minMax"/>'
    scaling += f'<c:max val="{high!r}"/><c:min val="{low!r}"/>'
    lines = f"<c:majorGridlines>{drawn(ground, palette.grid, 1)}</c:majorGridlines>" if grid else ""
    number = f'<c:numFmt formatCode={quoteattr(form)} sourceLinked="0"/>'
    ticks = f'<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="{shown}"/>'
    look = drawn(ground, palette.axis, 1) if line else "<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>"
    other = UP if which == ACROSS else ACROSS
    end = f'<c:crossAx val="{other}"/>{crosses}<c:crossBetween val="{between}"/>'
    end += f'<c:majorUnit val="{step!r}"/>' if step else ""
    head = f'<c:axId val="{which}"/><c:scaling>{scaling}</c:scaling><c:delete val="0"/><c:axPos val="{where}"/>'
    text = words(ground, ground.label, palette.muted)
    return f"<c:valAx>{head}{lines}{_title(ground, title)}{number}{ticks}{look}{text}{end}</c:valAx>"


def category_axis(
    ground: Ground, which: str, where: str, *, every: int = 1, title: str = "", shown: bool = True, line: bool = False,
    reverse: bool = False,
) -> str:  # fmt: skip
    """``c:catAx``. every: how many categories to a label; reverse: the first is on top."""
    palette = ground.palette
    order = f'<c:scaling><c:orientation val="{"maxMin" if reverse else "minMax"}"/></c:scaling>'
    head = f'<c:axId val="{which}"/>{order}<c:delete val="0"/><c:axPos val="{where}"/>{_title(ground, title)}'
    ticks = (
        f'<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="{"low" if shown else "none"}"/>'
    )
    look = drawn(ground, palette.axis, 1) if line else "<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>"
    text = words(ground, ground.label, palette.muted)
    other = UP if which == ACROSS else ACROSS
    skip = f'<c:tickLblSkip val="{every}"/><c:tickMarkSkip val="{every}"/>'
    end = f'<c:crossAx val="{other}"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/>'
    end += f'<c:lblOffset val="40"/>{skip}<c:noMultiLvlLbl val="1"/>'
    return f'<c:catAx>{head}<c:numFmt formatCode="General" sourceLinked="0"/>{ticks}{look}{text}{end}</c:catAx>'


def _title(ground: Ground, title: str) -> str:
    """``c:title``; where it stands, the chart says when it knows its frame."""
    if not title:
        return ""
    run = font(ground, ground.label, ground.palette.muted, False)
    body = f"<a:p><a:r>{run}<a:t>{escape(writable(title))}</a:t></a:r></a:p>"
    return f'<c:title><c:tx><c:rich><a:bodyPr/>{body}</c:rich></c:tx>{TITLE_PLACE}<c:overlay val="0"/></c:title>'


def bars(series: Sequence[str], gap: int) -> str:
    """``c:barChart`` of stacked horizontal bars. gap: per cent of a bar between two."""
    inside = f'<c:barDir val="bar"/><c:grouping val="stacked"/><c:varyColors val="0"/>{"".join(series)}'
    axes = f'<c:axId val="{UP}"/><c:axId val="{ACROSS}"/>'
    return f'<c:barChart>{inside}<c:gapWidth val="{gap}"/><c:overlap val="100"/>{axes}</c:barChart>'


def areas(series: Sequence[str]) -> str:
    """``c:areaChart``, stacked."""
    axes = f'<c:axId val="{ACROSS}"/><c:axId val="{UP}"/>'
    return f'<c:areaChart><c:grouping val="stacked"/><c:varyColors val="0"/>{"".join(series)}{axes}</c:areaChart>'


def lines(series: Sequence[str]) -> str:
    """``c:lineChart``."""
    axes = f'<c:marker val="1"/><c:axId val="{ACROSS}"/><c:axId val="{UP}"/>'
    return f'<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>{"".join(series)}{axes}</c:lineChart>'


def scatter(series: Sequence[str]) -> str:
    """``c:scatterChart`` of straight lines."""
    axes = f'<c:axId val="{ACROSS}"/><c:axId val="{UP}"/>'
    style = '<c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>'
    return f"<c:scatterChart>{style}{''.join(series)}{axes}</c:scatterChart>"
