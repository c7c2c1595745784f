"""Where a task's seconds go: the components, in the order in which they are shown and summed."""

COMPONENTS = ("overhead", "ttft", "decode", "refill", "tool", "human", "attention", "retry")
MODEL_COMPONENTS = ("overhead", "ttft", "decode", "refill")
"""Those that a faster system can shorten; ``model_share`` is their share of task time."""
