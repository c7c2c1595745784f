"""Rows of a table of InferenceX points, made comparable: one spelling of everything, and caveats in words.

The rows come from several copies of InferenceX, which spell one server in several ways: ``dynamo-trt`` with an image's
name, or ``trtllm`` with a version; ``P 1x(TP4,EP4,DPA=True) + D 1x(TP32,EP32,DPA=True)``, or ``P 1xTP4 + D 1xDEP32``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agentcalc.benchmarks.records import Measurement

SHORT, LONG = 922, 7373
"""Mean prompts of the benchmark's two loads, 1k/1k and 8k/1k."""
WAITING_S = 5.0
"""Mean TTFT from which a row is called dominated by its queue, as the table's own notes do."""

MODELS = {
    "DeepSeek-R1": ("deepseek-r1", "DeepSeek R1"),
    "DeepSeek-R1-0528": ("deepseek-r1", "DeepSeek R1"),
    "DeepSeek-V3": ("deepseek-r1", "DeepSeek R1"),
    "Kimi-K2.5": ("kimi-k2.5", "Kimi K2.5"),
    "gpt-oss-120b": ("gpt-oss-120b", "GPT-OSS 120B"),
    "Qwen3-32B": ("qwen3-32b", "Qwen3 32B"),
}
ENGINES = {"trtllm": "TensorRT-LLM", "trt": "TensorRT-LLM", "sglang": "SGLang", "vllm": "vLLM"}

# The start of where a row comes from -> the source's id in agentcalc/data/sources.yaml.
SOURCES = {
    "ai-dynamo/aiconfigurator@095f58a5": "inferencex-silicon-sample",
    "vngcloud/InferenceX-app@7fe6d62a": "inferencex-benchmarks-copy",
    "SemiAnalysisAI/InferenceX-app@3a600f1d": "inferencex-benchmarks",
    "rafaykhan-source/InferenceX-app@95bec474": "inferencex-h200-copy",
    "GloriaXimingLu/inferencex-profiling@237385bf": "inferencex-rerun-nebius",
}

# Clauses of the rows' notes -> what is said beside the number; "" for what is said of the whole system (ABOUT_ALL).
CLAUSES = {
    "means only": "",
    "mean TTFT/TPOT only": "",
    "values equal InferenceX mean_ttft/mean_tpot where cross-checked": "",
    "spec_decoding=none taken from InferenceX configs for this model": "",
    "length sweep: TTFT and TPOT over prompt length": "",
    "GPU counts from SemiAnalysisAI/InferenceX configs @843c6254ff69": "Chips are from InferenceX's configurations.",
    "MTP use not flagged in this file": "Its file does not say whether MTP is on.",
    "spec_decoding inferred by matching (conc, decode TP) in SemiAnalysisAI/InferenceX configs @843c6254ff69": (
        "It is inferred from the configuration with this concurrency and decode size."
    ),
    "queue-dominated TTFT (>5 s): concurrency above the server batch limit": (
        "The queue dominates this first-token time: more requests than the server takes at once."
    ),
    "transcribed by hand from the stored file": "Transcribed by hand,",
    "4 decimal places": "to 4 decimal places.",
    "labelled DeepSeek-V3 by the source": "The source labels it DeepSeek-V3.",
    "same architecture as R1 and gives the 5.99 s that OpenAI quotes for GB300 R1": "",
    "no MTP inferred": "That it runs without MTP is inferred.",
}
ABOUT_ALL = {
    "mean TTFT/TPOT only": (
        "Rows from AIConfigurator's copy have means only; where others have the same row, the numbers are equal."
    ),
    "spec_decoding=none taken from InferenceX configs for this model": (
        "That these rows run without speculative decoding is taken from InferenceX's configurations."
    ),
    "length sweep: TTFT and TPOT over prompt length": (
        "A sweep over prompt and answer lengths; means only. Its origin in InferenceX is not stated."
    ),
}


@dataclass(frozen=True)
class Side:
    """The engines of prefill, of decode, or of both together. count: None where the row does not say; tp: the number
    after TP or DEP as written; size: chips of one engine; ep, dpa: expert parallelism and data-parallel attention,
    None where the row does not say.
    """

    count: int | None
    tp: int
    size: int
    ep: int | None = None
    dpa: bool | None = None

    def __str__(self) -> str:
        parts = [f"TP{self.size}", f"EP{self.ep}" if self.ep and self.ep > 1 else "", "DPA" if self.dpa else ""]
        return ",".join(part for part in parts if part)

    def coarse(self) -> tuple[int | None, int]:
        return self.count, self.size

    def fits(self, other: Side) -> bool:
        """Whether two could be one: as many chips, and nothing that both say differs."""
        pairs = ((self.ep, other.ep), (self.dpa, other.dpa))
        return self.coarse() == other.coarse() and all(a == b for a, b in pairs if None not in (a, b))


