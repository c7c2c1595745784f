"""From runs to systems: which runs make a point, a table, a curve, a system, and what is said of them."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from agentcalc import catalog, documents
from agentcalc.benchmarks.assembling import MOST_NOTES, SPLIT_UNKNOWN, Named, systems, told
from agentcalc.benchmarks.records import Measurement, Requests, Spread
from agentcalc.errors import InputError
from agentcalc.points import curves
from agentcalc.provenance import Grade, Source

SOURCE = Source(id="imported", title="runs.json", publisher="tool")


def run(ttft=0.5, tpot=0.010, **changed) -> Measurement:
    """One run: a mean TTFT and TPOT in s (or Spreads), 1,000 tokens in and 101 out at concurrency 4 on 8 chips."""
    ttft, tpot = (x if isinstance(x, Spread) else Spread(mean=x) for x in (ttft, tpot))
    plain = Measurement(
        "Tool", "acme/small", "B200", "FP8", "vllm (0.9)", False, "TP8", 8, 4, None, 1000, 101, ttft, tpot
    )
    return replace(plain, date=dt.date(2026, 2, 3), **changed)


def one(*runs: Measurement, **keys):
    (found,) = systems(runs, SOURCE, **keys)
    assert documents.read_system(documents.write(found).encode(), where="x") == found
    return found


def refusal(*runs: Measurement, **keys) -> str:
    with pytest.raises(InputError) as caught:
        systems(runs, SOURCE, **keys)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_run_becomes_a_system_with_its_numbers_and_where_they_are_from():
    found = one(run(total_tok_s=4000.0))
    point = found.point
    assert (found.id, found.label, found.accelerator, found.model) == ("b200/small", "B200", "B200", "small")
    assert (found.model_label, found.precision, found.software) == ("acme/small", "FP8", "vllm (0.9)")
    assert (point.concurrency, point.chips, point.configuration) == (4, 8, "TP8, 8 chips")
    assert (point.ttft.value, point.ttft.unit, point.tpot.value, point.tpot.unit) == (0.5, "s", 10.0, "ms")
    assert (point.ttft.grade, point.ttft.source, point.ttft.note) == (
        Grade.MEASURED,
        "imported",
        "Mean, row of 2026-02-03.",
    )
    assert (point.throughput.value, point.throughput.unit) == (500.0, "tok/s/chip")
    assert (found.measured.uncached_tokens.low, found.measured.uncached_tokens.high) == (1000, 1000)
    assert found.measured.context_tokens.high == 1101
    assert found.sources == (SOURCE,) and catalog.unresolved(found, "x") == []


def test_loads_of_one_configuration_make_a_curve_the_quickest_call_first():
    found = one(run(0.9, 0.03, concurrency=16), run(0.3, 0.010), run(0.5, 0.02, concurrency=8))
    assert [point.concurrency for point in found.points] == [4, 8, 16]
    assert [[p.concurrency for p in curve] for curve in curves(found.points)] == [[4, 8, 16]]
    assert found.at(11).point.between == (8, 16)


@pytest.mark.parametrize(
    "other", [{"layout": "TP4"}, {"chips": 4}, {"software": "vllm (1.0)"}, {"output_tokens": 500}], ids=str
)
def test_what_differs_in_anything_but_the_load_is_another_configuration(other):
    found = one(run(concurrency=1), run(concurrency=2), run(concurrency=8, **other))
    assert sorted(len(curve) for curve in curves(found.points)) == [1, 2]
    with pytest.raises(InputError):
        found.at(4)


@pytest.mark.parametrize("other", [{"hardware": "H200"}, {"precision": "FP4"}, {"software": "sglang"}, {"mtp": True}])
def test_another_server_is_another_system_with_an_id_of_its_own(other):
    found = systems([run(), run(concurrency=8, **other)], SOURCE)
    assert [len(system.points) for system in found] == [1, 1]
    assert len({system.id for system in found}) == 2
    assert [system.mtp for system in found] == [False, bool(other.get("mtp"))]


def test_ids_say_what_tells_systems_apart_and_a_number_only_at_last():
    ids = [s.id for s in systems([run(), run(precision="FP4"), run(precision="FP4", software="sglang")], SOURCE)]
    assert ids == ["b200-fp8-vllm/small", "b200-fp4-vllm/small", "b200-fp4-sglang/small"]
    assert [s.id for s in systems([run(), run(mtp=True)], SOURCE)] == ["b200/small", "b200-mtp/small"]
    assert [s.id for s in systems([run(), run(mtp=None)], SOURCE)][1] == "b200-fp8-vllm-mtp-unknown/small"
    # Two names that differ in nothing an id can hold.
    assert [s.id for s in systems([run(precision="FP?"), run(precision="FP!")], SOURCE)] == [
        "b200-fp-vllm/small",
        "b200-fp-vllm-2/small",
    ]


def test_prompts_of_several_lengths_at_one_load_make_one_point_with_tables():
    found = one(run(0.2, 0.010), run(0.6, 0.012, input_tokens=4000), run(0.3, 0.011, input_tokens=2000))
    (point,) = found.points
    assert (point.ttft.value, point.ttft_at_tokens) == (0.6, 4000)
    assert (point.ttft_over_prompt.tokens, point.ttft_over_prompt.values) == ((1000, 2000, 4000), (200, 300, 600))
    assert point.tpot_over_context.values == (10, 11, 12)
    assert point.ttft_over_prompt.note == "Mean at 1,000 and 2,000 and 4,000 tokens row of 2026-02-03."
    assert found.fixed_share is None and found.measured.uncached_tokens.high == 4000


def test_a_table_that_does_not_rise_says_so_and_stays_as_measured():
    point = one(run(0.5, 0.012), run(0.4, 0.010, input_tokens=4000)).point
    assert point.ttft_over_prompt.values == (500, 400)
    assert "The first-token time does not rise all the way with the prompt" in point.ttft_over_prompt.note
    assert "The time per token does not rise" in point.tpot_over_context.note


def test_prompts_alone_and_answers_alone_are_two_halves_of_a_point():
    prompts = run(0.4, Spread(), output_tokens=None)
    answers = run(Spread(), 0.02, input_tokens=None, output_tokens=None, context_tokens=512)
    point = one(prompts, answers).point
    assert (point.ttft.value, point.tpot.value) == (0.4, 20)


def test_of_several_runs_of_one_load_the_middle_one_counts_and_that_is_said():
    found = one(run(0.9, 0.030), run(0.5, 0.010), run(0.6, 0.020))
    assert (found.point.ttft.value, found.point.tpot.value) == (0.6, 20)
    assert "Of several runs of one configuration, load and length the middle one counts." in found.notes
    assert not any("middle" in note for note in one(run(), run(input_tokens=2000)).notes)


def test_medians_stand_where_there_are_no_means_but_never_on_the_same_curve():
    medians = run(Spread(median=0.2), Spread(median=0.005), concurrency=16)
    found = one(run(), medians, run(0.6, 0.02, concurrency=8))
    assert [[p.concurrency for p in curve] for curve in curves(found.points)] == [[16], [4, 8]]
    point = found.at(16).point
    assert point.configuration == "TP8, 8 chips (medians)" and point.ttft.note.startswith("Median, ")
    assert point.ttft_spread is None
    assert any("medians stand for them" in note for note in found.notes)
    # A run that tells both gives its means, and the medians to the spread.
    both = one(run(Spread(mean=0.5, median=0.4, p99=2.0), Spread(mean=0.01, median=0.009, p99=0.03))).point
    assert (both.ttft.value, both.ttft_spread.p50, both.ttft_spread.p99) == (0.5, 0.4, 2.0)
    assert (both.tpot_spread.p50, both.tpot_spread.p99) == (9, 30)
    # A mean of one latency and a median of the other are no pair.
    assert "none of its 1 runs tells TPOT beside" in refusal(run(0.5, Spread()))
    assert "none of its 1 runs" in refusal(run(Spread(mean=0.5), Spread(median=0.01)))


def test_percentiles_that_fall_by_rounding_are_taken_to_rise():
    spread = Spread(mean=0.5, median=0.4, p90=0.9995, p95=0.9990, p99=1.0)
    assert one(run(spread)).point.ttft_spread.p95 == 0.9995
    assert one(run(Spread(mean=0.5, median=0.5, p99=0.5))).point.ttft_spread is None


def test_runs_that_tell_one_latency_are_left_out_and_counted():
    found = one(run(), run(0.5, Spread(), concurrency=8))
    assert len(found.points) == 1
    assert "1 of its 2 runs do not tell both TTFT and TPOT and are left out." in found.notes
    assert "none of its 1 runs tells TTFT beside" in refusal(run(Spread(), 0.01))


def test_rates_of_requests_are_loads_of_their_own():
    found = one(*(run(0.5 + r, concurrency=None, request_rate=float(r)) for r in (1, 2)))
    assert [p.configuration for p in found.points] == [f"TP8, 8 chips, {r} requests a second" for r in (1, 2)]
    assert found.curve == ()


def test_concurrencies_that_round_to_one_are_one_load():
    found = one(run(0.5, concurrency=3.7), run(0.7, concurrency=4.2), run(0.9, concurrency=0.2))
    assert [point.concurrency for point in found.points] == [4, 1]


def test_without_lengths_the_share_that_does_not_grow_is_unknown():
    share = one(run()).fixed_share
    assert (share.value, share.band, share.grade, share.unknown) == (0.5, (0, 1), Grade.ASSUMED, SPLIT_UNKNOWN)
    assert share.note.startswith("No load was measured at several prompt lengths")
    some = one(run(), run(input_tokens=2000), run(concurrency=8)).fixed_share
    assert some.note.startswith("Not all loads were measured")


def test_single_requests_of_many_lengths_tell_the_share():
    # 0.1 s and 0.1 ms a token: at 2,000 tokens 0.3 s, a third of it fixed.
    lengths = [500.0 + 100 * i for i in range(31)]
    asked = Requests(tuple(lengths), (101.0,) * 31, tuple(0.1 + 1e-4 * n for n in lengths), (2.0,) * 31)
    share = one(run(0.3, input_tokens=2000, requests=asked)).fixed_share
    assert share.value == pytest.approx(1 / 3, abs=1e-5) and share.grade is Grade.DERIVED and share.band is None
    assert "31 single requests" in share.note
    few = Requests(*(column[:19] for column in (asked.input_tokens, asked.output_tokens, asked.ttft_s, asked.e2el_s)))
    alike = replace(asked, input_tokens=(500.0,) * 31)
    for other in (few, alike):
        assert one(run(0.3, requests=other)).fixed_share.grade is Grade.ASSUMED


def test_each_number_cites_its_own_run_and_says_what_is_said_of_it():
    def cite(of: Measurement) -> str:
        return "typed-in-place" if of.concurrency == 8 else "imported"

    found = one(
        run(), run(0.9, concurrency=8, total_tok_s=100.0), cite=cite, say=lambda of: f"Load {of.concurrency:g}."
    )
    assert [p.ttft.source for p in found.points] == ["imported", "typed-in-place"]
    assert found.points[1].throughput.source == "typed-in-place"
    assert [p.ttft.note for p in found.points] == [f"Mean, row of 2026-02-03. Load {n}." for n in (4, 8)]
    lengths = one(run(), run(0.9, input_tokens=2000), say=lambda of: f"{of.input_tokens:g} in.")
    assert lengths.point.ttft_over_prompt.note.endswith("row of 2026-02-03. 1000 in.")


def test_what_the_reader_says_comes_before_what_the_file_says():
    found = one(run(), named=Named(id="ours/m", label="Ours", model="m"))
    assert (found.id, found.label, found.accelerator, found.model) == ("ours/m", "Ours", "B200", "m")
    bare = one(run(model=None, hardware=None))
    assert (bare.id, bare.label, bare.model) == ("imported", "Imported", None)
    assert "it holds 2 systems, and one id is given" in refusal(run(), run(mtp=True), named=Named(id="ours"))


def test_an_id_that_no_system_can_have_is_refused_in_a_line():
    assert "id: String should match pattern" in refusal(run(), named=Named(id="My System"))


def test_notes_of_runs_are_kept_once_and_what_is_cut_is_counted():
    found = one(run(notes=("a", "b")), run(concurrency=8, notes=("a  \n c",)))
    assert found.notes == ("a", "b", "a c")
    many = one(*(run(concurrency=n, notes=(f"note {n}",)) for n in range(1, MOST_NOTES + 4)))
    assert len(many.notes) == MOST_NOTES + 1 and many.notes[-1].startswith("3 more notes")
    assert (
        "Whether it predicts several tokens at once (MTP, speculative decoding) is not said."
        in one(run(mtp=None)).notes
    )
    long = one(run(notes=("x" * 500,)))
    assert len(long.notes[0]) == 400 and long.notes[0].endswith("…")


def test_long_names_are_cut_and_stay_apart():
    long = "x" * 200
    found = one(*(run(layout=f"{long}{n}", precision=long, software=long, hardware=long) for n in range(3)))
    names = [point.configuration for point in found.points]
    assert len(set(names)) == 3 and all(len(name) <= 80 for name in names)
    assert len(found.id) <= 120 and len(found.precision) == 80
    medians = one(run(Spread(median=0.2), Spread(median=0.005), layout="y" * 75))
    assert len(medians.point.configuration) == 80


def test_a_table_holds_no_more_than_it_can_and_keeps_the_longest():
    table = one(*(run(0.5 + n / 1e4, input_tokens=n) for n in range(100, 701))).point.ttft_over_prompt
    assert len(table.tokens) == 151 and table.tokens[-1] == 700 and table.tokens[0] == 100
    assert len(table.note) < 200


def test_a_number_that_no_system_has_is_refused_in_a_line():
    said = refusal(run(concurrency=5_000_000))
    assert said.startswith("runs.json: ") and "5000000" not in said and "1000000" in said


def test_what_an_import_found_is_told_in_a_line():
    assert told(one(run())) == "1 operating point at concurrency 4, prompts of about 1,000 tokens"
    assert told(one(run(), run(0.6, concurrency=64))).startswith("2 operating points, concurrency 4 to 64")
    assert told(one(run(concurrency=None))) == "1 operating point, prompts of about 1,000 tokens"
