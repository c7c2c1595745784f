"""At which load systems are compared."""

import pytest
from click.testing import CliRunner
from test_points import at
from test_system import number, system

from agentcalc.cli.main import cli
from agentcalc.errors import InputError, NotFoundError
from agentcalc.loads import Load, at_load, read_load, work_per_kw


def busy(*rows, **keys):
    """A curve on GB200 (1.2 kW of package TDP): (concurrency, TTFT s, TPOT ms, tok/s/chip)."""
    points = [at(c, ttft, tpot, throughput=number(work, "tok/s/chip")) for c, ttft, tpot, work in rows]
    return system(points=points, accelerator="GB200", **keys)


def test_what_a_load_may_be():
    assert read_load("best") == Load()
    assert read_load("16") == Load(concurrency=16)
    assert read_load("5000 tok/s/kW") == Load(work=5000)
    for text in ("", "0", "-1", "1e3", "many", "0tok/s/kW", "5 kW"):
        with pytest.raises(InputError, match="is no load"):
            read_load(text)


def test_equal_concurrency():
    one, two = at_load([busy((4, 0.1, 2, 10), (16, 0.4, 8, 40)), busy((8, 0.3, 3, 10))], Load(concurrency=8))
    assert one.point.ttft.seconds() == pytest.approx(0.2) and one.point.between == (4, 16)
    assert two.point.between is None


def test_equal_work_per_kilowatt():
    curve = busy((4, 0.1, 2, 1200), (16, 0.4, 8, 4800))
    assert work_per_kw(curve, curve.point) == pytest.approx(1000)
    # 2,000 is halfway between 1,000 and 4,000 in logarithms, and so is a concurrency of 8
    (found,) = at_load([curve], read_load("2000tok/s/kW"))
    assert found.point.concurrency == 8 and work_per_kw(curve, found.point) == pytest.approx(2000)
    with pytest.raises(NotFoundError, match="They go from 1,000 to 4,000 tok/s/kW"):
        at_load([curve], read_load("5000tok/s/kW"))
    with pytest.raises(NotFoundError, match="no curve of it says how much work it does"):
        at_load([system()], read_load("5000tok/s/kW"))


def test_each_at_its_best():
    slow_first = busy((16, 0.4, 8, 40), (4, 0.1, 2, 10))
    (found,) = at_load([slow_first], Load())
    assert found.point.concurrency == 4 and len(found.points) == 2


def test_the_command_says_at_which_load():
    shown = CliRunner().invoke(cli, ["compare", "benchmark-call", "--at", "best", "--trials", "5"])
    assert shown.exit_code == 0 and shown.stdout.startswith("Each at its best: ")
    refused = CliRunner().invoke(cli, ["compare", "benchmark-call", "-s", "jalapeno/deepseek-r1", "--at", "16"])
    assert refused.exit_code == 1 and "so it has no curve" in refused.stderr
