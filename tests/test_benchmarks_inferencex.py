"""InferenceX: results, rows of the API and the dashboard's CSV, with the traps of each."""

from __future__ import annotations

import datetime as dt

import pytest

from agentcalc.benchmarks.reading import read
from agentcalc.benchmarks.records import Measurement, Spread
from agentcalc.errors import InputError
from tests.benchmark_inputs import DASHBOARD, POINTS, agg, api_row, text

LENGTHS = "8,192 in and 1,024 out are the longest lengths; drawn evenly from 80% up, they are 7,373 and 922 on average."


def one(row) -> Measurement:
    (run,) = read(row if isinstance(row, bytes) else text(row), "f")
    return run


def without(row: dict, *ends: str) -> dict:
    """A row without the keys that end so."""
    return {key: value for key, value in row.items() if not key.endswith(ends)}


def metrics(**changed) -> dict:
    """A row of the API with some of its numbers changed; None takes one out."""
    row = api_row()
    row["metrics"] = {k: v for k, v in (row["metrics"] | changed).items() if v is not None}
    return row


NUMBERS = {
    "input_tokens": pytest.approx(7372.8),
    "output_tokens": pytest.approx(921.6),
    "ttft": Spread(mean=0.5, median=0.4, p99=0.9),
    "tpot": Spread(mean=0.01, median=0.009, p99=0.0125),
}


def test_every_number_of_a_result():
    """2 in flight for 9.706 s each make 2 / 9.706 requests a second, of 7,372.8 + 921.6 tokens."""
    run = one(agg())
    assert run == Measurement(
        format="InferenceX",
        model="acme/small",
        hardware="b200-x",
        precision="fp8",
        software="vllm (acme/server:v1)",
        mtp=False,
        layout="TP8",
        chips=8,
        concurrency=2,
        **NUMBERS,
        e2el=Spread(mean=9.706, median=9.5, p99=12),
        output_tok_s=pytest.approx(2 / 9.706 * 921.6),
        total_tok_s=pytest.approx(2 / 9.706 * 8294.4),
        notes=(LENGTHS,),
    )


def test_the_same_run_as_a_row_of_the_api():
    run, same = one(api_row()), one(agg())
    assert (run.ttft, run.tpot, run.e2el, run.total_tok_s) == (same.ttft, same.tpot, same.e2el, same.total_tok_s)
    assert (run.hardware, run.layout) == ("b200", "TP8,EP8")
    assert (run.date, run.address) == (dt.date(2026, 6, 11), "https://example.org/runs/1")


@pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"data": rows}, lambda rows: {"results": rows}])
def test_rows_in_a_list_bare_or_wrapped_keep_duplicates(wrap):
    runs = read(text(wrap([api_row(), api_row(conc=4), api_row()])))
    assert [run.concurrency for run in runs] == [2, 4, 2]


# ─── s or ms ───


def test_a_key_without_ms_is_in_s_and_one_with_ms_in_ms():
    row = without(agg(), "ttft") | {"mean_ttft_ms": 500.0, "median_ttft_ms": 400.0, "p99_ttft_ms": 900.0}
    assert one(row).ttft == one(agg()).ttft


def test_ms_under_keys_for_s_are_found_out():
    row = agg(mean_ttft=500.0, median_ttft=400.0, p99_ttft=900.0, mean_tpot=10.0, median_tpot=9.0, p99_tpot=12.5)
    with pytest.raises(InputError, match="Is one of them in another unit"):
        one(row)
    with pytest.raises(InputError, match="are its latencies in another unit"):
        one(row | {"mean_e2el": 9706.0, "median_e2el": 9500.0, "p99_e2el": 12_000.0})


def test_a_raw_result_in_s_with_its_totals():
    """vLLM's names without ``_ms`` and without means; what was sent and received is in the totals."""
    row = {"date": "20260213-141321", "model_id": "acme/small", "num_prompts": 40, "request_rate": "inf"}
    row |= {"max_concurrency": 4, "duration": 30.0, "completed": 38, "good_completed": None}
    row |= {"total_input_tokens": 38_000, "total_output_tokens": 3_800, "input_throughput": 1300.0}
    row |= {"output_throughput": 130.0, "median_ttft": 0.265, "p99_ttft": 0.585, "median_tpot": 0.0214}
    run = one(row)
    assert (run.ttft, run.tpot) == (Spread(median=0.265, p99=0.585), Spread(median=0.0214))
    assert (run.input_tokens, run.output_tokens, run.concurrency) == (1000, 100, 4)
    assert (run.output_tok_s, run.total_tok_s) == (130, 1430)
    assert (run.completed, run.failed, run.date) == (38, 2, dt.date(2026, 2, 13))
    assert run.notes == ("2 of 40 requests failed; the numbers are of the others.",)