@dataclass(frozen=True)
class Row:
    """A row: the run with one spelling of everything. called: its model as the row spells it; apart: whether prefill
    and decode are; sides: its engines, none where the layout is not given; filled: whether a part of the layout is
    taken from another row.
    """

    run: Measurement
    called: str
    origin: str
    engine: str
    apart: bool
    version: str | None
    sides: tuple[Side, ...]
    filled: bool = False

    @property
    def key(self) -> tuple[str, str, str, str, bool]:
        """(model, hardware, precision, engine, whether prefill and decode are apart)."""
        return self.run.model, self.run.hardware, self.run.precision, self.engine, self.apart

    @property
    def source(self) -> str:
        return next(name for start, name in SOURCES.items() if self.origin.startswith(start))

    def clauses(self) -> list[str]:
        """The notes of the row itself, which stand before where it comes from."""
        own = self.run.notes[: self.run.notes.index(f"From {self.origin}.")]
        return [note.removesuffix(".") for note in own]

    def caveats(self) -> str:
        """What must be said beside the row's first-token time. Raises KeyError for a clause that is not known."""
        said = [CLAUSES[clause] for clause in self.clauses()]
        if _counts_unknown(self):
            said.append("How many engines it has is not given.")
        if self.apart and not self.sides:
            said.append("Its layout is not given in full.")
        if self.filled:
            said.append("Expert and attention parallelism are those of the row on the same chips that gives them.")
        if self.run.ttft.mean > WAITING_S and not any("queue" in text for text in said):
            said.append("The queue dominates this first-token time.")
        if self.run.date is None:
            said.append("Its date is not given.")
        return " ".join(filter(None, said))


def row(run: Measurement) -> Row:
    """A run of the table in one spelling. Raises KeyError for a model, software or source that is not known."""
    origin = next(n.removeprefix("From ").removesuffix(".") for n in run.notes if n.startswith("From ") and "@" in n)
    framework, _, version = (run.software or "").partition(" (")
    engine = ENGINES[framework.removeprefix("dynamo-")]
    text = (run.layout or "").split(" (worker")[0]
    sides = _sides(text)
    apart = framework.startswith("dynamo") or "P " in text or len(sides) == 2
    return Row(
        run=replace(run, model=MODELS[run.model][0]),
        called=run.model,
        origin=origin,
        engine=engine,
        apart=apart,
        version=_version(version.removesuffix(")")),
        sides=sides if len(sides) == (2 if apart else 1) else (),
    )


def layout(found: Row) -> str | None:
    """The layout in words; where the source gives none, how the chips are divided.

    Rows that do not say how many engines they have may differ in it: each is a configuration of its own.
    """
    if not found.sides:
        text = found.run.layout
        return f"{text}, layout not given" if text and text.endswith("chips") else text
    if not found.apart:
        return str(found.sides[0])
    shown = [f"{'?' if s.count is None else s.count}x({s})" for s in found.sides]
    unknown = f", counts not given, at {found.run.concurrency:g}" if _counts_unknown(found) else ""
    return f"P {shown[0]} + D {shown[1]}{unknown}"


def _counts_unknown(found: Row) -> bool:
    return found.apart and any(side.count is None for side in found.sides)


def completed(found: Row, others: list[Row]) -> Row:
    """A row with the expert and attention parallelism of the one layout on as many chips that says more, if any."""
    if not found.sides or any(side.count is None for side in found.sides):
        return found
    fitting = {
        other.sides
        for other in others
        if other.version == found.version
        and other.run.chips == found.run.chips
        and len(other.sides) == len(found.sides)
        and all(a.fits(b) for a, b in zip(found.sides, other.sides, strict=True))
    }
    told = {sides for sides in fitting if all(None not in (side.ep, side.dpa) for side in sides)}
    if len(told) != 1 or found.sides in told:
        return found
    return replace(found, sides=next(iter(told)), filled=True)


def _sides(text: str) -> tuple[Side, ...]:
    parts = re.findall(r"(?:(\d+|\?)?x ?)?\(?((?:DEP|TP)\d+[^)+]*)\)?", text)
    return tuple(_side(count, engine.strip()) for count, engine in parts)


def _side(count: str, engine: str) -> Side:
    number = int(re.match(r"(?:DEP|TP)(\d+)", engine)[1])
    many = int(count) if count.isdecimal() else None
    if engine.startswith("DEP"):
        return Side(many, number, number, number, True)
    expert, ranks = re.search(r"EP(\d+)", engine), re.search(r"DPA(\d+)", engine)
    ep = int(expert[1]) if expert else None
    if ranks:
        # "TP1,DPA4" is one engine on four chips, each attending to requests of its own.
        return Side(many, number, max(number, int(ranks[1])), ep, int(ranks[1]) > 1)
    dpa = "DPA=True" in engine if "DPA=" in engine else None
    return Side(many, number, number, ep, dpa)


def _version(text: str) -> str | None:
    """0.8.1.post2 of an image's name or a bare version."""
    tail = text.rpartition(":")[2].removeprefix("v")
    return re.sub(r"-(cu\d+|runtime)", "", tail) or None


def release(version: str | None) -> str | None:
    """A version without its post-release: 1.2.0rc2 of 1.2.0rc2.post2."""
    return version and version.partition(".post")[0]
