"""Where the parts of a drawn task stand: boxes of steps from left to right, frames around what repeats or forks.

All lengths are pixels of a picture ``wide`` pixels wide; a wider one only stretches them, so no text meets another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agentcalc.figures import amount_words
from agentcalc.figures.measure import ems, wrap
from agentcalc.task import Graph, Step
from agentcalc.units import NBSP, show_count, show_share

MOST_BOXES = 60
"""Steps that are drawn; of the others their number."""

MOST_LANES = 6
"""Lines that lead over the columns of a graph beside each other; further ones share these."""

SHORTEST_S, LONGEST_S = 0.1, 100.0
"""Seconds that the narrowest and the widest box stand for; boxes beyond look like them."""

KIND_COMPONENT = {"model_call": "decode", "tool_wait": "tool", "human_wait": "human", "compact": "overhead"}
"""In which component's colour a kind of step is drawn."""


@dataclass(frozen=True)
class Box:
    """A step. name: lines of text above it; value: inside it; seconds: mean of one play."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    name: str
    value: str
    path: str
    title: str
    seconds: float


@dataclass(frozen=True)
class Frame:
    """What stands inside a step that holds others. label: lines of text along its top."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    label: str


@dataclass(frozen=True)
class Link:
    """A line through points; ``end`` says whether an arrow stands at its last."""

    points: tuple[tuple[float, float], ...]
    end: bool = True


@dataclass(frozen=True)
class Note:
    """Text that belongs to no box, such as how often an option is taken."""

    x: float
    y: float
    text: str
    height: float


@dataclass(frozen=True)
class Piece:
    """A part of the picture. It is entered at the left and left at the right, both at the height ``axis``."""

    width: float
    height: float
    axis: float
    boxes: tuple[Box, ...] = ()
    frames: tuple[Frame, ...] = ()
    links: tuple[Link, ...] = ()
    notes: tuple[Note, ...] = ()

    def at(self, x: float, y: float) -> Piece:
        """The same, moved; width and height stay."""
        return replace(
            self,
            boxes=tuple(replace(b, x=b.x + x, y=b.y + y) for b in self.boxes),
            frames=tuple(replace(f, x=f.x + x, y=f.y + y) for f in self.frames),
            links=tuple(replace(k, points=tuple((a + x, b + y) for a, b in k.points)) for k in self.links),
            notes=tuple(replace(n, x=n.x + x, y=n.y + y) for n in self.notes),
        )


