"""Where the app is and how it is started, as plain data: for ``agentcalc app``, without Streamlit.

The settings themselves stand in ``.streamlit/config.toml`` beside the entry script, which Streamlit reads from there
however it is started. ``FLAGS`` repeats those that must hold even where the environment says otherwise.
"""

from __future__ import annotations

from pathlib import Path

ENTRY = Path(__file__).with_name("main.py")
"""The script to run: ``streamlit run ENTRY``."""

MOST_UPLOAD_MB = 5
"""Of a task, a system or a scenario."""

MOST_BENCHMARK_MB = 20
"""Of a benchmark's result, which may hold every request of a run. The server takes no file that is larger."""

FLAGS = (
    "--browser.gatherUsageStats=false",
    "--client.toolbarMode=minimal",
    "--client.showErrorDetails=none",
    f"--server.maxUploadSize={MOST_BENCHMARK_MB}",
)
"""Flags after ``streamlit run ENTRY``: nothing is sent anywhere, no menus of a developer, no traceback on a page."""


def pages_folder() -> Path:
    """The folder of the pages: ``agentcalc/_pages`` in a wheel, ``pages`` beside the package in a checkout."""
    package = Path(__file__).resolve().parent.parent
    packed = package / "_pages"
    return packed if packed.is_dir() else package.parent / "pages"
