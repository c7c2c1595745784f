"""What a reader is told about a file that cannot be shown. No Streamlit."""

from __future__ import annotations

from agentcalc import documents
from agentcalc.errors import AgentcalcError, InputError, echo

MOST_LINES = 5
"""Faults of one file that are told; the others are counted."""

A_SYSTEM = (
    "{name} is a system, and this page opens tasks. Systems are compared on the command line: "
    "agentcalc compare TASK --system FILE"
)


def lines(error: AgentcalcError, data: bytes, name: str) -> tuple[str, ...]:
    """One line for each fault of a file, the first five and a count of the others; data: its bytes, name: its name."""
    if _is_system(data):
        return (A_SYSTEM.format(name=echo(name)),)
    faults = error.faults if isinstance(error, InputError) else (error,)
    more = len(faults) - MOST_LINES
    return (*(str(fault) for fault in faults[:MOST_LINES]), *([f"… and {more} more."] if more > 0 else []))


def _is_system(data: bytes) -> bool:
    try:
        return documents.kind_of(documents.load(data)) == "system"
    except InputError:
        return False
