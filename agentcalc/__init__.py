"""How long will this agent take, and what would a faster chip really change?

    import agentcalc
    comparison = agentcalc.compare("coding-agent", ["gb300/deepseek-r1", "jalapeno/deepseek-r1"])
    comparison.summary()

Names are loaded when first used, so that ``import agentcalc`` costs next to nothing.
"""

from importlib import import_module

__version__ = "0.1.0"

_HOMES = {
    "AgentcalcError": "errors",
    "InputError": "errors",
    "Task": "task",
    "System": "system",
    "load_task": "catalog",
    "load_system": "catalog",
    "compare": "comparison",
    "Comparison": "results",
}

__all__ = [*_HOMES]


def __getattr__(name: str):
    if name not in _HOMES:
        raise AttributeError(f"module 'agentcalc' has no attribute '{name}'")
    return getattr(import_module(f"agentcalc.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
