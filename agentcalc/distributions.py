"""Amounts: a number or a distribution, each of which turns uniform numbers into draws.

A distribution is written by its keys: ``{p50, p90}`` (two or more quantiles), ``{mean, sd}`` (lognormal), ``{low,
high}`` (uniform), ``{low, mode, high}`` (PERT), ``{values, weights}``, ``{mixture: [{weight, ...}]}``. Any of them
may carry ``max``, where draws stop. Without it draws of an endless shape stop at its 99.9th percentile; a shape with
an end of its own (uniform, PERT, values) stops there.

Each draw is a pure function of one uniform number in (0, 1): ``amount.draw(u)``; shapes in, shapes out.
"""

from __future__ import annotations

import math
import re
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    Tag,
    model_serializer,
    model_validator,
)

from agentcalc.normal import as241, normal_score
from agentcalc.provenance import Frozen
from agentcalc.units import parse_duration_s

STOP = 0.999
"""Without ``max``, draws of an endless distribution stop at this quantile."""

LARGEST, SMALLEST = 1e12, 1e-9
"""Amounts beyond are slips or attacks: 1e12 s are 32,000 years. Between them sums and squares stay finite."""
MOST_PARTS = 200
"""Parts of a mixture, values of a choice: each costs time in every draw."""


def _score(p: float) -> float:
    return float(as241(np.array([p]))[0])


class _Shape(Frozen):
    """What every distribution can do. Subclasses give ``at`` (the draw before it is stopped) and, if they end,
    ``end``.
    """

    # cached_property needs a place of its own beside the frozen fields
    model_config = ConfigDict(ignored_types=(cached_property,))

    max: Annotated[float, Field(ge=SMALLEST, le=LARGEST)] | None = None

    def at(self, u: np.ndarray) -> np.ndarray:
        raise TypeError(f"{type(self).__name__} does not say how it draws")

    @property
    def end(self) -> float | None:
        """Where the shape ends by itself; None when it does not."""
        return None

    @cached_property
    def top(self) -> float:
        """The largest draw: ``max``, else the shape's own end, else its 99.9th percentile."""
        if self.max is not None:
            return self.max
        return self.end if self.end is not None else float(self.at(np.array([STOP]))[0])

    def draw(self, u: np.ndarray) -> np.ndarray:
        """Draws for uniform numbers u in (0, 1), stopped at ``top``; same shape."""
        return np.minimum(self.at(u), self.top)

    @property
    def fixed(self) -> float | None:
        """The one value of an amount that needs no draw; None for a distribution."""
        return None

    @property
    def writes_zero(self) -> bool:
        """Whether a 0 is written, so that counts of 0 are meant."""
        return False

    def scaled(self, k: float) -> _Shape:
        """The same distribution of k times the amount; k > 0."""
        raise TypeError(f"{type(self).__name__} does not say how it scales")

    def _scaled_max(self, k: float) -> float | None:
        return None if self.max is None else self.max * k


def _reachable(value: float) -> float:
    if 0 < value < SMALLEST:
        raise ValueError(f"{value:g} is too small to matter; write 0, or {SMALLEST:g} or more")
    return value


class Fixed(RootModel[Annotated[float, Field(ge=0, le=LARGEST, allow_inf_nan=False), AfterValidator(_reachable)]]):
    """A plain number."""

    model_config = ConfigDict(frozen=True, strict=True)

    @property
    def fixed(self) -> float | None:
        return self.root

    @property
    def writes_zero(self) -> bool:
        return self.root == 0

    @property
    def top(self) -> float:
        return self.root

    def draw(self, u: np.ndarray) -> np.ndarray:
        return np.full(np.shape(u), self.root)

    at = draw

    @property
    def end(self) -> float:
        return self.root

    def scaled(self, k: float) -> Fixed:
        return Fixed(self.root * k)


_QUANTILE = re.compile(r"^p(\d{1,2}(?:\.\d+)?)$")


