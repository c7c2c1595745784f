"""What observers keep of forks and joins."""

from types import SimpleNamespace

import numpy as np
import pytest

from agentcalc.simulate.joins import Joins, places


def test_forks_are_numbered_and_their_joins_found_by_run():
    joins = Joins()
    first, second = joins.forked(None), joins.forked(None)
    end = np.array([[4.0, 5.0], [6.0, 7.0]])
    joins.joined(second, SimpleNamespace(trial=np.array([30, 10])), end, [], [])
    end += 100  # an observer keeps what was
    stops = joins.stops({second}, places(np.array([10, 20, 30])), 3)
    assert first != second and list(stops) == [second]
    assert stops[second].tolist() == [[5, np.inf, 4], [7, np.inf, 6]]


def test_what_was_kept_of_a_block_is_forgotten_with_it():
    joins = Joins()
    fork = joins.forked(None)
    joins.joined(fork, SimpleNamespace(trial=np.array([0])), np.array([[1.0]]), [], [])
    joins.forget()
    with pytest.raises(KeyError):
        joins.stops({fork}, places(np.array([0])), 1)
