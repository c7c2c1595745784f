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
        """Resident memory of it and of the processes it began, now, MiB."""
        pages = (int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self._all())
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / MIB

    def cpu_s(self) -> float:
        """Processor seconds that they have taken since they started."""
        ticks = (sum(int(part) for part in _stat(pid)[11:13]) for pid in self._all())
        return sum(ticks) / os.sysconf("SC_CLK_TCK")

    def _all(self) -> list[int]:
        """The server and the processes that it began."""
        every = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
        own = self.process.pid
        return [own, *(pid for pid in every if _stat(pid)[1:2] == [str(own)])]

    def healthy(self, timeout: float = 5.0) -> bool:
        """Whether it answers."""
        try:
            with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=timeout) as answer:
                return answer.read().strip() == b"ok"
        except (OSError, urllib.error.URLError):
            return False


def _stat(pid: int) -> list[str]:
    """What the kernel says of a process, from its state on; empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


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
