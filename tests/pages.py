"""A page of the app from the entry script, without a browser: what the tests of several pages ask of it."""

from __future__ import annotations

import html
import re

from streamlit.testing.v1 import AppTest

from agentcalc.app.options import ENTRY, pages_folder
from agentcalc.app.shell import BROKEN


def visit(page: str, **query: str) -> AppTest:
    """A new visit to a page by its address."""
    app = AppTest.from_file(str(ENTRY), default_timeout=60)
    app.run()
    app.query_params.clear()
    for key, value in query.items():
        app.query_params[key] = value
    return well(app.switch_page(str(pages_folder() / f"{page}.py")).run())


def well(app: AppTest) -> AppTest:
    """The page was drawn: no exception, and not the line that hides one."""
    assert not app.exception, app.exception
    assert BROKEN not in text(app)
    return app


def text(app: AppTest) -> str:
    """Everything said in HTML on the page, without tags, with plain spaces."""
    bodies = [element.proto.body for element in app.get("html")]
    joined = " ".join(body for body in bodies if not body.startswith("<style"))
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", joined)).replace("\u00a0", " ").split())


def query(app: AppTest) -> dict[str, str]:
    """What stands in the address."""
    return {key: value[-1] if isinstance(value, list) else value for key, value in app.query_params.items()}


KINDS = (
    "button_group", "selectbox", "select_slider", "multiselect", "number_input", "toggle", "button", "text_input",
)  # fmt: skip


def control(app: AppTest, name: str):
    """The control of a name, whatever its kind, and however often the program has changed it."""
    found = (one for kind in KINDS for one in app.get(kind))
    return next(one for one in found if re.sub(r"^again\d+-", "", one.key or "") == name)


def press(app: AppTest, key: str) -> AppTest:
    """The page after a click on a button."""
    return well(next(b for b in app.button if b.key == key).click().run())
