"""``agentcalc systems [ID]``"""

from __future__ import annotations

import click

from agentcalc.cli.output import as_json, check_writable, put, to_file


@click.command()
@click.argument("system", required=False, metavar="[ID or FILE]")
@click.option("--format", "form", type=click.Choice(["table", "yaml", "json"]), default="table", show_default=True)
@to_file
def command(system: str | None, form: str, output: str | None) -> None:
    """List the packaged systems; with an id or a file, show one in full: every number with its grade and source."""
    from agentcalc import catalog, documents

    check_writable(output)
    if system is not None:
        model = catalog.load_single(system)
        put(_in_full(model) if form == "table" else documents.write(model, form), output)
        return
    if form == "yaml":
        raise click.UsageError("--format yaml needs a system: name one, such as gb300/deepseek-r1.")
    found = list(catalog.systems().values())
    put(_table(found) if form == "table" else as_json([_row(model) for model in found]), output)


def _row(model) -> dict:
    from agentcalc.provenance import weakest

    point = model.point
    return {
        "id": model.id,
        "label": model.label,
        "model": model.model,
        "ttft_s": point.ttft.seconds(),
        "tok_s_user": 1 / point.tpot.seconds() if point.tpot.seconds() else None,
        "concurrency": point.concurrency,
        "chips": point.chips,
        "points": len(model.points),
        "grade": weakest(number.grade for _, number in model.numbers()).value,
    }


def _table(found: list) -> str:
    from agentcalc.cli.layout import columns

    rows = [("SYSTEM", "TTFT", "TOK/S/USER", "LOAD", "RESTS ON")]
    for model in found:
        row = _row(model)
        speed = "" if row["tok_s_user"] is None else f"{row['tok_s_user']:,.0f}"
        rows.append((row["id"], f"{row['ttft_s']:.3f} s", speed, _load(model.point), row["grade"]))
    return columns(rows, right=(1, 2))


def _load(point) -> str:
    """Who shares what at an operating point: "5 users, 22 chips"; "not stated" where nothing is known."""
    found = [(point.concurrency, "user"), (point.chips, "chip")]
    words = [f"{number} {word}{'' if number == 1 else 's'}" for number, word in found if number is not None]
    return ", ".join(words) or "not stated"


def _in_full(model) -> str:
    from agentcalc import catalog
    from agentcalc.cli.layout import paragraph
    from agentcalc.cli.text import source_line

    about = [model.model_label or model.model, model.accelerator, model.vendor, model.precision, model.software]
    lines = [f"{model.id} ({model.label}{', several tokens at once (MTP)' if model.mtp else ''})"]
    lines += [paragraph(", ".join(part for part in about if part)), ""]
    lines += _point(model.point, " (in use)" if len(model.points) > 1 else "")
    lines.append("Every call")
    if model.fixed_share is not None:
        lines += _number("fixed_share", model.fixed_share, " (the part of the first token's time that does not grow)")
    else:
        lines.append(paragraph("First token: measured at several prompt lengths, see the point.", indent="  "))
    lines += _number("overhead", model.overhead, "") if model.overhead is not None else []
    lines += ["", "Why it differs from a headline", paragraph(model.headline, indent="  ")]
    if model.notes:
        lines += ["", "Notes", *(paragraph(note, indent="  - ", hang="    ") for note in model.notes)]
    if len(model.points) > 1:
        lines += ["", *_curve(model)]
    ids = dict.fromkeys(number.source for point in model.points for number in (point.ttft, point.tpot))
    ids |= dict.fromkeys(number.source for _, number in model.numbers())
    found = [catalog.source(name, model) for name in ids]
    lines += ["", "Sources"]
    lines += [paragraph(f"[{source.id}] {source_line(source)}", indent="  - ", hang="    ") for source in found]
    return "\n".join(lines)


def _point(point, used: str) -> list[str]:
    lines = [f"Operating point: {_load(point)}{used}"]
    lines += _number("ttft", point.ttft, f" at a prompt of {point.ttft_at_tokens:,} uncached tokens")
    lines += _number("tpot", point.tpot, "")
    for table, words in ((point.ttft_over_prompt, "First token"), (point.tpot_over_context, "Writing")):
        if table is not None:
            steps = ", ".join(
                f"{tokens:,}: {value:g} {table.unit}" for tokens, value in zip(table.tokens, table.values, strict=True)
            )
            lines.append(f"  {words} by prompt tokens: {steps}")
    return lines


def _curve(model) -> list[str]:
    """All measured points by concurrency, each with a bar as long as an 8k/1k call on it takes."""
    from agentcalc.cli.layout import columns, paragraph
    from agentcalc.points import missed, quick
    from agentcalc.units import show_time

    longest = max(quick(point) for point in model.points)
    rows = [("USERS", "FIRST TOKEN", "TOK/S/USER", "TOK/S/CHIP", "8K/1K CALL", "", "CONFIGURATION")]
    for point in (*model.curve, *(p for p in model.points if p.concurrency is None)):
        seconds = quick(point)
        chip = "" if point.throughput is None else f"{point.throughput.value:,.0f}"
        load = "not stated" if point.concurrency is None else f"{point.concurrency:,}"
        speed = f"{1 / point.tpot.seconds():,.0f}" if point.tpot.seconds() else ""
        bar = "▇" * max(1, round(8 * seconds / longest))
        cells = (load, f"{point.ttft.seconds():.3f} s", speed, chip, show_time(seconds), bar, point.configuration or "")
        rows.append(cells)
    if not any(row[3] for row in rows[1:]):
        rows = [row[:3] + row[4:] for row in rows]
    lines = ["Curve", columns(rows, right=range(len(rows[0]) - 2), cut=True)]
    found = missed(model.points)
    if found is not None:
        lines.append(paragraph(f"Between points of one configuration numbers are interpolated; {found}.", indent="  "))
    return lines


def _number(name: str, number, where: str) -> list[str]:
    from agentcalc.cli.layout import paragraph
    from agentcalc.cli.text import NUMBER_WORDS, with_band

    text = f"{NUMBER_WORDS[name]}: {with_band(number)}{where}, {number.grade.value} [{number.source}]"
    lines = [paragraph(text, indent="  ", hang="    ")]
    if number.unknown:
        lines.append(paragraph(f"Not known: {number.unknown}.", indent="    "))
    return lines + ([paragraph(number.note, indent="    ")] if number.note else [])
