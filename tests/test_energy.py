"""Energy and price of a task: hand-computed, on one basis, at one operating point; accelerators."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from test_capacity import ONE, call, task, tool
from test_points import at, curve
from test_system import number

from agentcalc import catalog
from agentcalc.accelerators import Accelerator
from agentcalc.analysis.banded import Banded
from agentcalc.analysis.energy import PerKilowatt, Work, energy, point_words, rates, table, work
from agentcalc.analysis.energy_words import energy_line, points_apart, price_line, show_energy, show_usd
from agentcalc.errors import InputError, NotFoundError
from agentcalc.provenance import Grade
from agentcalc.system import System

BENCHMARK = task(call(922, 7373))
"""One call of the benchmark's lengths: 8,295 mixed tokens."""


def stated(mixed, where="its best", speed=None, basis="tdp") -> dict:
    found = {"mixed": number(mixed, "tok/s/kW", grade="reported"), "basis": basis, "at": where}
    return found if speed is None else found | {"speed": number(speed, "tok/s/user", grade="reported")}


def server(*points, accelerator="GB200", **keys) -> System:
    points = points or (at(4, 0.5, 5, chips=8, throughput=number(1200, "tok/s/chip")),)
    return curve(*points, accelerator=accelerator, fixed_share=ONE, **keys)


def test_calls_that_only_read_or_only_write_have_a_band_of_their_own():
    [found] = energy(task(call(0, 800)), [server()], trials=10)
    assert all(0 < x < 1e9 for point in found.points for b in (point.wh, point.per_hour_kw) for x in (b.low, b.high))
    with pytest.raises(InputError, match="its calls read no uncached token and write none"):
        energy(task(call(0, 0)), [server()], trials=10)


# Accelerators


def test_every_accelerator_has_a_power_and_a_source_for_every_number():
    for chip in catalog.accelerators().values():
        assert chip.power_kw("tdp") > 0
        assert chip.all_in is None or chip.power_kw("all-in") > chip.power_kw("tdp")
        for name, found in chip.numbers():
            assert catalog.source(found.source).address, name
            assert found.grade is Grade.REPORTED
        prices = [price.value for price in chip.prices.known().values()]
        assert prices == sorted(prices)


def test_figures_of_the_dashboard():
    gb300 = catalog.accelerator("gb300")
    assert (gb300.power_kw("tdp"), gb300.power_kw("all-in")) == (1.4, 2.12)
    assert [price.value for price in gb300.prices.known().values()] == [2.31, 2.79, 3.30]


def test_jalapeno_has_a_tdp_and_nothing_else():
    chip = catalog.accelerator("Jalapeño")
    assert (chip.power_kw("tdp"), chip.all_in, chip.prices.known()) == (0.7, None, {})
    with pytest.raises(NotFoundError, match="no all-in power is stated for Jalapeño"):
        chip.power("all-in")


def test_every_packaged_system_names_a_known_accelerator():
    for system in catalog.systems().values():
        assert catalog.accelerator(system.accelerator).power_kw("tdp") > 0


def test_an_unknown_accelerator_is_named():
    with pytest.raises(NotFoundError, match="accelerator 'TPU': its power is not stated"):
        catalog.accelerator("TPU")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"tdp": number(1.2, "kW")}, "use W"),
        ({"all_in": number(1870, "W")}, "use kW"),
        ({"tdp": number(0, "W")}, "power of 0"),
        ({"prices": {"rental": number(2, "s")}}, "use USD/h"),
    ],
)
def test_an_accelerator_with_a_wrong_unit_is_refused(wrong, says):
    written = {"id": "x", "label": "X", "vendor": "V", "tdp": number(700, "W")}
    with pytest.raises(ValidationError, match=says):
        Accelerator.model_validate(written | wrong)


# Packaged work per kilowatt


