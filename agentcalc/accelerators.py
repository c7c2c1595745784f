"""What a chip draws and what an hour of it costs, as somebody states it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from agentcalc.errors import Fault, NotFoundError
from agentcalc.provenance import Frozen, Id, Line, Name, Number

Basis = Literal["tdp", "all-in"]
"""Which power work is divided by: the chip's own (tdp), or everything around it too (all-in). Never mixed."""

BASIS_WORDS = {"tdp": "package TDP", "all-in": "all-in power"}


class Prices(Frozen):
    """US dollars for an hour of one chip, by who sells it; None: nobody says."""

    hyperscaler: Number | None = None
    neocloud: Number | None = None
    rental: Number | None = None

    @model_validator(mode="after")
    def _check(self) -> Prices:
        for tier, price in self.known().items():
            if price.unit != "USD/h":
                raise ValueError(f"the {tier} price is in {price.unit}; use USD/h, for one chip")
        return self

    def known(self) -> dict[str, Number]:
        """The prices that somebody states, by tier."""
        tiers = {tier: getattr(self, tier) for tier in ("hyperscaler", "neocloud", "rental")}
        return {tier: price for tier, price in tiers.items() if price is not None}


class Accelerator(Frozen):
    """One chip: its own power (W), its power with its share of host, network and cooling (kW), its prices.

    A system names it by its label, such as ``accelerator: GB200``.
    """

    id: Id
    label: Name
    vendor: Name
    tdp: Number
    all_in: Number | None = None
    prices: Prices = Prices()
    notes: Annotated[tuple[Line, ...], Field(strict=False)] = ()

    @model_validator(mode="after")
    def _check(self) -> Accelerator:
        if self.tdp.unit != "W":
            raise ValueError(f"tdp is in {self.tdp.unit}; use W")
        if self.all_in is not None and self.all_in.unit != "kW":
            raise ValueError(f"all_in is in {self.all_in.unit}; use kW")
        if min(self.tdp.value, self.all_in.value if self.all_in else 1.0) == 0:
            raise ValueError("a power of 0 was never stated; leave the accelerator out")
        return self

    def power(self, basis: Basis) -> Number:
        """The stated power on a basis. Raises NotFoundError where nobody states it."""
        found = self.tdp if basis == "tdp" else self.all_in
        if found is None:
            what = f"no {BASIS_WORDS[basis]} is stated for {self.label}"
            raise NotFoundError(Fault(f"accelerator {self.label}", "", what, "use the basis tdp"))
        return found

    def power_kw(self, basis: Basis) -> float:
        """Kilowatts of one chip on a basis. Raises NotFoundError where nobody states them."""
        found = self.power(basis)
        return found.value / 1000 if found.unit == "W" else found.value

    def numbers(self) -> tuple[tuple[str, Number], ...]:
        """Every number, by name: tdp, all_in, and the prices by tier."""
        found = [("tdp", self.tdp), ("all_in", self.all_in)]
        found += [(f"prices.{tier}", price) for tier, price in self.prices.known().items()]
        return tuple((name, number) for name, number in found if number is not None)
