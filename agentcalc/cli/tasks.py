"""``agentcalc tasks [ID]``"""

from __future__ import annotations

from typing import Any

import click

from agentcalc.cli.output import as_json, check_writable, put, to_file


@click.command()
@click.argument("task", required=False, metavar="[ID or FILE]")
@click.option("--format", "form", type=click.Choice(["table", "yaml", "json"]), default="table", show_default=True)
@to_file
def command(task: str | None, form: str, output: str | None) -> None:
    """List the packaged tasks; with an id or a file, show one in full: its steps, what is assumed, its sources.

    "--format yaml" writes it as a file to edit: agentcalc tasks coding-agent --format yaml -o mine.yaml
    """
    from agentcalc import catalog, documents

    check_writable(output)
    if task is not None:
        model = catalog.load_task(task)
        put(_in_full(model) if form == "table" else documents.write(model, form), output)
        return
    found = list(catalog.tasks().values())
    if form == "yaml":
        raise click.UsageError("--format yaml needs a task: name one, such as coding-agent.")
    put(_table(found) if form == "table" else as_json([_row(model) for model in found]), output)


def _row(model) -> dict[str, Any]:
    from agentcalc.task import places

    kinds = [place.step.kind for place in places(model.steps)]
    return {
        "id": model.id,
        "name": model.name,
        "steps": len(kinds),
        "kinds": sorted(set(kinds)),
        "context_tokens": model.context_tokens,
        "sources": [getattr(source, "id", source) for source in model.sources],
    }


def _table(found: list) -> str:
    from agentcalc.cli.layout import columns

    rows = [("TASK", "STEPS", "CONTEXT", "SOURCES", "NAME")]
    for row in map(_row, found):
        rows.append((row["id"], str(row["steps"]), f"{row['context_tokens']:,}", str(len(row["sources"])), row["name"]))
    return columns(rows, right=(1, 2, 3), cut=True)


def _in_full(model) -> str:
    from agentcalc import catalog
    from agentcalc.cli.layout import paragraph
    from agentcalc.cli.text import source_line

    lines = [" ".join(part for part in (model.id, f"({model.name})" if model.id else model.name) if part)]
    lines += [paragraph(model.description)] if model.description else []
    cached = "all of it cached (assumed)" if model.cached_tokens is None else f"{model.cached_tokens:,} of them cached"
    start = (
        f"Starts with {model.context_tokens:,} tokens of context, {cached}."
        if model.context_tokens
        else "Starts empty."
    )
    lines += ["", start, "", "Steps", *_outline(model.steps, 1)]
    if model.notes:
        lines += ["", "Notes", *(paragraph(note, indent="  - ", hang="    ") for note in model.notes)]
    if model.sources:
        found = [catalog.source(source, model) if isinstance(source, str) else source for source in model.sources]
        lines += ["", "Sources", *(paragraph(source_line(source), indent="  - ", hang="    ") for source in found)]
    return "\n".join(lines)


def _outline(steps, depth: int) -> list[str]:
    """One line a step, inner steps further in."""
    lines = []
    for step in steps:
        lines.append(f"{'  ' * depth}{_line(step)}")
        for path, inner in step.blocks:
            inner_depth = depth + 1
            if path.startswith(("branches[", "options[")):
                lines.append(f"{'  ' * inner_depth}{_branch(step, path)}")
                inner_depth += 1
            lines += _outline(inner, inner_depth) if inner else [f"{'  ' * inner_depth}nothing"]
    return lines


def _line(step) -> str:
    """A step in one line: "model_call act: input 100 tokens, output {p50: 214, p90: 1700, max: 8000} tokens"."""
    inner = ("kind", "name", "steps", "branches", "options")
    given = {
        key: value for key, value in step.model_dump(mode="json", exclude_defaults=True).items() if key not in inner
    }
    head = f"{step.kind} {step.name}" if step.name else step.kind
    details = ", ".join(f"{key} {_value(value)}" for key, value in given.items())
    return f"{head}: {details}" if details else head


def _branch(step, path: str) -> str:
    group, index = path.split("]")[0].split("[")
    branch = getattr(step, group)[int(index)]
    words = [group.removesuffix("s").removesuffix("e") if group == "branches" else "option"]
    words += [branch.name] if branch.name else [str(int(index) + 1)]
    if group == "options":
        words.append(f"(probability {branch.probability:g})")
    return " ".join(words)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return f"{value:,.10g}" if isinstance(value, float) else str(value)
