"""What surrounds every page: navigation, style sheet, and the one line that stands where an answer cannot."""

from __future__ import annotations

import html
import logging
import re
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from agentcalc.app import focus, session, unread, waiting
from agentcalc.app.options import pages_folder
from agentcalc.errors import AgentcalcError

PAGES = (
    ("compare", "Compare"),
    ("build", "Build"),
    ("systems", "Systems"),
    ("explore", "Explore"),
    ("import_", "Import"),
    ("present", "Present"),
    ("method", "Method"),
)
"""File and title of each page, in the order of the navigation. One without a file is not in it."""

STYLE = Path(__file__).with_name("style.css")
BROKEN = "This page could not be drawn. The reason is in the program's own log; the other pages still work."

NO_PAGE = "There is no page of this name; showing Compare."
_ADDRESS = re.compile(r"[A-Za-z0-9._~-]{1,80}")

_log = logging.getLogger(__name__)


def show() -> None:
    """Draw the shell and the page that the address asks for."""
    st.html(STYLE)
    pages = [st.Page(path, title=title, url_path=address) for path, title, address in pages_there()]

    def first() -> None:
        # The default page answers only at "/", so it leads on to one that has an address of its own.
        st.switch_page(pages[0], query_params=st.query_params.to_dict())

    def lost() -> None:
        session.tell(NO_PAGE)
        first()

    hidden = [st.Page(first, title="Start", url_path="start", default=True, visibility="hidden")]
    strange = _strange({page.url_path for page in (*pages, *hidden)})
    if strange:
        hidden.append(st.Page(lost, title=strange, url_path=strange, visibility="hidden"))

    # Inside another page (?embed=true) there is no shell: the page stands alone.
    position = "hidden" if st.context.is_embedded else "top"
    here = st.navigation([*pages, *hidden], position=position)
    session.arrive(here.url_path)
    waiting.place(session.go_back)
    focus.place()
    unread.place()
    try:
        here.run()
    except AgentcalcError as error:
        problem(str(error))
    except Exception:
        _log.exception("the page %s failed", here.url_path)
        problem(BROKEN)


def pages_there() -> list[tuple[Path, str, str]]:
    """File, title and address of each page that has a file, in the order of the navigation."""
    folder = pages_folder()
    # "import" is a word of Python's own, so that page's file is import_.py.
    found = [(folder / f"{name}.py", title, name.rstrip("_")) for name, title in PAGES]
    return [(path, title, address) for path, title, address in found if path.is_file()]


def _strange(known: set[str]) -> str:
    """The name of a page that the address asks for and that is not there, or nothing."""
    name = urlsplit(st.context.url or "").path.strip("/").rpartition("/")[2]
    return name if name and name not in known and _ADDRESS.fullmatch(name) else ""


def problem(*lines: str) -> None:
    """Plain lines where the answer would be, one alone in large type; the text may be hostile."""
    with st.container(key="problem"):
        said = "".join(f"<p>{html.escape(line)}</p>" for line in lines)
        st.html(f'<div class="ac-problem" role="alert">{said}</div>')


def notice(lines: tuple[str, ...]) -> None:
    """Plain lines above the answer, such as parts of a link that could not be read; the text may be hostile."""
    if lines:
        st.html("".join(f'<p class="ac-notice" role="status">{html.escape(line)}</p>' for line in lines))
