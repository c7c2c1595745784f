"""The report of what is presented; the work itself goes on in a thread of its own, without Streamlit."""

from __future__ import annotations

from collections.abc import Callable

from agentcalc.analysis.findings import PARTS, findings
from agentcalc.app import calls, commands, scenario, session, words
from agentcalc.app.present.desk import Desk
from agentcalc.app.waiting import Progress
from agentcalc.exports.report import report_for
from agentcalc.exports.report_files import own_files
from agentcalc.exports.report_html import report_html


def memo(here: Desk) -> Callable[[Progress], bytes]:
    """What makes the report of the scenario as an HTML file, light or dark as its reader's own system."""
    answer, state = here.answer, here.state
    now, title = answer.now, here.build("answer").own
    found = calls.figures(answer)
    figures = {figure.kind: figure for figure in found.all} if found is not None else {}
    moves = scenario.moves_of(state, session.known())
    command = commands.report_command(state, moves, answer.run, now.n_trials, now.seed, title)
    caveat = words.caveat(now.specs, answer.before.specs)
    files = own_files(answer.before.task, answer.before.specs)

    def work(progress: Progress) -> bytes:
        rivals = (answer.rival, *(None for _ in now.pairs[1:]))
        steps = PARTS + len(figures) + 1
        more = findings(now, state.statistic, rivals, lambda done, of: progress(done, steps))
        report = report_for(now, more, figures, caveat=caveat, command=command, files=files, title=title)
        return report_html(report, None, lambda done, of: progress(PARTS + done, PARTS + of)).encode()

    return work
