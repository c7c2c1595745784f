"""Settings for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# A busy machine is slow and not wrong, so no example has a time limit. Where a change is checked for landing,
# examples are the same on every run and a failure is about the change; elsewhere they are new each time
# and keep finding things.
settings.register_profile("own machine", deadline=None)
settings.register_profile("checks", deadline=None, derandomize=True)
settings.load_profile("checks" if os.environ.get("CI") else "own machine")
