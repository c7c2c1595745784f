"""A time on a command line."""

from __future__ import annotations

import click


class Seconds(click.ParamType):
    """Seconds as a number, or a number and a unit: ``60``, ``60s``, ``5 min``, ``1h``."""

    name = "time"

    def convert(self, value, param, ctx):
        if isinstance(value, float):
            return value
        from agentcalc.units import parse_duration_s

        try:
            return float(value)
        except ValueError:
            pass
        try:
            return parse_duration_s(value)
        except ValueError as error:
            self.fail(f"'{value[:80]}': {error}.", param, ctx)
