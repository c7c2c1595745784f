"""scripts/package_systems.py: rows of several spellings into one, pairs over prompt lengths, caveats in words."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import pytest

from agentcalc import documents
from agentcalc.benchmarks.reading import read
from agentcalc.provenance import Grade

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from inferencex_points import completed, layout, release, row
from package_systems import systems
from prompt_pairs import loads, partner, shares

COPY = "vngcloud/InferenceX-app@7fe6d62a:packages/x.json"
UNCOUNTED = "P ?x(TP{}) + D ?x(TP{}), counts not given, at 4"
SAMPLE = "ai-dynamo/aiconfigurator@095f58a5:systems/silicon_sample.csv"


def rows(*changed: dict):
    """Rows of a table of points: gpt-oss-120b on B200 with TensorRT-LLM, 8k/1k at concurrency 4, as changed."""
    plain = {
        "model": "gpt-oss-120b",
        "hardware": "b200",
        "precision": "fp4",
        "framework": "trtllm",
        "framework_version": "1.2.0rc2.post2",
        "spec_decoding": "none",
        "isl": 8192,
        "osl": 1024,
        "concurrency": 4,
        "prefill_gpus": "",
        "decode_gpus": "",
        "gpus": 8,
        "layout": "TP8",
        "mean_ttft_s": 0.1,
        "mean_tpot_ms": 2.0,
        "mean_e2e_s": "",
        "total_tok_s_per_gpu": "",
        "measured": "2026-02-05",
        "source": SAMPLE,
        "note": "",
    }
    out = io.StringIO()
    table = csv.DictWriter(out, plain)
    table.writeheader()
    table.writerows(plain | one for one in changed)
    return [row(run) for run in read(out.getvalue().encode(), "points.csv")]


def short(**changed) -> dict:
    told = {"isl": 1024, "spec_decoding": "unknown", "gpus": "", "measured": "", "mean_ttft_s": 0.04}
    return told | {"mean_tpot_ms": 1.9} | changed


@pytest.mark.parametrize(
    ("text", "framework", "said"),
    [
        ("TP8", "trtllm", "TP8"),
        ("TP8,EP8,DPA=True", "trt", "TP8,EP8,DPA"),
        ("TP4,EP1,DPA=False", "sglang", "TP4"),
        ("TP4,DPA4", "vllm", "TP4,DPA"),
        ("P 6xTP4 + D 1xDEP48", "sglang", "P 6x(TP4) + D 1x(TP48,EP48,DPA)"),
        ("P 1x(TP1,DPA2) + D 5x(TP4,DPA1)", "trtllm", "P 1x(TP2,DPA) + D 5x(TP4)"),
        ("P 1x(TP4,EP4,DPA=True) + D 4x(TP8,EP8,DPA=False)", "dynamo-trt", "P 1x(TP4,EP4,DPA) + D 4x(TP8,EP8)"),
        ("1xTP2 + 4xTP8", "dynamo-trt", "P 1x(TP2) + D 4x(TP8)"),
        ("D 1xTP32", "dynamo-trt", "D 1xTP32"),
        (
            "P ?x TP4 + D ?x TP8 (worker counts not given by source)",
            "trtllm",
            "P ?x(TP4) + D ?x(TP8), counts not given, at 4",
        ),
        ("P xTP1 + D xTP4", "trtllm", UNCOUNTED.format(1, 4)),
    ],
)
def test_layouts_have_one_spelling(text: str, framework: str, said: str) -> None:
    (found,) = rows({"layout": text, "framework": framework})
    assert layout(found) == said
    assert found.apart == ("P " in said or framework.startswith("dynamo"))


def test_a_layout_that_is_not_given_says_how_the_chips_are_divided() -> None:
    (found,) = rows({"layout": "", "framework": "dynamo-trt", "prefill_gpus": 4, "decode_gpus": 32, "gpus": 36})
    assert layout(found) == "P 4 + D 32 chips, layout not given"
    assert found.caveats() == "Its layout is not given in full."


@pytest.mark.parametrize(
    ("written", "version"),
    [
        ("nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime:0.8.1.post2", "0.8.1.post2"),
        ("tensorrtllm-runtime:0.8.1.post2", "0.8.1.post2"),
        ("lmsysorg/sglang:v0.5.8.post1-cu130-runtime", "0.5.8.post1"),
        ("1.1.0-dev.2", "1.1.0-dev.2"),
        ("", None),
    ],
)
def test_versions_have_one_spelling(written: str, version: str | None) -> None:
    (found,) = rows({"framework_version": written})
    assert (found.engine, found.version) == ("TensorRT-LLM", version)
    assert release("1.2.0rc2.post2") == "1.2.0rc2" and release(None) is None


def test_a_layout_said_in_part_is_completed_by_the_one_row_that_says_it_all() -> None:
    whole = {"layout": "P 1x(TP2,EP2,DPA=True) + D 4x(TP8,EP8,DPA=False)", "framework": "dynamo-trt", "gpus": 34}
    part = whole | {"layout": "1xTP2 + 4xTP8", "concurrency": 8}
    found = rows(whole, part)
    assert layout(completed(found[1], found)) == layout(found[0])
    assert "those of the row on the same chips" in completed(found[1], found).caveats()
    assert completed(found[0], found) is found[0]
    # Not where two rows say different things, nor with another version or number of chips.
    other = whole | {"layout": "P 1x(TP2,EP1,DPA=False) + D 4x(TP8,EP8,DPA=False)"}
    for more in ([other], []):
        found = rows(part, *([whole] if more else [whole | {"framework_version": "2"}, whole | {"gpus": 42}]), *more)
        assert completed(found[0], found) is found[0]


def test_a_clause_that_nobody_put_into_words_is_an_error_and_not_dropped() -> None:
    (found,) = rows({"note": "means only; measured on a Tuesday"})
    with pytest.raises(KeyError, match="Tuesday"):
        found.caveats()
    (found,) = rows({"note": "transcribed by hand from the stored file; 4 decimal places", "mean_ttft_s": 7})
    assert found.caveats() == "Transcribed by hand, to 4 decimal places. The queue dominates this first-token time."


def test_the_short_row_of_a_server_is_the_only_one_that_fits() -> None:
    def found(*shorts: dict, **long):
        short_rows, (long_row,) = loads(rows(long, *shorts))
        other = partner(long_row, short_rows)
        return other and other.run.ttft.mean

    assert found(short()) == 0.04
    assert found(short(framework_version="1.2.0rc2")) == 0.04
    assert found(short(), short(mean_ttft_s=0.04001)) == 0.04  # one row, once rounded
    assert found(short(), short(mean_ttft_s=0.06)) is None  # two servers that the table does not tell apart
    for other in ({"framework_version": "1.1"}, {"layout": "TP4"}, {"concurrency": 8}, {"precision": "fp8"}):
        assert found(short(**other)) is None
    apart = {"layout": "P 1xTP1 + D 1xTP4"}
    assert found(short(layout="P xTP1 + D xTP4"), **apart) == 0.04
    assert found(short(layout="P 2xTP1 + D 1xTP4"), **apart) is None
    assert found(short(layout="P xTP1 + D xTP4"), layout="P xTP1 + D xTP4") is None


def test_a_pair_tells_the_share_that_does_not_grow() -> None:
    # 40 ms at 922 and 100 ms at 7,373: 9.3 us a token, so 31.4 of 100 ms are fixed.
    short_rows, long_rows = loads(rows({}, short()))
    assert shares(long_rows, short_rows) == [pytest.approx(0.3143, abs=1e-4)]
    for ttft, share in ((0.2, 1.0), (0.001, 0.0)):
        short_rows, long_rows = loads(rows({}, short(mean_ttft_s=ttft)))
        assert shares(long_rows, short_rows) == [share]


def test_a_table_becomes_a_system_with_a_curve_tables_and_throughput() -> None:
    found = rows(
        {},
        {"concurrency": 8, "mean_ttft_s": 0.2, "mean_tpot_ms": 4.0},
        {"concurrency": 16, "mean_ttft_s": 0.3, "total_tok_s_per_gpu": 4500.0},
        short(),
        {"hardware": "h200"},
    )
    (system,) = systems(found)
    assert documents.read_system(documents.write(system).encode(), where="x") == system
    assert (system.id, system.label, system.accelerator) == ("b200/gpt-oss-120b", "B200", "B200")
    assert [p.concurrency for p in system.points] == [4, 8, 16]
    first, second, third = system.points
    assert first.ttft_over_prompt.values == (40, 100) and second.ttft_over_prompt is None
    # Little's law: 4 x 8,295 tokens / (0.1 + 921 x 0.002 s) / 8 chips.
    assert first.throughput.value == pytest.approx(4 * 8295 / 1.942 / 8, rel=1e-4)
    assert first.throughput.grade is Grade.DERIVED and "In the one row that tells" in first.throughput.note
    assert (third.throughput.value, third.throughput.grade) == (4500, Grade.MEASURED)
    assert system.fixed_share.band == (0.26, 0.31)
    assert "takes 1.94 s" in system.headline


def test_systems_mix_neither_mtp_nor_precision_nor_software_and_leave_out_what_does_not_say() -> None:
    r1 = {"model": "DeepSeek-R1-0528", "hardware": "gb200", "source": COPY, "framework": "dynamo-trt"}
    r1 |= {"layout": "P 1x(TP4,EP4,DPA=True) + D 4x(TP8,EP8,DPA=False)", "gpus": 36}
    two = [r1, r1 | {"concurrency": 8}]
    mtp = [one | {"spec_decoding": "mtp", "mean_tpot_ms": 1.0} for one in two]
    fp8 = [one | {"precision": "fp8", "mean_tpot_ms": 5.0} for one in two]
    made = {s.id: s for s in systems(rows(*two, *mtp, *fp8, r1 | {"spec_decoding": "unknown", "concurrency": 2}))}
    assert set(made) == {"gb200/deepseek-r1", "gb200-mtp/deepseek-r1", "gb200-fp8/deepseek-r1"}
    assert [p.tpot.value for p in made["gb200-mtp/deepseek-r1"].points] == [1, 1]
    for name, system in made.items():
        assert system.mtp == ("mtp" in name)
        said = "One row that does not say whether MTP is on is left out." in system.notes
        assert said == (system.precision == "FP4")
        assert (system.fixed_share.value, system.fixed_share.band) == (0.83, (0, 1))
        assert "The model is called DeepSeek-R1-0528 in 2 rows." in system.notes
