"""The walk: one pass over a task with all players and all trials at once.

draws: uniform numbers as pure functions of seed, step, trial and turn · scene: the state of the lanes · stage: what
all steps share while they are played · steps, one file per idea: calls, waits, inline (group, loop, choice), retry,
fork (parallel) and graph (with gains, its sums, and critical, its path) · plan: task to steps that can be played ·
walk: blocks of trials to arrays · record: one run, second by second.
"""
