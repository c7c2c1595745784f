"""Puts the app's pages into a wheel, as agentcalc/_pages; an editable install reads them where they are, in pages/."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Pages(BuildHookInterface):
    """The build hook named in pyproject.toml."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the pages to what is packed; version is "editable" for a checkout in use, else "standard"."""
        if version == "standard":
            build_data["force_include"]["pages"] = "agentcalc/_pages"