@pytest.mark.parametrize(
    ("name", "peak", "matched", "speed"),
    [
        ("jalapeno/gpt-oss-120b", 85448, 22935, 535.28),
        ("gb200/gpt-oss-120b", 44960, 427, 535.28),
        ("jalapeno/deepseek-r1", 19641, 12258, 169.41),
        ("gb300/deepseek-r1", 11781, 118, 169.41),
        ("jalapeno/kimi-k2.5", 18195, 6744, 182.46),
        ("gb300/kimi-k2.5", 11862, 120, 182.46),
    ],
)
def test_reported_work_per_kilowatt(name, peak, matched, speed):
    found = catalog.systems()[name].capacity
    assert [(c.mixed.value, c.basis, c.mixed.grade) for c in found] == [
        (peak, "tdp", Grade.REPORTED),
        (matched, "tdp", Grade.REPORTED),
    ]
    assert found[0].speed is None and found[1].speed.value == speed


def test_the_reported_figure_of_gb200_s_fastest_point_agrees_with_its_measured_row():
    """1 user, 8,295 tokens in 1.83 s on 9 chips of 1.2 kW: 420 tok/s/kW, against 427 reported."""
    found = [rate for rate in rates(catalog.load_single("gb200/gpt-oss-120b")) if rate.own]
    assert [rate.mixed.grade for rate in found] == [Grade.REPORTED, Grade.DERIVED]
    assert found[0].mixed.value / found[1].mixed.value == pytest.approx(1, abs=0.03)


# By hand


def test_energy_from_stated_tokens_per_chip():
    # 1,200 tok/s and chip of 1.2 kW: 1,000 tok/s/kW. 8,295 tokens take 8.295 kJ, and an hour has 434 of them.
    [found] = energy(BENCHMARK, [server()], trials=3)
    point = found.at("throughput")
    assert point.rate.mixed == PerKilowatt(pytest.approx(1000), "tdp", Grade.DERIVED, "lab")
    assert (point.wh.value, point.kj.value) == pytest.approx((8.295 / 3.6, 8.295))
    assert point.per_hour_kw.value == pytest.approx(3600 * 1000 / 8295)
    assert point.grade is Grade.DERIVED and point.wh.low == pytest.approx(point.wh.high)
    assert found.at("latency").rate is point.rate and points_apart(found) == ""


def test_all_in_power_gives_less_work_per_kilowatt():
    [found] = energy(BENCHMARK, [server()], basis="all-in", trials=3)
    assert found.at("throughput").rate.mixed.value == pytest.approx(1200 / 1.87)


def test_a_point_without_throughput_is_inferred_from_its_load():
    # 4 users, a call of 0.5 s + 921 x 5 ms = 5.105 s with 7,373 + 922 tokens, 8 chips
    bare = server(at(4, 0.5, 5, chips=8, ttft_at_tokens=7373))
    [rate] = rates(bare)
    assert rate.inferred and rate.mixed.value == pytest.approx(4 * 8295 / 5.105 / 8 / 1.2)
    [found] = energy(BENCHMARK, [bare], trials=3)
    # then tokens and time in the model say the same
    assert found.at("latency").wh_by_time.value == pytest.approx(found.at("latency").wh.value)
    assert rates(server(at(4, 0.5, 5, chips=8, ttft_at_tokens=900))) == ()
    assert rates(server(at(4, 0.5, 5, ttft_at_tokens=7373))) == ()


def test_energy_by_the_time_in_the_model():
    # 8 chips of 1.2 kW for 4 users: 2.4 kW for each, for the 5.105 s of the call
    [found] = energy(task(call(922, 7373), tool(60)), [server()], trials=3)
    assert found.at("latency").wh_by_time.value == pytest.approx(2.4 * 5.105 / 3.6)


def test_what_is_measured_or_stated_comes_before_what_is_inferred():
    points = (at(4, 0.5, 5, chips=8, ttft_at_tokens=7373), at(64, 0.5, 5, chips=8, ttft_at_tokens=7373))
    both = server(*points, capacity=[stated(1000)])
    [found] = energy(BENCHMARK, [both], trials=3)
    assert max(rate.mixed.value for rate in rates(both)) > 1000
    assert found.at("throughput").rate.mixed.value == 1000
    [alone] = energy(BENCHMARK, [server(*points)], trials=3)
    assert alone.at("throughput").rate.at == "64 users on 8 chips"


