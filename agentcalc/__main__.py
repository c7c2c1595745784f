"""``python -m agentcalc`` and the ``agentcalc`` command."""

from __future__ import annotations


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    from agentcalc.cli import main as command

    command.cli(prog_name="agentcalc")


if __name__ == "__main__":
    main()
