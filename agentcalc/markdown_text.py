"""Names and sentences inside Markdown: they stay what they are, whatever signs they hold."""

from __future__ import annotations

import re

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_SIGNS = re.compile(r"[\\`*|\[\]~$]|!(?=\[)")
_UNDERLINES = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
"""Those that may set words in italics; between letters, as in ``tok_s_user``, they never do."""
_ADDRESSES = re.compile(r":(?=//)|(?<=www)\.|(?<=[A-Za-z0-9._+-])@(?=[A-Za-z0-9-]+\.)", re.IGNORECASE)
"""The sign in the middle of what would become a link by itself."""
_STARTS = re.compile(r"^(\s*[0-9]*)([#+.)-](?=[\s#]|$)|[-=](?=[-=]*\s*$))")
"""What makes a heading, a list or a rule of a line that begins with it."""


def safe(text: str) -> str:
    """Text in one line whose signs mean nothing in Markdown: no cell, link, picture, italics, code, formula or HTML."""
    line = " ".join(text.splitlines())
    line = "".join(_ENTITIES.get(sign, sign) for sign in line)
    line = _SIGNS.sub(lambda found: f"\\{found[0]}", line)
    for pattern in (_UNDERLINES, _ADDRESSES):
        line = pattern.sub(lambda found: f"\\{found[0]}", line)
    return _STARTS.sub(r"\1\\\2", line)