@dataclass
class Layout:
    """Lays out a task. size: pixels of the type; seconds: mean of one play of a step, by its path."""

    size: float
    seconds: Mapping[str, float]
    left: int = field(default=MOST_BOXES)

    @property
    def line(self) -> float:
        return round(self.size * 1.22, 2)

    @property
    def gap(self) -> float:
        return round(self.size * 1.6)

    @property
    def turn(self) -> float:
        """How far right of a line of steps the way to the next line goes down."""
        return round(self.size * 0.6)

    @property
    def pad(self) -> float:
        return round(self.size * 0.75)

    def task(self, steps: Sequence[Step], wide: float) -> Piece:
        """The whole task inside ``wide`` pixels."""
        return self._sequence(steps, "steps", wide)

    def _sequence(self, steps: Sequence[Step], path: str, wide: float) -> Piece:
        """Steps one after the other, in as many lines as they need."""
        pieces = []
        # Room for the line that leads from the end of one line of steps to the next.
        inner = wide - self.pad - self.turn if len(steps) > 1 else wide
        for index, step in enumerate(steps):
            if self.left <= 0:
                pieces.append(self._more(len(steps) - index))
                break
            pieces.append(self._step(step, f"{path}[{index}]", inner))
        return self._flow(pieces, wide)

    def _flow(self, pieces: list[Piece], wide: float) -> Piece:
        """Pieces from left to right, joined by arrows, broken into lines where they do not fit."""
        whole = sum(piece.width for piece in pieces) + self.gap * (len(pieces) - 1)
        limit = wide if whole <= wide else wide - self.pad - self.turn
        lines: list[list[Piece]] = [[]]
        at = 0.0
        for piece in pieces:
            needed = piece.width + (self.gap if lines[-1] else 0)
            if lines[-1] and at + needed > limit:
                lines.append([])
                at, needed = 0.0, piece.width
            lines[-1].append(piece)
            at += needed
        placed: list[Piece] = []
        links: list[Link] = []
        y, last = 0.0, None
        widest = 0.0
        for number, line in enumerate(lines):
            axis = max((piece.axis for piece in line), default=0.0)
            below = max((piece.height - piece.axis for piece in line), default=0.0)
            x = float(self.pad) if len(lines) > 1 else 0.0
            for piece in line:
                placed.append(piece.at(x, y + axis - piece.axis))
                if last is not None:
                    links.append(self._joined(last, (x, y + axis), y, number > 0 and piece is line[0]))
                last = (x + piece.width, y + axis)
                x += piece.width + self.gap
            widest = max(widest, x - self.gap + (self.turn if line is not lines[-1] else 0))
            y += axis + below + self.gap
        first_axis = max((piece.axis for piece in lines[0]), default=0.0)
        return _together(placed, widest, max(y - self.gap, 0.0), first_axis, links=links)

    def _joined(self, start: tuple[float, float], end: tuple[float, float], top: float, breaks: bool) -> Link:
        if not breaks:
            return Link((start, end))
        # To the next line: down between the lines, back to the left, and in.
        turn = top - self.gap * 0.5
        out = start[0] + self.turn
        back = end[0] - self.pad
        return Link((start, (out, start[1]), (out, turn), (back, turn), (back, end[1]), end))

    def _step(self, step: Step, path: str, wide: float) -> Piece:
        if step.kind in KIND_COMPONENT:
            self.left -= 1
            return self._box(step, path, wide)
        inner = wide - 2 * self.pad
        if inner < self.size * 9:
            return self._more(1, "steps inside")
        label = label_words(step)
        if step.kind == "graph":
            body = self._graph(step, path, inner)
        elif step.kind == "choice":
            options = [(show_share(option.probability), option.name, option.steps) for option in step.options]
            body = self._ways(options, path, "options", inner)
        elif step.kind == "parallel" and step.branches is not None:
            branches = [("", branch.name, branch.steps) for branch in step.branches]
            body = self._ways(branches, path, "branches", inner)
        else:
            body = self._sequence(step.steps, f"{path}.steps", inner)
        return self._framed(step.kind, label, body, wide)

    def _box(self, step: Step, path: str, wide: float) -> Piece:
        mean = self.seconds.get(path, 0.0)
        title = step.name or KIND_NAMES[step.kind]
        value = value_words(step)
        width = max(self._box_px(mean), ems(value) * self.size * 1.03 + self.size * 0.6)
        lines = wrap(title, min(wide, self.size * 11) / self.size)
        name_height = len(lines) * self.line + 3
        height = round(self.size * 2.1)
        total = min(max(width, *(ems(line) * self.size * 1.03 for line in lines)), wide)
        box = Box(0, name_height, min(width, wide), height, step.kind, "\n".join(lines), value, path, title, mean)
        return Piece(total, name_height + height, name_height + height / 2, (box,))

    def _box_px(self, seconds: float) -> float:
        inside = min(max(seconds, SHORTEST_S), LONGEST_S)
        share = math.log(inside / SHORTEST_S) / math.log(LONGEST_S / SHORTEST_S)
        return round(self.size * (5.2 + 5.8 * share), 1)

    def _framed(self, kind: str, label: str, body: Piece, wide: float) -> Piece:
        pad = self.pad
        most = max(min(wide - 2 * pad, max(body.width, self.size * 12)), self.size * 4)
        lines = wrap(label, most / self.size, bold=True) if label else []
        text_width = max((ems(line, bold=True) * self.size * 1.03 for line in lines), default=0.0)
        top = pad + (len(lines) * self.line + 4 if lines else 0)
        width = min(max(body.width, text_width) + 2 * pad, wide)
        height = top + body.height + pad
        frame = Frame(0, 0, width, height, kind, "\n".join(lines))
        inside = body.at(pad, top)
        return replace(_together([inside], width, height, height / 2), frames=(frame, *inside.frames))

    def _ways(self, ways: Sequence[tuple], path: str, block: str, wide: float) -> Piece:
        """Options or branches, one below the other, forked at the left."""
        rail = self.gap * 0.7
        placed, links, notes = [], [], []
        y, widest = 0.0, 0.0
        heights = []
        for index, (share, name, steps) in enumerate(ways):
            if self.left <= 0:
                notes.append(Note(rail, y, f"+ {more_steps(len(ways) - index)}", self.line))
                y += self.line + self.pad
                break
            said = " ".join(part for part in (share, name or "") if part)
            if not steps:
                said = f"{said}: nothing to do" if said else "nothing to do"
            lines = wrap(said, (wide - rail) / self.size) if said else []
            if lines:
                notes.append(Note(rail, y, "\n".join(lines), len(lines) * self.line))
                widest = max(widest, rail + max(ems(line) for line in lines) * self.size * 1.03)
            body = self._sequence(steps, f"{path}.{block}[{index}].steps", wide - rail) if steps else Piece(0, 0, 0)
            top = y + len(lines) * self.line + (3 if lines and steps else 0)
            placed.append(body.at(rail, top))
            axis = top + body.axis if steps else y + self.line / 2
            heights.append(axis)
            links.append(Link(((0, axis), (rail - 2, axis))))
            widest = max(widest, rail + body.width)
            y = top + body.height + self.pad
        if len(heights) > 1:
            links.append(Link(((0, heights[0]), (0, heights[-1])), end=False))
        height = max(y - self.pad, 0.0)
        return _together(placed, widest, height, height / 2, links=links, notes=notes)

    def _graph(self, step: Graph, path: str, wide: float) -> Piece:
        """The steps of a graph in columns: each one right of all it waits for; one column a line where too wide."""
        level: dict[str, int] = {}
        for index in step.order:
            inner = step.steps[index]
            level[inner.name] = max((level[name] + 1 for name in inner.after), default=0)
        columns: list[list[int]] = [[] for _ in range(max(level.values()) + 1)]
        for index, inner in enumerate(step.steps):
            columns[level[inner.name]].append(index)
        left = self.left
        pieces = {i: self._counted(inner, f"{path}.steps[{i}]", wide) for i, inner in enumerate(step.steps)}
        across = sum(max(pieces[i].width for i in column) for column in columns) + self.gap * (len(columns) - 1)
        if across > wide:
            self.left = left
            return self._listed(step, path, wide)
        spots: dict[int, tuple[float, float]] = {}
        heights = [sum(pieces[i].height for i in column) + self.pad * (len(column) - 1) for column in columns]
        tall, x = max(heights), 0.0
        for column, height in zip(columns, heights, strict=True):
            y = (tall - height) / 2
            for i in column:
                spots[i] = (x, y)
                y += pieces[i].height + self.pad
            x += max(pieces[i].width for i in column) + self.gap
        number = {inner.name: i for i, inner in enumerate(step.steps)}
        waits = [(number[name], i) for i, inner in enumerate(step.steps) for name in inner.after]
        over = [pair for pair in waits if level[step.steps[pair[1]].name] - level[step.steps[pair[0]].name] > 1]
        # What waits for a step further back is led over the columns between them.
        lane = self.size * 0.6
        room = lane * (min(len(over), MOST_LANES) + 0.5) if over else 0.0
        links = []
        for before, i in waits:
            start = (spots[before][0] + _right(pieces[before]), room + spots[before][1] + pieces[before].axis)
            end = (spots[i][0], room + spots[i][1] + pieces[i].axis)
            turns: tuple[tuple[float, float], ...] = ()
            if (before, i) in over:
                y = lane * (over.index((before, i)) % MOST_LANES)
                right, back = start[0] + self.turn, end[0] - self.gap * 0.6
                turns = ((right, start[1]), (right, y), (back, y), (back, end[1]))
            links.append(Link((start, *turns, end)))
        placed = [pieces[i].at(x, room + y) for i, (x, y) in spots.items()]
        return _together(placed, across, tall + room, room + tall / 2, links=links)

    def _listed(self, step: Graph, path: str, wide: float) -> Piece:
        """The steps of a graph one below the other, each with what it waits for."""
        placed, notes, y = [], [], 0.0
        widest = 0.0
        for index in step.order:
            inner = step.steps[index]
            said = f"after {' and '.join(inner.after)}" if inner.after else "at once"
            lines = wrap(said, wide / self.size)
            notes.append(Note(0, y, "\n".join(lines), len(lines) * self.line))
            y += len(lines) * self.line + 2
            piece = self._counted(inner, f"{path}.steps[{index}]", wide)
            placed.append(piece.at(0, y))
            widest = max(widest, piece.width, *(ems(line) * self.size * 1.03 for line in lines))
            y += piece.height + self.pad
        return _together(placed, min(widest, wide), y - self.pad, (y - self.pad) / 2, notes=notes)

    def _counted(self, step: Step, path: str, wide: float) -> Piece:
        return self._step(step, path, wide) if self.left > 0 else self._more(1)

    def _more(self, number: int, what: str = "") -> Piece:
        said = f"+{NBSP}{what}" if what else f"+{NBSP}{more_steps(number)}"
        height = round(self.size * 2.1)
        width = ems(said) * self.size * 1.03
        return Piece(width, height, height / 2, notes=(Note(0, (height - self.line) / 2, said, self.line),))


