"""The timeline as shapes that can be edited: a rectangle a segment, names, end times, lines between the steps."""

from __future__ import annotations

from agentcalc.exports.native_axes import TimeTicks, across, below
from agentcalc.exports.native_ground import LEADING, Box, Ground
from agentcalc.exports.native_shapes import Shapes
from agentcalc.figures import timeline
from agentcalc.figures.figure import Figure
from agentcalc.figures.timeline import Run
from agentcalc.figures.words import COMPONENT_WORDS, pair

GOOD_BAR, LEAST_BAR = 14, 6
"""Pixels of a bar for which names give way, and of one however many there are."""
NAME_GAP = 9
THIN = 4
"""Pixels from which a segment gives up one to its outline."""
NUMBERS_AT = 0.32
"""Where step numbers stand between two bars."""


def draw(ground: Ground, figure: Figure, box: Box) -> None:
    """The figure's run into a box of the slide."""
    _Timeline(ground, figure.drawn, box).put(figure.alt_text)


class _Timeline:
    """Where rows lie, and what is drawn of each; top to bottom as in the figure itself."""

    def __init__(self, ground: Ground, run: Run, box: Box):
        self.ground, self.run, self.palette = ground, run, ground.palette
        self.left, self.top, self.wide, self.tall = box
        self.shapes = Shapes(ground)
        palette = self.palette
        kinds = [(COMPONENT_WORDS[c], palette.fills[c].fill, palette.fills[c].outline) for c in timeline.present(run)]
        self.ends = {system: timeline.end_words(run, system) for system in run.order}
        # The key is drawn first, so that all else has what is left.
        key = self.shapes.key(kinds, self.left, self.top, self.wide)
        self.plot_top, n = self.top + key + 4, len(run.order)
        self.bottom = self.top + self.tall - below(ground)
        for size, most in ((ground.name, 3), (ground.label, 2), (0.75 * ground.label, 2), (0.75 * ground.label, 1)):
            if n > 3 and size > ground.label:
                continue
            self._names(size, most)
            self.bar = (self.bottom - self.plot_top - n * self.strip) / (2 * n - 1)
            if self.bar >= GOOD_BAR:
                break
        self.bar = max(LEAST_BAR, self.bar)
        self.fan = self.bar if n > 1 else 0.0

    def _names(self, size: float, most: int) -> None:
        """Names in at most so many lines, beside the end values, and the pixels of a strip that holds both."""
        ground, run = self.ground, self.run
        self.end_size = size
        widest = max(ground.wide(run.labels[s], size, True) for s in run.order)
        # A long name is set smaller: it says more, and says it at leisure.
        self.name_size = size if widest <= 13.5 * size else min(size, ground.label)
        beside = max(ground.wide(text, size, True) for text in self.ends.values()) + 18
        self.names = {s: ground.lines(run.labels[s], self.name_size, self.wide - beside, True, most) for s in run.order}
        most_lines = max(map(len, self.names.values()))
        self.strip = max(most_lines * LEADING * self.name_size, LEADING * size) + NAME_GAP

    def x(self, seconds: float) -> float:
        return self.left + seconds / self.run.longest * self.wide

    def row(self, index: int) -> float:
        """Where a row's bar begins: each name stands above its bar, the last one's below."""
        n = len(self.run.order)
        return self.plot_top + self.strip + index * (self.bar + self.fan) + min(index, max(n - 2, 0)) * self.strip

    def put(self, described: str) -> None:
        ticks = TimeTicks.of(self.run.longest)
        at = [self.x(t) for t in ticks.at]
        title = f"{ticks.word} since the request"
        across(self.shapes, at, ticks.labels, title, self.left, self.left + self.wide, self.plot_top, self.bottom)
        self._gap()
        self._fan()
        for index, system in enumerate(self.run.order):
            self._segments(index, system)
        self._mark()
        self._numbers()
        self._bands()
        for index, system in enumerate(self.run.order):
            self._named(index, system)
        self.shapes.put("timeline", described)

    def _gap(self) -> None:
        run, case = self.run, self.run.case
        if len(run.order) == 1 or case in ("close", "unknown"):
            return
        early = run.candidate if case == "faster" else run.baseline
        row, role = run.order.index(early), run.roles[early]
        start, end = self.x(run.ends[early]), self.x(max(run.b, run.c))
        difference = pair(run.b, run.c).difference
        said, size = f"{difference} sooner", self.ground.gap
        fits = [t for t in (said, difference) if self.ground.wide(t, size, True) + 12 <= end - start]
        if self.bar < LEADING * size:
            fits = []
        top, colour = self.row(row), self.palette.name(role)
        self.shapes.rect(
            start, top, end, top + self.bar, self.palette.tint(role), name="time gained",
            text=fits[0] if fits else "", size=size, colour=colour, bold=True,
        )  # fmt: skip

    def _fan(self) -> None:
        ends = self.run.steps
        steps = timeline.longest_steps(ends[self.run.baseline])
        for index, (a, b) in enumerate(zip(self.run.order, self.run.order[1:], strict=False)):
            top, bottom = self.row(index) + self.bar + 3, self.row(index + 1) - 3
            for step in steps:
                x1, x2 = self.x(ends[a][step]), self.x(ends[b][step])
                self.shapes.line(x1, top, x2, bottom, self.palette.axis, name=f"step {step}")

    def _segments(self, index: int, system: str) -> None:
        run, palette, top, size = self.run, self.palette, self.row(index), self.ground.small
        pieces = run.pieces[system].pieces
        widest = timeline.widest_pieces(pieces)
        for i, piece in enumerate(pieces):
            fill, left, right = palette.fills[piece.component], self.x(piece.start_s), self.x(piece.end_s)
            low, high = top + piece.low * self.bar, top + piece.high * self.bar
            long, short = timeline.segment_words(piece, piece.end_s - piece.start_s)
            room = right - left - 10 if i in widest and high - low >= 1.25 * size else 0
            text = next((t for t in (long, short) if self.ground.wide(t, size) <= room), "")
            self.shapes.rect(
                left, low, right, high, fill.fill, outline=fill.outline, dashed=fill.dashed,
                edge=1.0 if right - left >= THIN else 0.25, alpha=1.0 if piece.critical else 0.4, name=long,
                text=text, size=size, colour=fill.text,
            )  # fmt: skip

    def _mark(self) -> None:
        """Where it is too close to call, the baseline's end drawn down to the candidate's band."""
        run = self.run
        if len(run.order) == 1 or run.case not in ("close", "unknown"):
            return
        x, last = self.x(run.b), self.row(len(run.order) - 1) + self.bar + 8
        self.shapes.line(x, self.row(0) + self.bar, x, last, self.palette.ink, 1.5, dash="dash", name="baseline's end")

    def _numbers(self) -> None:
        """Numbers of the steps between the first two rows, only where at least half of them fit."""
        run, ends, size = self.run, self.run.steps, 0.97 * self.ground.small
        steps = range(1, len(ends[run.baseline]))
        if len(run.order) < 2 or not 1 < len(steps) <= timeline.MOST_LINES or self.fan < 2 * size:
            return
        a, b = ends[run.order[0]], ends[run.order[1]]
        shown = []
        for step in steps:
            left, right = (self.x(a[s] * (1 - NUMBERS_AT) + b[s] * NUMBERS_AT) for s in (step - 1, step))
            text = f"step {step}" if step == 1 else str(step)
            lean = max(abs(self.x(a[s]) - self.x(b[s])) for s in (step - 1, step))
            # A number has height: between slanting lines it needs that much more room.
            if right - left - lean * self.ground.small / self.fan > self.ground.wide(text, size) + 8:
                shown.append((text, (left + right) / 2))
        if 2 * len(shown) >= len(steps):
            y = self.row(0) + self.bar + NUMBERS_AT * self.fan
            for text, x in shown:
                self.shapes.text(x, y, text, size, self.palette.muted, align="ctr", anchor="ctr", name="step number")

    def _bands(self) -> None:
        """What is unknown about a system: a thin capped bar at the foot of its bar."""
        for system, low, high in self.run.bands:
            index = self.run.order.index(system)
            y, colour = self.row(index) + self.bar, self.palette.system(self.run.roles[system])
            a, b = self.x(low), self.x(high)
            self.shapes.line(a, y, b, y, self.palette.background, 6, name="band")
            self.shapes.line(a, y, b, y, colour, 3, name="band")
            for x in (a, b):
                self.shapes.line(x, y - 6, x, y + 6, colour, 2.5, name="band")

    def _named(self, index: int, system: str) -> None:
        run, lines, size = self.run, self.names[system], self.name_size
        colour = self.palette.name(run.roles[system])
        below_bar = index == len(run.order) - 1 and index > 0
        top = self.row(index)
        y, anchor = (top + self.bar + 8, "t") if below_bar else (top - 5, "b")
        wide = self.ground.wide(self.ends[system], self.end_size, True)
        name_wide = max(self.ground.wide(line, size, True) for line in lines)
        end = max(self.x(run.ends[system]), self.left + name_wide + 16 + wide)
        end = min(end, self.left + self.wide)
        if 0 < index < len(run.order) - 1:
            tall = len(lines) * LEADING * size
            for a, b in ((self.left, self.left + name_wide), (end - wide, end)):
                self.shapes.rect(a - 3, y - tall, b + 3, y, self.palette.background, name="behind a name")
        self.shapes.text(self.left, y, lines, size, colour, bold=True, anchor=anchor, name="system")
        self.shapes.text(
            end, y, self.ends[system], self.end_size, colour, bold=True, align="r", anchor=anchor, name="end"
        )
