"""Defaults that the command line, Python and the app share."""

TRIALS = 40_000
"""So many trials make a headline's last digit sure: the median of ``coding-agent`` to about half a second."""

SEED = 7