KIND_NAMES = {"model_call": "model call", "tool_wait": "tool", "human_wait": "a person", "compact": "compact"}


def more_steps(number: int) -> str:
    """ "1 more step", "240 more steps"."""
    return f"{show_count(number)} more {'step' if number == 1 else 'steps'}"


def value_words(step: Step) -> str:
    """What a box says inside: tokens of a call, the wait of a tool or a person."""
    if step.kind == "model_call":
        return amount_words.tokens(step.output_tokens)
    if step.kind == "compact":
        return f"to {amount_words.tokens(step.to_tokens)}"
    return amount_words.seconds(step.seconds)


def frame_words(step: Step) -> str:
    """How what stands inside is played: how often, how many at once, or by what chance; empty for a group."""
    said = ""
    if step.kind == "loop":
        until = step.until
        said = (
            f"{amount_words.times(step.times)} times"
            if until is None
            else f"stops with {show_share(until.probability)} a turn, at most {show_count(until.max)}"
        )
    elif step.kind == "retry":
        said = f"fails {show_share(step.failure_probability)}, at most {show_count(step.max_attempts)} tries"
    elif step.kind == "choice":
        said = f"one of {len(step.options)}"
    elif step.kind == "parallel":
        count = amount_words.times(step.width) if step.width is not None else show_count(len(step.branches))
        said = f"{count} at once" + {"all": "", "any": ", the first counts"}.get(
            step.join, f", the first {step.join} count"
        )
    return said


def label_words(step: Step) -> str:
    """What a frame says along its top: its name, and how it is played."""
    said = frame_words(step)
    return ": ".join(part for part in (step.name or ("" if said else step.kind), said) if part)


def _right(piece: Piece) -> float:
    """How far a piece reaches to the right at its axis: the end of its box, or of its frame."""
    return piece.boxes[0].width if len(piece.boxes) == 1 and not piece.frames else piece.width


def _together(
    pieces: Sequence[Piece],
    width: float,
    height: float,
    axis: float,
    links: Sequence[Link] = (),
    notes: Sequence[Note] = (),
) -> Piece:
    return Piece(
        width,
        height,
        axis,
        tuple(box for piece in pieces for box in piece.boxes),
        tuple(frame for piece in pieces for frame in piece.frames),
        (*links, *(link for piece in pieces for link in piece.links)),
        (*notes, *(note for piece in pieces for note in piece.notes)),
    )
