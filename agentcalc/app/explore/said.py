"""What the page says, as HTML. No Streamlit."""

from __future__ import annotations

import re

from agentcalc.app.explore.asked import Asked
from agentcalc.app.explore.found import Found
from agentcalc.app.words import esc


def head(found: Found, asked: Asked) -> str:
    """The sentence with both systems' names in their colours, what was changed, and the lines under it."""
    lines = [("changed", asked.changed), *(("why" if i == 0 else "so", line) for i, line in enumerate(found.why))]
    rest = "".join(f'<p class="ac-{kind}">{esc(text)}</p>' for kind, text in lines if text)
    return f'<h1 class="ac-answer ac-explore">{coloured(found.sentence, asked.names)}</h1>{rest}'


def coloured(text: str, names: tuple[str, str]) -> str:
    """Escaped text in which the first mention of baseline and candidate stands in that system's colour."""
    roles = {esc(name): role for name, role in zip(names, ("baseline", "candidate"), strict=True)}
    # The longer name first: "GB300 with MTP" is not GB300.
    any_name = "|".join(re.escape(name) for name in sorted(roles, key=len, reverse=True))
    told: set[str] = set()

    def one(match: re.Match) -> str:
        name = match[0]
        if name in told:
            return name
        told.add(name)
        return f'<span class="ac-{roles[name]}">{name}</span>'

    return re.sub(rf"(?<!\w)(?:{any_name})(?!\w)", one, esc(text)) if all(roles) else esc(text)