class Quantiles(_Shape):
    """Two or more quantiles: log value linear in normal score, end slopes continued. Two make a lognormal.

    Written ``{p50: 214, p90: 1700}``; held as ((percent, value), ...) in rising order.
    """

    points: tuple[tuple[float, float], ...]

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "points" in data:
            return data
        rest = {key: value for key, value in data.items() if not _QUANTILE.match(str(key))}
        found = {float(_QUANTILE.match(k)[1]): v for k, v in data.items() if _QUANTILE.match(str(k))}
        for percent, value in found.items():
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not value > 0:
                raise ValueError(f"p{percent:g} must be a number above 0")
            if not SMALLEST <= value <= LARGEST:
                raise ValueError(f"p{percent:g} must lie from {SMALLEST:g} to {LARGEST:g}")
        return {**rest, "points": tuple(sorted((p, float(v)) for p, v in found.items()))}

    @model_validator(mode="after")
    def _check(self) -> Quantiles:
        percents, values = zip(*self.points, strict=True) if self.points else ((), ())
        if len(self.points) < 2:
            raise ValueError("one quantile does not make a distribution; give two such as p50 and p90")
        if not all(0 < p < 100 for p in percents):
            raise ValueError("quantiles lie between p0 and p100, both excluded")
        if any(a > b for a, b in pairwise(values)):
            raise ValueError("quantiles must not fall: " + ", ".join(f"p{p:g} is {v:g}" for p, v in self.points))
        if self.max is not None and self.max < values[0]:
            raise ValueError(f"max {self.max:g} is below p{percents[0]:g} {values[0]:g}; leave max out or raise it")
        if self.max is None and not self.top <= LARGEST:
            raise ValueError("the quantiles rise so steeply that draws have no end; give a max")
        return self

    @model_serializer
    def _write(self) -> dict[str, float]:
        # Every digit, and never an exponent: the key must read back as the same quantile.
        written = {f"p{np.format_float_positional(percent, trim='-')}": value for percent, value in self.points}
        return written if self.max is None else {**written, "max": self.max}

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        positive = {"type": "number", "exclusiveMinimum": 0}
        return {
            "type": "object",
            "title": "Quantiles",
            "description": "Two or more quantiles, such as p50 and p90.",
            "patternProperties": {r"^p\d{1,2}(\.\d+)?$": positive},
            "properties": {"max": positive},
            "additionalProperties": False,
            "minProperties": 2,
        }

    def at(self, u: np.ndarray) -> np.ndarray:
        scores, logs, slopes = _log_lines(self.points)
        z = normal_score(u)
        if len(slopes) == 1:
            z *= slopes[0]
            z += logs[0] - slopes[0] * scores[0]
        else:
            # Each inner knot bends the line from there on by the change of slope.
            bent = (z - scores[0]) * slopes[0] + logs[0]
            for knot, change in zip(scores[1:-1], np.diff(slopes), strict=True):
                bent += np.maximum(z - knot, 0.0) * change
            z = bent
        return np.exp(z, out=z)

    def scaled(self, k: float) -> Quantiles:
        return Quantiles(points=tuple((p, v * k) for p, v in self.points), max=self._scaled_max(k))