@pytest.mark.parametrize(
    ("tokens", "low", "value", "high"),
    [
        ((7373, 0, 922), 8295, 8295, 8295),
        ((7373, 0, 0), 7373, 7373, 8295),
        ((0, 0, 922), 922, 922, 8295),
        ((7373, 5000, 1844), 8295, 9217, 16590),
    ],
)
def test_tokens_of_another_mix_have_a_band_from_all_input_to_all_output(tokens, low, value, high):
    found = Work(*tokens, Banded(1, 1, 1), Banded(1, 1, 1)).tokens
    assert (found.low, found.value, found.high) == pytest.approx((low, value, high))


@given(st.floats(1, 1e6), st.floats(1, 1e6))
def test_whatever_an_input_and_an_output_token_cost_the_energy_lies_in_the_band(uncached, output):
    found = Work(uncached, 0, output, Banded(1, 1, 1), Banded(1, 1, 1)).tokens
    for share in (0, 0.3, 0.9, 1):
        # share: of the benchmark call's cost that is input
        cost = 8295 * (share * uncached / 7373 + (1 - share) * output / 922)
        assert found.low * (1 - 1e-9) <= cost <= found.high * (1 + 1e-9)


def test_cached_tokens_cost_nothing_and_are_said():
    cached = task(call(922, 7373), context_tokens=50_000, cached_tokens=50_000)
    [found] = energy(cached, [server()], trials=3)
    assert found.work.cached == 50_000 and found.at("throughput").wh.value == pytest.approx(8.295 / 3.6)
    assert found.at("throughput").grade is Grade.ASSUMED
    assert found.assumptions == ("Its 50,000 cached tokens are taken to cost nothing.",)


def test_every_attempt_costs_energy():
    found = work(task(call(922, 7373, failure_probability=1.0, max_attempts=3)), server(), trials=3)
    assert (found.uncached, found.output) == (3 * 7373, 3 * 922)


def test_the_price_of_a_place_kept_and_of_one_shared():
    # 8 chips at 1.86 USD/h for 4 users: 3.72 USD an hour each; 65.105 s of a task, 5.105 s of them in the model
    [found] = energy(task(call(922, 7373), tool(60)), [server()], trials=3)
    cheap = found.prices[0]
    assert (cheap.tier, cheap.grade) == ("hyperscaler", Grade.DERIVED)
    assert cheap.kept.value == pytest.approx(3.72 * 65.105 / 3600)
    assert cheap.shared.value == pytest.approx(3.72 * 5.105 / 3600)


def test_no_price_where_none_is_public_or_the_load_is_not_stated():
    def why(system):
        [found] = energy(BENCHMARK, [system], trials=3)
        assert found.prices == ()
        return price_line(found)

    assert why(server(accelerator="Jalapeño")) == "Lab: no public price of Jalapeño."
    assert "chips and load of the operating point are not stated" in why(server(at(4, 0.5, 5)))


# Apart


def test_work_per_kilowatt_on_two_bases_is_never_compared():
    tdp, all_in = (PerKilowatt(value, basis, Grade.REPORTED, "lab") for value, basis in ((10, "tdp"), (5, "all-in")))
    assert tdp.over(PerKilowatt(5, "tdp", Grade.REPORTED, "lab")) == 2
    with pytest.raises(InputError, match="per kW of package TDP, the other of all-in power"):
        tdp.over(all_in)


def test_a_basis_that_nobody_states_is_refused_and_figures_of_the_other_are_left_out():
    with pytest.raises(NotFoundError, match="no all-in power is stated for Jalapeño"):
        energy(BENCHMARK, [server(), server(accelerator="Jalapeño")], basis="all-in", trials=3)
    both = server(at(None, 0.5, 5), capacity=[stated(1000), stated(600, basis="all-in")])
    assert [rate.mixed.value for rate in rates(both, "all-in")] == [600]


def test_a_warning_where_latency_and_work_are_of_two_points():
    [found] = energy(BENCHMARK, [catalog.load_single("jalapeno/gpt-oss-120b")], trials=3)
    assert found.at("latency") is None and found.at("matched").rate.speed == 535.28
    assert points_apart(found) == (
        "Jalapeño does 85,448 tok/s/kW at its highest throughput; nobody states its work per kW at the point of its "
        "task time. Do not combine the two."
    )
    apart = server(at(4, 0.5, 5, chips=8, ttft_at_tokens=7373), capacity=[stated(9000, speed=40.0)])
    [found] = energy(BENCHMARK, [apart], trials=3)
    assert points_apart(found) == (
        "Lab does 9,000 tok/s/kW at its best (40 tok/s per user) and 677 where its task time is taken. "
        "Do not combine the two."
    )


