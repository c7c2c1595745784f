"""A fresh server on a port of its own, of this machine only, and what it takes of the machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTRY = ROOT / "agentcalc" / "app" / "main.py"
START_S = 120
MIB = 2**20


@dataclass(frozen=True)
class Server:
    """address: http, without a path; process: the server's own; log: all it said."""

    address: str
    process: subprocess.Popen
    log: Path

    def memory_mib(self) -> float:
        """Resident memory now, MiB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / MIB

    def cpu_s(self) -> float:
        """Processor seconds it has taken since it started."""
        parts = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    def healthy(self, timeout: float = 5.0) -> bool:
        """Whether it answers."""
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=timeout) as answer:
                return answer.read().strip() == b"ok"
        except (OSError, urllib.error.URLError):
            return False


@contextmanager
def serving(folder: Path, *flags: str, entry: Path = ENTRY) -> Iterator[Server]:
    """A server started from a folder that has no settings of its own. Raises RuntimeError when it does not start."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "server.log"
    asked = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true", *flags]
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(entry), *asked], cwd=folder, stdout=out, stderr=out
        )
    server = Server(f"http://127.0.0.1:{port}", process, log)
    try:
        until = time.monotonic() + START_S
        while not server.healthy(2):
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"the server did not start; it said: {log.read_text()[-2000:]}")
            time.sleep(0.1)
        yield server
    finally:
        process.terminate()
        process.wait(timeout=20)
