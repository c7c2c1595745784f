"""Agents that share a server, each either in the model or thinking: how many are in the model at once.

A closed queueing network of two stations: thinking (everybody at once, Z seconds in the mean) and a server whose total
rate depends on how many are there. Its stationary distribution is the product form of Baskett, Chandy, Muntz and
Palacios (Open, closed, and mixed networks of queues with different classes of customers, J. ACM 22, 1975); for two
stations it is the finite-source model of every textbook (Lazowska and others, Quantitative System Performance, 1984,
chapter 8, load-dependent service centres). Where all who are served share the server's rate alike, as calls in one
batch do, only the means matter, not how tool waits and calls are distributed around them. Among those who wait for a
place that is no longer exact, but the rate is then the server's most.

The plain fixed point, in which every call sees the mean concurrency, is off where the server is just full: it knows no
queue as long as the mean fits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shared:
    """What some agents get of a server. inside [agents + 1]: the chance of 0, 1, ... being in the model, waiting for a
    place included; per_s: visits that end a second; in_service, waiting: mean numbers.
    """

    inside: np.ndarray
    per_s: float
    in_service: float
    waiting: float

    @property
    def service_s(self) -> float:
        """Mean seconds of a visit while it is served (Little's law)."""
        return self.in_service / self.per_s

    @property
    def wait_s(self) -> float:
        """Mean seconds that a visit waits for a place."""
        return self.waiting / self.per_s


def share(think_s: float, rates: np.ndarray, places: float) -> Shared:
    """The stationary state of N agents.

    think_s: mean seconds between two visits, 0 for none; rates [N]: visits that end a second with 1, ..., N agents in
    the model, all above 0; places: how many can be served at once.

    P(m) is proportional to the product over j = 1..m of (N - j + 1) / (think_s rates[j - 1]).
    """
    agents = len(rates)
    inside = np.zeros(agents + 1)
    if think_s > 0:
        left = np.arange(agents, 0, -1.0)
        logs = np.concatenate([[0.0], np.cumsum(np.log(left) - np.log(think_s) - np.log(rates))])
        inside = np.exp(logs - logs.max())
        inside /= inside.sum()
    else:
        inside[-1] = 1.0
    numbers = np.arange(agents + 1)
    served = np.minimum(numbers, places)
    in_service = float(inside @ served)
    return Shared(inside, float(inside[1:] @ rates), in_service, float(inside @ (numbers - served)))
