"""The files of this visit: read once, kept until they are taken away. Nothing of them is kept on the server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from agentcalc.app import waiting
from agentcalc.app.importing import files
from agentcalc.app.importing.examples import EXAMPLES
from agentcalc.app.importing.files import MOST_FILES, Found

_DESK = "import"
_FILES = "import_files"


@dataclass
class Desk:
    """found: what is in each file; left_out: files beyond the most that are read at once; example: which of the
    examples this is; typed: what was written into fields of the page, by field; drops: how often files came or went;
    made: what was made of them last, under what it was made of.
    """

    found: tuple[Found, ...] = ()
    left_out: int = 0
    example: str | None = None
    typed: dict[str, Any] = field(default_factory=dict)
    changed: bool = False
    read: dict[str, Found] = field(default_factory=dict)
    epoch: int = 0
    drops: int = 0
    made: tuple[Any, Any] | None = None


def desk() -> Desk:
    """The files of this visit; at first none."""
    return st.session_state.setdefault(_DESK, Desk())


def uploader_key() -> str:
    """The uploader's key: another one after everything was taken away, so that it is empty too."""
    return f"{_FILES}-{desk().epoch}"


def dropped() -> None:
    """Files came or went."""
    desk().changed = True


def take(uploaded: list) -> None:
    """Read the files that came, a few at a time, and forget those that went. It says how far it is, and may be
    cancelled.
    """
    here = desk()
    if not here.changed:
        # After a visit to another page the uploader is empty; what was read is not gone for that.
        return
    # From here on, so that reading which is cancelled does not begin again by itself.
    here.changed = False
    some = uploaded[:MOST_FILES]
    new = [(file.file_id, file.name, file.getvalue()) for file in some if file.file_id not in here.read]

    def work(progress: waiting.Progress) -> dict[str, Found]:
        found = {}
        for at, (number, name, data) in enumerate(new):
            progress(at, len(new))
            found[number] = files.understand(data, name)
        return found

    if new:
        here.read |= waiting.patiently(work, "Reading files")
    here.read = {file.file_id: here.read[file.file_id] for file in some}
    here.found, here.left_out = tuple(here.read.values()), len(uploaded) - len(some)
    # What was said of all files stays true when one more comes; of single ones and of systems it may not.
    here.typed = {name: here.typed[name] for name in ("hardware", "chips") if name in here.typed}
    here.example, here.drops = None, here.drops + 1


def unread(uploaded: list) -> int:
    """How many of the files that lie there were not read, since reading was cancelled."""
    return sum(file.file_id not in desk().read for file in uploaded[:MOST_FILES])


def try_example(name: str) -> None:
    """Read the files of an example in place of everything there is."""
    forget()
    here = desk()
    here.found = tuple(files.understand(data, file) for file, data in EXAMPLES[name].files())
    here.example = name


def forget() -> None:
    """Take everything away."""
    st.session_state[_DESK] = Desk(epoch=desk().epoch + 1, drops=desk().drops + 1)