def test_a_result_with_numbers_under_metrics_in_ms_and_answers_shorter_than_asked():
    row = {"hw": "b200", "model": "acme/small", "framework": "vllm", "precision": "fp4", "isl": 1024, "osl": 1024}
    row |= {"tp": 4, "ep": 0, "conc": 16, "image": "v1", "ts": "2026-06-12T00:31:23+00:00", "gpu": {"n_gpus": 8}}
    row["metrics"] = {
        "successful_requests": 160,
        "total_token_throughput": 14_000.0,
        "output_token_throughput": 4_000.0,
        "request_throughput": 20.0,
        "median_ttft_ms": 26.0,
        "median_tpot_ms": 3.5,
        "median_itl_ms": 3.0,
    }
    run = one(row)
    assert (run.ttft.median, run.tpot.median) == (0.026, 0.0035)
    assert (run.chips, run.input_tokens, run.output_tokens) == (4, 500, 200)
    assert (run.completed, run.mtp, run.date) == (160, None, dt.date(2026, 6, 12))
    assert run.notes == (
        "The machine has 8 accelerators; the run used 4.",
        "Answers were to have 1,024 tokens but have 200 on average.",
    )


# ─── Rates ───


def test_the_p99_of_a_rate_is_the_slow_tail_and_its_std_means_nothing():
    """Without TPOT: 1 / 100, 1 / 111.1 and 1 / 80 tok/s/user; std_intvty would be 1 ms."""
    assert one(without(agg(), "tpot")).tpot == Spread(mean=0.01, median=pytest.approx(0.009), p99=0.0125)


def test_a_p99_of_a_rate_above_its_median_is_the_fast_tail_and_left_out():
    assert one(without(agg(p99_intvty=150.0), "tpot")).tpot.p99 is None
    assert one(without(agg(), "tpot", "median_intvty")).tpot == Spread(mean=0.01)


def test_tpot_of_the_file_comes_before_its_rates():
    assert one(agg(mean_intvty=1.0)).tpot.mean == 0.01


def test_itl_is_not_tpot():
    row = without(agg(), "tpot", "intvty") | {"mean_itl": 0.03, "median_itl": 0.03}
    assert one(row).tpot == Spread()


# ─── Chips ───


def test_gpu_counts_of_an_aggregated_row_are_tp_times_ep_and_are_not_added():
    """TP8 with EP8: both counts say 64, and the run had 8."""
    row = api_row()
    assert (row["num_prefill_gpu"], row["num_decode_gpu"]) == (64, 64)
    assert one(row).chips == 8


@pytest.mark.parametrize(
    ("changed", "chips", "layout"),
    [
        ({"decode_ep": 1, "num_prefill_gpu": 8, "num_decode_gpu": 8}, 8, "TP8"),
        ({"decode_tp": 0, "decode_ep": 0, "num_decode_gpu": 0, "prefill_num_workers": 2}, 16, "TP8,EP8"),
        ({"decode_tp": 1, "prefill_tp": 1, "decode_dp_attention": True}, 8, "TP1,EP8,DPA"),
        ({"tp": 8, "decode_tp": 0, "prefill_num_workers": 2}, 16, "TP8"),
        ({"decode_tp": 4, "prefill_tp": 4, "decode_ep": 1, "prefill_ep": 1, "decode_pp": 2}, 8, "TP4,PP2"),
        ({"decode_tp": 0, "prefill_tp": 0}, None, None),
    ],
)
def test_chips_of_rows_that_are_not_disaggregated(changed: dict, chips: int | None, layout: str | None):
    run = one(api_row(**changed))
    assert (run.chips, run.layout) == (chips, layout)


def test_pipeline_ranks_may_stand_among_the_numbers():
    assert one(metrics(decode_pp=2, prefill_pp=2)).chips == 16
    assert one(metrics(prefill_pp=2)).chips == 16


def disaggregated(**changed) -> dict:
    row = api_row(disagg=True, is_multinode=True, prefill_tp=4, prefill_ep=4, prefill_num_workers=2, num_prefill_gpu=8)
    row |= {
        "decode_tp": 16,
        "decode_ep": 16,
        "decode_num_workers": 1,
        "num_decode_gpu": 16,
        "decode_dp_attention": True,
    }
    return row | changed


def test_disaggregated_rows_add_their_chips_and_divide_output_by_those_that_decode():
    run = one(disaggregated())
    assert run.chips == 24
    assert run.layout == "P 2x(TP4,EP4) + D 1x(TP16,EP16,DPA)"
    a_second = 2 / 9.706
    assert run.total_tok_s == pytest.approx(a_second * 8294.4 / 8 * 24)
    assert run.output_tok_s == pytest.approx(a_second * 921.6 / 8 * 16)


