"""Where a result goes: the terminal, or a file that is complete or not there."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from agentcalc.errors import Fault, InputError, echo

STDOUT = "-"
PICTURES = {".png", ".svg", ".pdf", ".html", ".jpg", ".jpeg", ".pptx"}

to_file = click.option("-o", "--output", metavar="FILE", help="Write to this file instead of the terminal.")


def check_writable(output: str | None) -> None:
    """Raises InputError when a file could not be written there, before any time is spent on what would go in."""
    if output in (None, STDOUT):
        return
    path = Path(output)
    try:
        if path.is_dir() or output.endswith(("/", os.sep)):
            raise InputError(Fault(output, "", "it is a folder", "name a file in it"))
        if not path.parent.is_dir():
            raise InputError(Fault(output, "", f"there is no folder '{path.parent}'", "make it first, or name another"))
        if path.is_symlink() and not path.exists():
            with contextlib.suppress(FileNotFoundError):  # a link to a file that is not there yet may be written
                path.stat()
        if not os.access(path.parent if not path.exists() else path, os.W_OK):
            raise InputError(Fault(output, "", "it may not be written", "name another file"))
    except (OSError, ValueError) as error:
        raise InputError(Fault(echo(output), "", _reason(error), "name another file")) from error


def check_writable_folder(output: str) -> None:
    """Raises InputError where files could not be written into a folder, which need not be there yet."""
    path = Path(output)
    if path.exists() and not path.is_dir():
        raise InputError(Fault(output, "", "it is a file", "name a folder"))
    check_writable(str(path / "figure.png" if path.is_dir() else path))


def check_text(output: str | None, what: str, remedy: str = "Name a .txt, .json, .csv or .md file") -> None:
    """Raises InputError, before any work, for a file that cannot be written or should hold a picture."""
    check_writable(output)
    if output and Path(output).suffix.lower() in PICTURES:
        raise InputError(Fault(output, "", f"{what} is written as text", remedy))


def put(text: str, output: str | None) -> None:
    """Text, ended with one line break, to the terminal or a file: all of it, or the file stays as it was."""
    text = text.rstrip("\n") + "\n"
    if output in (None, STDOUT):
        if sys.stdout is None:
            raise InputError(
                Fault("output", "", "it cannot be written (the terminal is closed)", "name a file with -o")
            )
        click.echo(text, nl=False)
    else:
        _write(text.encode(), output)


def put_bytes(data: bytes, output: str) -> None:
    """The same for bytes; ``-`` is the terminal's pipe."""
    if output == STDOUT:
        click.get_binary_stream("stdout").write(data)
    else:
        _write(data, output)


def folder_beside(output: str) -> str:
    """Name of the folder for a text's pictures. Raises InputError where something else stands in its place."""
    folder = Path(output).with_name(f"{Path(output).stem}_files")
    if folder.exists() and not folder.is_dir():
        raise InputError(
            Fault(str(folder), "", "its pictures would stand there, but it is a file", "name another file")
        )
    return folder.name


def put_with_files(text: str, output: str, folder: str, files: Mapping[str, bytes]) -> None:
    """Files into a folder beside a text, and then the text, so that it never shows what is not there. Where it fails,
    a folder that was not there before is taken away again.
    """
    place = Path(output).resolve().parent / folder
    new = not place.exists()
    try:
        place.mkdir(exist_ok=True)
        for name, data in files.items():
            _replace(place / name, data)
        put(text, output)
    except BaseException as error:
        if new:
            shutil.rmtree(place, ignore_errors=True)
        if isinstance(error, OSError):
            raise InputError(
                Fault(output, "", f"it cannot be written: {_reason(error)}", "name another file")
            ) from error
        raise


def _write(data: bytes, output: str) -> None:
    check_writable(output)
    path = Path(output).resolve()
    try:
        if path.exists() and not stat.S_ISREG(path.stat().st_mode):
            path.write_bytes(data)  # a device or a pipe: nothing to replace
        else:
            _replace(path, data)
    except OSError as error:
        raise InputError(Fault(output, "", f"it cannot be written: {_reason(error)}", "name another file")) from error


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~umask)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def as_json(value: Any) -> str:
    """Plain values as JSON for people and programs: indented, letters as they are, no NaN."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
