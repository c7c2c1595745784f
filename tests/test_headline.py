"""The answer in words: each case of the table with its exact text, and numbers that agree by hand."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentcalc.analysis.agreement import agree
from agentcalc.analysis.headline import CASES, break_even_line, headline
from agentcalc.provenance import Grade
from agentcalc.results import COMPONENTS, Basis, Comparison, PairResult, SystemResult, standard_error, statistics
from agentcalc.system import System
from agentcalc.task import Task

UNKNOWN = "how its first-token time grows with the prompt"
DEPENDS = "how Jalapeño's first-token time grows with the prompt"


def a_system(label="Jalapeño", *, vendor="OpenAI", ttft=0.4, speed=1000.0, model="m", fixed=0.26, **rest):
    number = {"grade": "assumed", "source": "here"}
    return System.model_validate(
        {
            "id": re.sub(r"[^a-z0-9]", "", label.lower()) + f"/{model}",
            "label": label,
            "accelerator": label,
            "vendor": vendor,
            "model": model,
            "points": [
                {
                    "ttft": {"value": ttft, "unit": "s", **number},
                    "ttft_at_tokens": 7373,
                    "tpot": {"value": speed, "unit": "tok/s/user", **number},
                }
            ],
            "fixed_share": {"value": fixed, "unit": "share", **number},
            "headline": "made by hand",
        }
        | rest
    )


def a_comparison(
    b=58.0,
    c=32.0,
    *,
    specs=None,
    p95=None,
    mean=None,
    tool=20.0,
    human=0.0,
    ceiling=2.8,
    calls=3.6,
    n_calls=8.0,
    saved=None,
    band=None,
    seconds=None,
    candidate_s=None,
    compounded=0.0,
    causes=None,
    accumulated=None,
    retry=(0.0, 0.0),
    fresh=900.0,
    written=214.0,
    meet=None,
    meets=None,
):
    """A comparison with the numbers a sentence needs: b, c, p95, mean are seconds of the baseline and the candidate."""
    specs = specs or (a_system("GB300", vendor="NVIDIA"), a_system())
    mean, p95 = mean or (b, c), p95 or (4 * b, 4 * c)
    seconds = np.array([[b] * 4, [c] * 4]) if seconds is None else seconds
    unknown = Basis(specs[1].id, "fixed_share", 0.5, "share", Grade.ASSUMED, "here", None, (0, 1), UNKNOWN, True, 1.0)

    def one(i, row, waste):
        task_s = {"p50": (b, c)[i], "mean": mean[i], "p95": p95[i]}
        parts = dict.fromkeys(COMPONENTS, 0.0) | {"tool": tool, "human": human, "retry": waste}
        band_s = {by: (value, value) for by, value in task_s.items()}
        if i and candidate_s:
            band_s["p50"] = candidate_s
        return SystemResult(
            id=specs[i].id,
            label=specs[i].label,
            task_s=statistics(row) | task_s,
            mean_se_s=0.0,
            task_se_s={},
            without_people_s={"mean": mean[i]},
            components_s=parts,
            model_share=0.5,
            calls={"mean": n_calls},
            exhausted_share=0.0,
            extrapolated_share=0.0,
            reach=None,
            grade=Grade.ASSUMED,
            assumptions=(),
            band_s=band_s,
            deadline=None,
            basis=(unknown,) if i and band else (),
        )

    ratios = {"p50": b / c if c else 1.0, "mean": mean[0] / mean[1] if c else 1.0, "p95": p95[0] / p95[1] if c else 1.0}
    half, average = saved or (b - c, mean[0] - mean[1])
    pair = PairResult(
        baseline=specs[0].id,
        candidate=specs[1].id,
        speedup={"of_means": ratios["mean"]},
        speedup_band={by: (band or (value, value)) for by, value in ratios.items()},
        saved_s={"mean": average, "p50": half},
        accumulated_s=(mean[0] - mean[1] - compounded) if accumulated is None else accumulated,
        compounded_s=compounded,
        compounded_by_s=causes or {},
        per_call_speedup={"mean": calls, "min": calls, "max": calls},
        ceiling=ceiling,
        candidate_wins=1.0,
        break_even_output_tokens=meet,
        break_even_band=meets,
        call_uncached_tokens=fresh if n_calls else None,
        call_context_tokens=fresh if n_calls else None,
        call_output_tokens=written if n_calls else None,
        different_models=False,
        ceilings={by: ceiling for by in ratios},
    )
    task = Task.model_validate({"name": "t", "steps": [{"kind": "tool_wait", "seconds": 1}]})
    return Comparison(
        task=task,
        specs=specs,
        n_trials=seconds.shape[1],
        seed=7,
        systems=tuple(one(i, seconds[i], retry[i]) for i in range(2)),
        pairs=(pair,),
        warnings=(),
        task_seconds=seconds,
        without_people_seconds=seconds,
        calls=np.ones(seconds.shape),
        again=lambda trials, observer: None,
    )


def spread(b, c, n=40_000):
    """Seconds of n trials around b and c that differ from trial to trial."""
    wave = 1 + 0.01 * np.sin(np.arange(n))
    return np.array([b * wave, c * wave])


def words(comparison, **rest):
    said = headline(comparison, **rest)
    return said.case, *(line.replace("\u00a0", " ") for line in said.lines)


def test_usual():
    made = a_comparison(57.6, 32.2, ceiling=2.82, saved=(18.0, 36.0), p95=(244.0, 203.0), seconds=spread(57.6, 32.2))
    assert words(made) == (
        "usual",
        "Jalapeño takes 32 s instead of 58 s: 1.8× faster",
        "The calls alone are 3.6× faster; tools take 20 s on both, so no system could make it more than 2.8× faster.",
        "Half of all runs save more than 18 s; 1,000 runs save 10 hours. Slow runs gain less: 1.2× at p95.",
    )
    said = headline(made)
    assert (said.subject, said.subject_label) == ("candidate", "Jalapeño")
    assert said.ratios == pytest.approx({"p50": 57.6 / 32.2, "mean": 57.6 / 32.2, "p95": 244 / 203})


def test_a_stronger_rival_stays_last_and_takes_the_place_of_slow_runs():
    made = a_comparison(57.6, 32.2, saved=(18.0, 36.0), p95=(244.0, 203.0), seconds=spread(57.6, 32.2))
    expected = "Half of all runs save more than 18 s; 1,000 runs save 10 hours. Against GB300 with MTP: 1.4×."
    assert words(made, rival=("GB300 with MTP", 1.4))[3] == expected
    specs = (a_system("GB300", vendor="NVIDIA", mtp=True), a_system())
    assert words(made, rival=a_comparison(45.0, 32.2, specs=specs))[3] == expected


def test_average_subtracts_means_and_slow_says_so():
    made = a_comparison(57.6, 32.2, mean=(126.0, 90.0), p95=(244.0, 203.0), seconds=spread(126, 90))
    assert words(made, by="mean")[1] == (
        "Jalapeño takes 90 s instead of 2 min 6 s on average: 36 s sooner, 1.4× faster"
    )
    assert words(made, by="p95")[1] == (
        "On slow runs (p95) Jalapeño takes 3 min 23 s instead of 4 min 4 s: 1.2× faster"
    )
    with pytest.raises(ValueError, match="p50, mean, p95"):
        headline(made, by="p90")


def test_tools_and_people():
    both = a_comparison(57.6, 32.2, human=4.0)
    assert "; tools and people take 21 s on both, so" in words(both)[2]
    alone = a_comparison(57.6, 32.2, tool=0.0, human=4.0)
    assert "; people take 21 s on both, so" in words(alone)[2]
    assert words(a_comparison(57.6, 32.2, human=4.0), by="mean")[2].startswith(
        "The calls alone are 3.6× faster; tools and people take 24 s on both"
    )


def test_same():
    specs = (a_system(), a_system())
    assert words(a_comparison(5.0, 5.0, specs=specs)) == ("same", "Both sides are Jalapeño. Choose another candidate.")


def test_not_known_yet():
    made = a_comparison(
        0.9, 0.5, specs=(a_system("GB200", vendor="NVIDIA"), a_system()), band=(0.9, 2.7), candidate_s=(0.33, 1.0)
    )
    assert words(made) == (
        "not known yet",
        "Not known yet: Jalapeño takes 0.33 s to 1.00 s, GB200 0.90 s",
        f"It depends on {DEPENDS}, which OpenAI has not published.",
    )


def test_too_close_because_unknown():
    made = a_comparison(
        43.0, 41.0, specs=(a_system("GB200", vendor="NVIDIA"), a_system()), band=(0.9, 1.1), candidate_s=(39.0, 48.0)
    )
    assert words(made) == (
        "too close",
        "Too close to call: 41 s on Jalapeño against 43 s on GB200",
        f"It depends on {DEPENDS}, which OpenAI has not published: Jalapeño takes 39 s to 48 s.",
    )


def test_too_close_because_small():
    assert words(a_comparison(41.0, 41.0, calls=1.0)) == (
        "too close",
        "Too close to call: 41 s on Jalapeño against 41 s on GB300",
        "The difference is smaller than 3%.",
    )
    assert words(a_comparison(42.0, 41.0))[0] == "too close"
    assert words(a_comparison(20.0, 20.0, n_calls=0.0, calls=None, ceiling=1.0))[2] == (
        "This task makes no model calls, so the system makes no difference."
    )


GPT_OSS = (
    a_system("GB200", vendor="NVIDIA", ttft=0.107, speed=535.28, model="gpt-oss-120b"),
    a_system(ttft=0.4, speed=1459.0, model="gpt-oss-120b"),
)


def test_slower():
    made = a_comparison(0.385, 0.502, specs=GPT_OSS, fresh=7373.0, written=150.0, meet=248.0, tool=0.0, ceiling=None)
    assert words(made) == (
        "slower",
        "GB200 finishes first: 0.39 s instead of 0.50 s on Jalapeño",
        "Calls here write about 150 tokens. Jalapeño's first token comes 0.29 s later, and its faster writing only "
        "catches up at about 250 tokens.",
    )
    said = headline(made)
    assert (said.subject, said.subject_label) == ("baseline", "GB200")
    assert words(made, by="mean")[1] == "GB200 finishes first on average: 0.39 s instead of 0.50 s on Jalapeño"


def test_slower_for_other_reasons():
    slow = (a_system("Fast", ttft=0.1, speed=500.0), a_system("Slow", ttft=0.4, speed=100.0))
    assert words(a_comparison(1.0, 2.0, specs=slow, fresh=7373.0))[2] == (
        "Calls here write about 210 tokens. Slow's first token comes 0.30 s later and it writes more slowly, "
        "so it never catches up."
    )
    early = (a_system("Fast", ttft=0.4, speed=500.0), a_system("Slow", ttft=0.1, speed=100.0))
    assert words(a_comparison(1.0, 2.0, specs=early, fresh=7373.0, meet=38.5))[2] == (
        "Calls here write about 210 tokens. Slow's first token comes 0.30 s sooner, but Fast's faster writing "
        "catches up at about 38 tokens."
    )


def test_tools_dominate():
    made = a_comparison(360.2, 335.0, ceiling=360.2 / 323, tool=323.0, seconds=spread(360.2, 335), saved=(20.0, 25.2))
    assert words(made) == (
        "tools dominate",
        "Faster calls hardly help here: 5 min 35 s instead of 6 min",
        "Tools take 5 min 23 s on both. Even an instant model would gain only 1.12×.",
        "Half of all runs save more than 20 s; 1,000 runs save 7 hours.",
    )


def test_compounds():
    made = a_comparison(100.0, 50.0, compounded=20.0, ceiling=5.0, causes={"retry": 25.0, "refill": 0.5})
    assert words(made)[:3] == (
        "compounds",
        "Jalapeño takes 50 s instead of 1 min 40 s: 2.0× faster, more than its calls alone",
        "The calls alone would give 1.4×; the rest, 20 s a run on average, comes from timeouts it no longer hits.",
    )


@pytest.mark.parametrize("ceiling", [None, 21.0])
def test_only_calls(ceiling):
    made = a_comparison(1.801, 1.031, ceiling=ceiling, tool=0.0)
    assert words(made) == (
        "only calls",
        "Jalapeño takes 1.03 s instead of 1.80 s: 1.7× faster",
        "Nothing else takes time, so the task gains what its calls gain.",
        "Every run saves 0.77 s; 1,000 runs save 13 minutes.",
    )


def test_simulation_error_is_said_once():
    wild = np.random.default_rng(1).lognormal(np.log([[57.6], [32.2]]), 1.5, (2, 2_000))
    title = words(a_comparison(57.6, 32.2, seconds=wild))[1]
    assert title == "Jalapeño takes about 32 s instead of 58 s: 1.8× faster"


def test_nothing_takes_time():
    assert words(a_comparison(0.0, 0.0, calls=None, n_calls=0.0, ceiling=None))[1] == (
        "Too close to call: 0 s on Jalapeño against 0 s on GB300"
    )


def test_an_infinitely_fast_candidate():
    made = a_comparison(58.0, 1e-9, ceiling=None)
    assert words(made)[0] == "only calls"
    gone = a_comparison(58.0, 0.0, ceiling=None, band=(float("inf"), float("inf")))
    assert words(gone)[1] == "Jalapeño takes no time instead of 58 s"
    assert "∞" not in "".join(words(gone))


def test_systems_with_one_label_are_told_apart():
    specs = (a_system(model="kimi-k2.5", model_label="Kimi K2.5"), a_system(model="deepseek-r1", ttft=0.3))
    assert words(a_comparison(20.0, 10.0, specs=specs))[1] == (
        "Jalapeño (deepseek-r1) takes 10 s instead of 20 s: 2.0× faster"
    )


def test_slow_runs_that_lose_are_not_called_a_gain():
    made = a_comparison(57.6, 32.2, p95=(90.0, 100.0), seconds=spread(57.6, 32.2))
    assert words(made)[3].endswith("Slow runs finish later: 0.90× at p95.")


def test_losing_runs_are_not_called_savings():
    made = a_comparison(57.6, 32.2, saved=(-1.0, -2.0), seconds=spread(57.6, 32.2))
    assert "save" not in words(made)[-1]


def test_case_names():
    assert [case[0] for case in CASES] == [
        "same", "not known yet", "too close", "slower", "tools dominate", "compounds", "only calls", "usual"
    ]  # fmt: skip


# Numbers that agree on a pocket calculator


def read(text):
    """Seconds of a shown time."""
    parts = re.findall(r"([\d.,]+)\u00a0(h|min|ms|s)\b", text)
    in_s = {"h": 3600, "min": 60, "s": 1, "ms": 1e-3}
    return sum(float(n.replace(",", "")) * in_s[unit] for n, unit in parts)


@settings(max_examples=400, deadline=None)
@given(st.floats(0.02, 2e4), st.floats(1.031, 80))
def test_three_numbers_agree(c, ratio):
    b = c * ratio
    said = agree(b, c)
    shown = float(said.ratio.rstrip("×").replace(",", ""))
    by_hand = read(said.b) / read(said.c)
    decimals = len(said.ratio.rstrip("×").partition(".")[2])
    assert abs(by_hand - shown) <= 0.5 * 10**-decimals + 1e-9
    assert abs(shown - ratio) <= 1.01 * 10**-decimals
    assert read(said.difference) == pytest.approx(read(said.b) - read(said.c), abs=1e-9 * b)


@settings(max_examples=100, deadline=None)
@given(st.floats(0.02, 2e4), st.floats(1.15, 15))
def test_the_sentence_agrees_with_itself(c, ratio):
    made = a_comparison(c * ratio, c, ceiling=None, tool=0.0)
    title = headline(made, by="mean").title
    first, second, sooner, times = re.fullmatch(
        r"Jalapeño takes (.*) instead of (.*) on average: (.*) sooner, (.*)× faster", title
    ).groups()
    assert read(sooner) == pytest.approx(read(second) - read(first), abs=1e-6)
    assert abs(read(second) / read(first) - float(times)) <= (0.05 if float(times) < 10 else 0.5) + 1e-9


def test_digits_are_added_only_where_needed():
    said = agree(57.6, 32.2)
    assert (said.b, said.c, said.ratio) == ("58\u00a0s", "32\u00a0s", "1.8×")
    said = agree(11.4, 9.96)  # 11 / 10 would read 1.10
    assert (said.b, said.c, said.ratio) == ("11.4\u00a0s", "10.0\u00a0s", "1.14×")


def test_standard_errors():
    seconds = np.random.default_rng(3).normal(100.0, 10.0, 20_000)
    assert standard_error(seconds, "mean") == pytest.approx(10 / np.sqrt(20_000), rel=0.05)
    assert standard_error(seconds, "p50") == pytest.approx(1.2533 * 10 / np.sqrt(20_000), rel=0.2)
    assert standard_error(seconds, "p95") == pytest.approx(2.11 * 10 / np.sqrt(20_000), rel=0.2)
    assert standard_error(np.full(50, 3.0), "p50") == 0
    assert standard_error(np.array([3.0]), "p50") == np.inf


# The break-even


def the_line(**rest):
    said = break_even_line(a_comparison(5.0, 4.0, **{"specs": GPT_OSS} | rest))
    return said and said.replace("\u00a0", " ")


def test_break_even_inside_its_band_is_too_close():
    assert the_line(meet=87.3, meets=(9.0, 310.0), band=(0.9, 1.4)) == (
        "Too close to call at this task's call lengths (about 210 tokens written): GB200 finishes a call first below "
        "about 87 tokens (anywhere from 9 to 310, not known better), at this task's 900 fresh tokens a "
        "call; Jalapeño above."
    )


def test_break_even_beside_its_band():
    assert the_line(meet=87.3, meets=(9.0, 310.0), written=700.0) == (
        "GB200 finishes a call first below about 87 tokens (anywhere from 9 to 310, not known better), at this task's "
        "900 fresh tokens a call; Jalapeño above. Calls here write about 700 tokens."
    )
    assert the_line(meet=87.3, meets=(9.0, 310.0), band=(1.2, 1.4)).endswith("Calls here write about 210 tokens.")
    assert "(anywhere up to 310, not known better)" in the_line(meet=87.3, meets=(None, 310.0), written=700.0)


def test_break_even_where_nothing_is_unknown():
    assert the_line(meet=248.0, fresh=7373.0, meets=(248.0, 248.0)) == (
        "GB200 finishes a call first below about 250 tokens, at this task's 7,400 fresh tokens a call; Jalapeño above. "
        "Calls here write about 210 tokens."
    )


def test_break_even_far_from_the_calls_of_another_model_is_not_said():
    specs = tuple(replace_model(spec) for spec in GPT_OSS)
    assert the_line(specs=specs, meet=2.0, meets=(1.5, 3.0)) is None
    assert the_line(specs=specs, meet=100.0, meets=(90.0, 120.0)) is not None
    assert the_line(n_calls=0.0) is None


def replace_model(spec):
    return spec.model_copy(update={"model": "other"})


def test_no_break_even_on_the_model_where_it_is_always_said():
    fast = (GPT_OSS[0], a_system(ttft=0.05, speed=1459.0, model="gpt-oss-120b"))
    assert the_line(specs=fast) == (
        "Jalapeño finishes a call before GB200 at any length, at this task's 900 fresh tokens a call."
    )


def test_results_are_values():
    made = a_comparison()
    with pytest.raises(AttributeError):
        headline(made).title = "other"
    assert replace(headline(made), why="").lines == (headline(made).title, headline(made).so_what)