# Arrays are kept here and not on the models, whose equality must stay that of their fields.
@lru_cache(maxsize=4096)
def _log_lines(points: tuple[tuple[float, float], ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Normal scores and logarithms of quantiles, and the slopes between them."""
    scores = np.array([_score(percent / 100) for percent, _ in points])
    logs = np.log([value for _, value in points])
    return scores, logs, np.diff(logs) / np.diff(scores)


class MeanSd(_Shape):
    """Lognormal with this mean and standard deviation (before draws are stopped)."""

    mean: Annotated[float, Field(ge=SMALLEST, le=LARGEST)]
    sd: Annotated[float, Field(ge=0, le=LARGEST)]

    @model_validator(mode="after")
    def _check(self) -> MeanSd:
        if self.sd > 1e6 * self.mean:
            raise ValueError(f"sd {self.sd:g} is more than a million times mean {self.mean:g}; lower it")
        return self

    def at(self, u: np.ndarray) -> np.ndarray:
        variance = math.log1p((self.sd / self.mean) ** 2)
        return np.exp(math.log(self.mean) - variance / 2 + math.sqrt(variance) * normal_score(u))

    def scaled(self, k: float) -> MeanSd:
        return MeanSd(mean=self.mean * k, sd=self.sd * k, max=self._scaled_max(k))


class _Between(_Shape):
    low: Annotated[float, Field(ge=0, le=LARGEST)]
    high: Annotated[float, Field(ge=0, le=LARGEST)]

    @property
    def end(self) -> float | None:
        return self.high

    @property
    def writes_zero(self) -> bool:
        return self.low == 0

    @model_validator(mode="after")
    def _order(self) -> _Between:
        if self.low > self.high:
            raise ValueError(f"low {self.low:g} is above high {self.high:g}; exchange them")
        return self


class Uniform(_Between):
    """Every amount from low to high alike."""

    def at(self, u: np.ndarray) -> np.ndarray:
        return self.low + (self.high - self.low) * np.asarray(u, dtype=float)

    def scaled(self, k: float) -> Uniform:
        return Uniform(low=self.low * k, high=self.high * k, max=self._scaled_max(k))


class Pert(_Between):
    """PERT: beta between low and high with weight 4 on the mode (Malcolm et al., Operations Research 7, 1959)."""

    mode: Annotated[float, Field(ge=0, le=LARGEST)]

    @model_validator(mode="after")
    def _check_mode(self) -> Pert:
        if not self.low <= self.mode <= self.high:
            raise ValueError(f"mode {self.mode:g} must lie between low {self.low:g} and high {self.high:g}")
        return self

    def at(self, u: np.ndarray) -> np.ndarray:
        if self.high == self.low:
            return np.full(np.shape(u), self.low)
        return self.low + (self.high - self.low) * np.interp(u, *_pert_table(self.low, self.mode, self.high))

    def scaled(self, k: float) -> Pert:
        return Pert(low=self.low * k, mode=self.mode * k, high=self.high * k, max=self._scaled_max(k))


@lru_cache(maxsize=1024)
def _pert_table(low: float, mode: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Cumulative probability over the unit interval: the beta density summed by Simpson's rule on 4,096 steps."""
    a = 1 + 4 * (mode - low) / (high - low)
    b = 1 + 4 * (high - mode) / (high - low)
    x = np.linspace(0.0, 1.0, 8193)
    density = x ** (a - 1) * (1 - x) ** (b - 1)
    cumulative = np.concatenate([[0.0], np.cumsum(density[:-2:2] + 4 * density[1:-1:2] + density[2::2])])
    return cumulative / cumulative[-1], x[::2]


def _check_weights(weights: tuple[float, ...]) -> tuple[float, ...]:
    if any(w < 0 for w in weights) or sum(weights) <= 0:
        raise ValueError("weights must be 0 or more and not all 0")
    if max(weights) > LARGEST or max(weights) < SMALLEST:
        raise ValueError(f"the largest weight must lie from {SMALLEST:g} to {LARGEST:g}; they need not add up to 1")
    return weights


Weights = Annotated[tuple[float, ...], Field(strict=False)]


class Values(_Shape):
    """One of some values; weights need not add up to 1, and none mean all alike."""

    values: Annotated[
        tuple[Annotated[float, Field(ge=0, le=LARGEST)], ...], Field(strict=False, min_length=1, max_length=10_000)
    ]
    weights: Weights | None = None

    @model_validator(mode="after")
    def _check(self) -> Values:
        if self.weights is not None:
            _check_weights(self.weights)
            if len(self.weights) != len(self.values):
                raise ValueError(f"{len(self.values)} values need {len(self.values)} weights, not {len(self.weights)}")
        return self

    @property
    def end(self) -> float | None:
        return max(self.values)

    @property
    def writes_zero(self) -> bool:
        return 0 in self.values

    def at(self, u: np.ndarray) -> np.ndarray:
        shares = np.ones(len(self.values)) if self.weights is None else np.array(self.weights)
        return np.array(self.values)[pick(u, shares)[0]]

    def scaled(self, k: float) -> Values:
        return Values(values=tuple(v * k for v in self.values), weights=self.weights, max=self._scaled_max(k))


def pick(u: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of some weighted things each u chooses, and u made uniform again within the chosen one; shapes of u."""
    edges = np.concatenate([[0.0], np.cumsum(weights) / np.sum(weights)])
    chosen = np.minimum(np.searchsorted(edges, u, side="right") - 1, len(weights) - 1)
    # A thing of weight 0 has an empty interval, which "right" steps over.
    width = edges[chosen + 1] - edges[chosen]
    within = (u - edges[chosen]) / np.where(width > 0, width, 1.0)
    return chosen, np.clip(within, 2.0**-54, 1 - 2.0**-53)


class Mixture(_Shape):
    """A weighted mixture; each part is an amount with a ``weight``. A part stops only at a ``max`` of its own."""

    mixture: Annotated[tuple[Part, ...], Field(strict=False, min_length=1, max_length=MOST_PARTS)]

    @model_validator(mode="after")
    def _check(self) -> Mixture:
        _check_weights(tuple(part.weight for part in self.mixture))
        return self

    @property
    def end(self) -> float | None:
        ends = [part.amount.end if _own_max(part.amount) is None else part.amount.top for part in self.mixture]
        return None if None in ends else max(ends)

    @property
    def writes_zero(self) -> bool:
        return any(part.amount.writes_zero for part in self.mixture)

    def at(self, u: np.ndarray) -> np.ndarray:
        u = np.asarray(u, dtype=float)
        chosen, within = pick(u, np.array([part.weight for part in self.mixture]))
        drawn = np.empty(u.shape)
        for index, part in enumerate(self.mixture):
            here = chosen == index
            drawn[here] = _stopped_by_own_max(part.amount, within[here])
        return drawn

    @cached_property
    def top(self) -> float:
        if self.max is not None:
            return self.max
        return self.end if self.end is not None else self._quantile(STOP)

    def _quantile(self, p: float) -> float:
        """The mixture's p-quantile, by search over a grid of amounts that narrows."""
        shares = np.array([part.weight for part in self.mixture])
        ends = np.array([1e-12, 1 - 1e-12])
        spread = np.concatenate([_stopped_by_own_max(part.amount, ends) for part in self.mixture])
        low, high = max(float(spread.min()) / 2, 1e-12), float(spread.max()) * 2
        while high / low > 1 + 1e-12:
            grid = np.geomspace(low, high, 65)[1:]
            below = sum(w * _share_below(part.amount, grid) for w, part in zip(shares, self.mixture, strict=True))
            at = min(int(np.searchsorted(below, p * shares.sum())), len(grid) - 1)
            low, high = (float(grid[at - 1]) if at else low), float(grid[at])
        return high

    def scaled(self, k: float) -> Mixture:
        parts = tuple(Part.of(part.weight, part.amount.scaled(k)) for part in self.mixture)
        return Mixture(mixture=parts, max=self._scaled_max(k))


def _own_max(amount: Amount) -> float | None:
    return getattr(amount, "max", None)


def _stopped_by_own_max(amount: Amount, u: np.ndarray) -> np.ndarray:
    own = _own_max(amount)
    drawn = amount.at(u)
    return drawn if own is None else np.minimum(drawn, own)


def _share_below(amount: Amount, x: np.ndarray) -> np.ndarray:
    """The share of draws at or below each x, by bisection over uniform numbers."""
    low, high = np.zeros(x.shape), np.ones(x.shape)
    for _ in range(50):
        middle = (low + high) / 2
        inside = _stopped_by_own_max(amount, middle) <= x
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low


_KINDS = {
    "quantiles": Quantiles,
    "mean_sd": MeanSd,
    "uniform": Uniform,
    "pert": Pert,
    "values": Values,
    "mixture": Mixture,
}


def _kind(data: Any) -> str | None:
    """Which shape is written, by its keys; None when it cannot be told."""
    if isinstance(data, Fixed):
        return "number"
    for name, shape in _KINDS.items():
        if isinstance(data, shape):
            return name
    if not isinstance(data, dict):
        return "number"
    keys = {str(key) for key in data}
    if "mixture" in keys:
        return "mixture"
    if keys & {"values", "weights"}:
        return "values"
    if keys & {"mean", "sd"}:
        return "mean_sd"
    if "mode" in keys:
        return "pert"
    if keys & {"low", "high"}:
        return "uniform"
    if any(_QUANTILE.match(key) for key in keys) or "points" in keys:
        return "quantiles"
    return None


Amount = Annotated[
    Annotated[Fixed, Tag("number")]
    | Annotated[Quantiles, Tag("quantiles")]
    | Annotated[MeanSd, Tag("mean_sd")]
    | Annotated[Uniform, Tag("uniform")]
    | Annotated[Pert, Tag("pert")]
    | Annotated[Values, Tag("values")]
    | Annotated[Mixture, Tag("mixture")],
    Discriminator(
        _kind,
        custom_error_type="amount",
        custom_error_message=(
            "it is not an amount; write a number or a distribution such as {p50, p90}, {mean, sd}, {low, high}, "
            "{low, mode, high}, {values, weights} or {mixture}"
        ),
    ),
]


class Part(Frozen):
    """One part of a mixture: the keys of its amount beside ``weight``; a fixed part is ``{weight, value}``."""

    weight: Annotated[float, Field(ge=0)]
    amount: Amount

    @classmethod
    def of(cls, weight: float, amount: Any) -> Part:
        return cls(weight=weight, amount=amount)

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "amount" in data or "weight" not in data:
            return data
        rest = {key: value for key, value in data.items() if key != "weight"}
        return {"weight": data["weight"], "amount": rest["value"] if list(rest) == ["value"] else rest}

    @model_serializer
    def _write(self) -> dict[str, Any]:
        if isinstance(self.amount, Fixed):
            return {"weight": self.weight, "value": self.amount.root}
        return {"weight": self.weight, **self.amount.model_dump(exclude_none=True)}

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "title": "Part",
            "description": "A weight beside the keys of a distribution, or beside value for a fixed part.",
            "properties": {"weight": {"type": "number", "minimum": 0}},
            "required": ["weight"],
            "minProperties": 2,
        }


Mixture.model_rebuild()


def _durations(data: Any) -> Any:
    """Durations written with a unit, anywhere in an amount of seconds, as seconds."""
    if isinstance(data, str):
        return parse_duration_s(data)
    if isinstance(data, dict):
        return {k: v if k in ("weight", "weights") else _durations(v) for k, v in data.items()}
    if isinstance(data, list):
        return [_durations(item) for item in data]
    return data


Seconds = Annotated[Amount, BeforeValidator(_durations)]
"""An amount of seconds; durations may carry a unit."""

Tokens = Amount
"""An amount of tokens; draws become whole numbers, see :func:`whole`."""


def whole(amount: Amount, drawn: np.ndarray) -> np.ndarray:
    """Draws as whole numbers >= 1, or >= 0 where the amount writes a 0; same shape."""
    return np.maximum(np.rint(drawn), 0.0 if amount.writes_zero else 1.0)