def test_missing_counts_of_a_disaggregated_row_come_from_its_engines():
    assert one(disaggregated(num_prefill_gpu=None, num_decode_gpu=None)).chips == 24
    unknown = one(disaggregated(num_prefill_gpu=None, prefill_num_workers=0))
    assert (unknown.chips, unknown.total_tok_s) == (None, None)


def test_output_above_the_total_is_left_out():
    run = one(agg(output_tput_per_gpu=10_000.0))
    assert run.output_tok_s is None and run.total_tok_s is not None
    assert "Its output throughput exceeds the total: the chips it is per are unclear; left out." in run.notes


# ─── Lengths ───


@pytest.mark.parametrize(
    ("isl", "osl", "read_in", "read_out"),
    [(1024, 1024, 921.6, 921.6), (1024, 8192, 921.6, 7372.8), (2048, 256, 2048, 256)],
)
def test_nominal_lengths(isl: int, osl: int, read_in: float, read_out: float):
    run = one(without(agg(isl=isl, osl=osl), "e2el"))
    assert (run.input_tokens, run.output_tokens) == (pytest.approx(read_in), pytest.approx(read_out))


def test_a_row_whose_own_means_say_that_lengths_were_kept():
    """0.5 + 1023 x 0.01 = 10.73: all 1,024 tokens."""
    run = one(agg(mean_e2el=10.73))
    assert (run.input_tokens, run.output_tokens, run.notes) == (8192, 1024, ())


def test_lengths_in_text_and_missing_ones():
    assert one(agg(isl="1024", osl="1024")).input_tokens == pytest.approx(921.6)
    run = one(agg(isl=None, osl=None))
    assert (run.input_tokens, run.output_tokens) == (None, None)


# ─── Names ───


@pytest.mark.parametrize(
    ("changed", "mtp"),
    [
        ({"spec_decoding": "mtp"}, True),
        ({"spec_decoding": "eagle"}, True),
        ({"spec_decoding": "none"}, False),
        ({"spec_decoding": "unknown"}, None),
        ({"spec_decoding": "none?"}, None),
        ({"spec_decoding": ""}, None),
    ],
)
def test_speculative_decoding(changed: dict, mtp: bool | None):
    assert one(agg(**changed)).mtp is mtp


def test_the_oldest_results_say_mtp_and_know_no_lengths():
    row = without(agg(), "spec_decoding", "isl", "osl", "disagg", "is_multinode", "input_tput_per_gpu", "image")
    run = one(row | {"mtp": "on"})
    assert (run.mtp, run.software, run.chips, run.input_tokens) == (True, "vllm", 8, None)
    assert one(row | {"mtp": "off"}).mtp is False


def test_an_address_must_be_one():
    assert one(api_row(run_url="javascript:alert(1)")).address is None


def test_zeros_are_absent():
    """Older rows have 0 where nothing was measured."""
    assert one(metrics(p99_ttft=0, median_tpot=0)).ttft.p99 is None


def test_rows_without_a_latency_are_left_out_and_counted():
    bare = api_row(metrics={"avg_power_w": 600.0})
    runs = read(text([api_row(), bare]))
    assert len(runs) == 1
    assert runs[0].notes[-1] == "1 of the file's 2 rows have no latency and are left out."
    with pytest.raises(InputError, match="f: row 2: it is not an object"):
        read(text([api_row(), 5]), "f")


def test_a_kind_of_run_that_is_not_known_is_an_error_or_left_out():
    strange = api_row(benchmark_type="multi_turn")
    with pytest.raises(
        InputError, match=r"f: its runs are of a kind that is not known: 'multi_turn'\. Known are single_turn"
    ):
        one(strange)
    (run,) = read(text([api_row(benchmark_type="single_turn"), strange]))
    assert run.notes[-1] == (
        "1 of the file's 2 rows have no latency or are of another kind (multi_turn) and are left out."
    )


# ─── Agentic ───


