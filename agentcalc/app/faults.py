"""What a reader is told about a file that cannot be shown. No Streamlit."""

from __future__ import annotations

from agentcalc.errors import AgentcalcError, InputError

MOST_LINES = 5
"""Faults of one file that are told; the others are counted."""


def lines(error: AgentcalcError) -> tuple[str, ...]:
    """One line for each fault of a file, the first five and a count of the others."""
    faults = error.faults if isinstance(error, InputError) else (error,)
    more = len(faults) - MOST_LINES
    return (*(str(fault) for fault in faults[:MOST_LINES]), *([f"… and {more} more."] if more > 0 else []))
