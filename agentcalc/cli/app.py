"""``agentcalc app``: the calculator in a browser."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
import webbrowser

import click

from agentcalc.errors import Fault, InputError

FIRST_PORT, LAST_PORT = 8501, 8520
START_S = 30.0


@click.command()
@click.option(
    "--port", type=click.IntRange(1, 65535), help=f"Port to serve on (default: the first free from {FIRST_PORT})."
)
@click.option("--host", default="localhost", show_default=True, help="Address to serve on; 0.0.0.0 lets others in.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
def command(port: int | None, host: str, no_browser: bool) -> None:
    """Open the calculator in a browser. It needs no network, and what is entered stays on this computer."""
    from agentcalc.app.options import ENTRY, FLAGS

    port = _port(port, host)
    address = f"http://{'localhost' if host == '0.0.0.0' else host}:{port}"
    asked = [
        f"--server.port={port}",
        f"--server.address={host}",
        "--server.headless=true",
        "--logger.hideWelcomeMessage=true",
        "--logger.level=warning",
    ]
    # -P: a file of the folder it is started in is no library of ours.
    # Being told to end is handled as Ctrl+C is: the server must not stay behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    process = subprocess.Popen([sys.executable, "-P", "-m", "streamlit", "run", str(ENTRY), *FLAGS, *asked])
    try:
        if _answers(process, host, port):
            click.echo(f"agentcalc is at {address} (Ctrl+C stops it)")
            if not no_browser:
                webbrowser.open(address)
        code = process.wait()
    except KeyboardInterrupt:
        code = 0  # the way to end it: no error
    finally:
        # Ctrl+C in a terminal reaches the server too; where it did not, it is told here.
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=10)
    if code:
        raise InputError(Fault("app", "", f"the server ended with code {code}", "its own words stand above"))


def _port(port: int | None, host: str) -> int:
    """The port asked for, or the first free one. Raises InputError when it is in use."""
    if port is not None:
        if _free(host, port):
            return port
        free = next((p for p in range(port + 1, min(port + 20, 65536)) if _free(host, p)), None)
        remedy = f"use --port {free}" if free else "choose another with --port"
        raise InputError(
            Fault(f"port {port}", "", f"it is in use or not allowed on {host}", f"{remedy}, or stop what uses it")
        )
    for found in range(FIRST_PORT, LAST_PORT + 1):
        if _free(host, found):
            return found
    raise InputError(Fault("port", "", f"{FIRST_PORT} to {LAST_PORT} are in use", "choose another with --port"))


def _free(host: str, port: int) -> bool:
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError:
        return False
    return True


def _answers(process: subprocess.Popen, host: str, port: int) -> bool:
    """Waits until the server takes connections; False when it ended or took too long."""
    until = time.monotonic() + START_S
    while process.poll() is None and time.monotonic() < until:
        try:
            with socket.create_connection(("localhost" if host == "0.0.0.0" else host, port), timeout=1):
                return True
        except OSError:
            time.sleep(0.1)
    return False