def test_recorded_sessions():
    row = without(api_row(isl=None, osl=None, benchmark_type="agentic_traces"), "metrics")
    row["metrics"] = {"mean_ttft": 1.3, "p50_ttft": 1.0, "p90_ttft": 3.3, "mean_itl": 0.03, "p50_itl": 0.029}
    row["metrics"] |= {"mean_ttlt": 14.6, "p90_intvty": 999.0, "tput_per_gpu": 100.0, "output_tput_per_gpu": 1.0}
    row["metrics"] |= {"mean_input_tokens": 140_000.0, "mean_output_tokens_actual": 444.0}
    run = one(row)
    assert (run.ttft, run.tpot) == (Spread(1.3, 1.0, 3.3), Spread(0.03, 0.029))
    assert (run.e2el.mean, run.output_tokens, run.input_tokens) == (14.6, 444, None)
    assert run.notes == ("Recorded agent sessions, mostly cached: how much of a prompt was new is not said.",)
    row["metrics"]["theoretical_cache_hit_rate"] = 0.95
    run = one(row)
    assert (run.input_tokens, run.context_tokens) == (pytest.approx(7_000), pytest.approx(133_000))
    assert "95% come from the cache (if the cache never loses anything)" in run.notes[0]
    row["metrics"]["server_gpu_cache_hit_rate"] = 0.9
    assert one(row).context_tokens == pytest.approx(126_000)


def test_recorded_sessions_in_the_nested_form():
    row = without(agg(), "ttft", "tpot", "e2el", "intvty", "per_gpu", "isl", "osl")
    latency = {"ttft": {"mean": 1.3, "p50": 1.0}, "tpot": {"mean": 0.03}, "e2el": {"mean": 14.6}}
    row |= {"scenario_type": "agentic-coding", "num_requests_total": 42, "num_requests_successful": 40}
    row["request_metrics"] = {
        "latency": latency,
        "tokens": {"input": {"mean": 1000.0}, "output_actual": {"mean": 444.0}},
        "throughput": {"output": {"tokens_per_second": 60.0}, "total": {"tokens_per_second": 200.0}},
        "cache": {"theoretical_cache_hit_rate": 0.9},
    }
    run = one(row)
    assert (run.ttft, run.tpot.mean, run.e2el.mean) == (Spread(1.3, 1.0), 0.03, 14.6)
    assert (run.input_tokens, run.context_tokens) == (pytest.approx(100), pytest.approx(900))
    assert (run.output_tok_s, run.total_tok_s) == (60, 200)
    assert (run.completed, run.failed) == (40, 2)


# ─── CSV ───


def test_every_number_of_the_dashboard_s_export():
    assert one(DASHBOARD.encode()) == Measurement(
        format="InferenceX",
        model="Small",
        hardware="b200",
        precision="fp8",
        software="vllm",
        mtp=True,
        layout="TP8,EP8,DPA",
        chips=8,
        concurrency=2,
        **NUMBERS,
        e2el=Spread(mean=9.706),
        output_tok_s=pytest.approx(23.74 * 8),
        total_tok_s=pytest.approx(213.6 * 8),
        date=dt.date(2026, 6, 11),
        address="https://example.org/runs/1",
        notes=(LENGTHS,),
    )


def test_the_export_of_today_says_chips():
    assert one(DASHBOARD.replace("/GPU", "/Chip").replace("GPUs", "Chips").encode()) == one(DASHBOARD.encode())


def test_a_disaggregated_row_of_the_dashboard():
    run = one(DASHBOARD.replace("false,64,64", "true,8,16").encode())
    assert (run.chips, run.layout) == (24, "P 8 + D 16 chips (TP8,EP8,DPA)")
    assert run.output_tok_s == pytest.approx(23.74 * 16)


def test_every_number_of_a_table_of_points():
    assert one(POINTS.encode()) == Measurement(
        format="InferenceX",
        model="Small",
        hardware="b200",
        precision="fp4",
        software="vllm (0.9)",
        layout="TP8,EP8",
        chips=8,
        concurrency=2,
        input_tokens=2048,
        output_tokens=256,
        ttft=Spread(mean=0.5),
        tpot=Spread(mean=0.01),
        total_tok_s=800,
        date=dt.date(2026, 5, 22),
        notes=("means only.", "From acme/runs."),
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (",0.5,,,10,", ",half,,,10,", "f: row 1: mean_ttft_s: 'half' is not a number"),
        (",0.5,,,10,", ",-0.5,,,10,", "f: row 1: mean_ttft_s: -0.5 is below zero"),
        (",0.5,,,10,", ",inf,,,10,", "f: row 1: mean_ttft_s: inf is not a number"),
        (",0.5,,,10,", ",0.5,,,1.1e9,", "f: row 1: mean_tpot_ms: no latency is 1.1e+06 s"),
        (",256,2,", ",256,2.5.1,", "f: row 1: concurrency: '2.5.1' is not a number"),
    ],
)
def test_a_wrong_cell_is_named(old: str, new: str, said: str):
    assert old in POINTS
    with pytest.raises(InputError) as caught:
        read(POINTS.replace(old, new).encode(), "f")
    assert str(caught.value).startswith(said)
