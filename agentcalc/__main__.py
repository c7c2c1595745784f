"""``python -m agentcalc`` and the ``agentcalc`` command."""

from __future__ import annotations


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    try:
        from agentcalc.cli import main as command
    except KeyboardInterrupt:  # so early that the command line itself is not there to say it
        raise SystemExit(130) from None

    command.cli(prog_name="agentcalc")


if __name__ == "__main__":
    main()
