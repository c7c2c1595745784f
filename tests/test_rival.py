"""The stronger rival that a sceptic asks about."""

import pytest

from agentcalc import catalog
from agentcalc.analysis.rival import stronger_rival


@pytest.mark.parametrize(
    ("baseline", "candidate", "rival"),
    [
        ("gb300/deepseek-r1", "jalapeno/deepseek-r1", "gb300-mtp/deepseek-r1"),
        ("h200/deepseek-r1", "jalapeno/deepseek-r1", "gb300-mtp/deepseek-r1"),
        ("gb300-mtp/deepseek-r1", "jalapeno/deepseek-r1", None),
        ("gb300/deepseek-r1", "jalapeno/gpt-oss-120b", None),
        ("gb200/gpt-oss-120b", "jalapeno/gpt-oss-120b", None),
        ("gb300/deepseek-r1@15", "jalapeno/deepseek-r1", None),
        ("main=gb300/deepseek-r1,router=gb300/kimi-k2.5", "jalapeno/deepseek-r1", None),
    ],
)
def test_the_rival_of_a_pair(baseline, candidate, rival):
    pair = (catalog.load_system(name) for name in (baseline, candidate))
    found = stronger_rival(*pair, catalog.systems().values())
    assert (found and found.id) == rival