def test_a_stated_point_of_the_system_s_own_speed_is_its_own():
    # 5 ms a token are 200 tok/s per user
    [found] = energy(BENCHMARK, [server(at(4, 0.5, 5), capacity=[stated(900, speed=201.0)])], trials=3)
    assert found.at("latency").rate.own and found.at("latency").rate.mixed.value == 900
    [other] = energy(BENCHMARK, [server(at(4, 0.5, 5), capacity=[stated(900, speed=210.0)])], trials=3)
    assert other.at("latency") is None and other.at("matched").rate.mixed.value == 900


# Words


def test_the_more_frugal_system_is_named_with_its_ratio():
    pair = [catalog.load_single(name) for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1")]
    found = energy(BENCHMARK, pair, trials=3)
    assert energy_line(found) == (
        "A task takes 0.12\u00a0Wh on Jalapeño where it does most work, 0.20\u00a0Wh on GB300 (per kW of package TDP): "
        "1.7× less on Jalapeño."
    )
    # Of the point of its task time nobody states Jalapeño's.
    assert energy_line(found, "latency").startswith("A task takes") and "Jalapeño" not in energy_line(found, "latency")


def test_a_winner_inside_the_band_is_too_close_to_call():
    pair = [catalog.load_single(name) for name in ("gb300/deepseek-r1", "jalapeno/deepseek-r1")]
    line = energy_line(energy(task(call(922, 900)), pair, trials=3))
    assert line.startswith("Too close to call: a task takes ") and "less on" not in line


def test_nothing_stated_leaves_no_sentence():
    [found] = energy(BENCHMARK, [server(at(None, 0.5, 5))], trials=3)
    assert (found.points, energy_line([found]), points_apart(found)) == ((), "", "")
    assert len(table([found])) == 0


@pytest.mark.parametrize(
    ("wh", "shown"), [(0.0123, "0.012 Wh"), (9.96, "10 Wh"), (640, "640 Wh"), (999.7, "1.0 kWh"), (2345, "2.3 kWh")]
)
def test_energies_as_shown(wh, shown):
    assert show_energy(wh) == shown.replace(" ", "\u00a0")


@pytest.mark.parametrize(
    ("usd", "shown"), [(0.00849, "USD 0.0085"), (0.3399, "USD 0.34"), (1.2, "USD 1.20"), (12.3, "USD 12")]
)
def test_prices_as_shown(usd, shown):
    assert show_usd(usd) == shown.replace(" ", "\u00a0")


def test_points_in_words():
    found = server(at(1, 0.5, 5, chips=1), at(2, 0.5, 5), at(None, 0.5, 5)).points
    assert [point_words(point) for point in found] == ["1 user on 1 chip", "2 users", "an unstated load"]


def test_a_table_has_a_row_a_point_and_units_in_its_names():
    found = energy(BENCHMARK, [catalog.load_single("jalapeno/deepseek-r1"), server()], trials=3)
    rows = table(found)
    assert rows.which.tolist() == ["throughput", "matched", "throughput", "latency"]
    assert rows.usd_rental_kept.notna().tolist() == [False, False, True, True]
    assert (rows.wh * 3.6).tolist() == pytest.approx(rows.kj.tolist())


def test_refusals():
    with pytest.raises(InputError, match="not a deployment"):
        energy(BENCHMARK, [catalog.load_system("main=gb200/gpt-oss-120b,router=jalapeno/gpt-oss-120b")])
    with pytest.raises(InputError, match="no system is given"):
        energy(BENCHMARK, [])
    with pytest.raises(InputError, match="makes no calls"):
        energy(task(tool(1)), [server()], trials=3)
    with pytest.raises(InputError, match="out of reach"):
        energy(BENCHMARK, [server()], trials=0)
