"""Text and models: YAML and JSON files into tasks and systems, and back.

    load         text -> plain values, refusing what is unsafe or ambiguous          reading, yaml_values
    parse        plain values -> a model, every fault in words                       faults
    write        a model -> YAML or JSON that reads back as the same model           writing
    line_of      a place in a document -> its line in the text                       lines
    read_task, read_system    a file -> a Task, a System
    read_in_place             a line such as ``mine:ttft=0.4s,speed=300`` -> a System

No other module knows YAML.
"""

from agentcalc.documents.faults import parse
from agentcalc.documents.in_place import IN_PLACE_KEYS, read_in_place
from agentcalc.documents.lines import line_of
from agentcalc.documents.models import kind_of, read_system, read_task
from agentcalc.documents.reading import MOST_BYTES, file_name, load
from agentcalc.documents.refused import DEEPEST, MOST_VALUES
from agentcalc.documents.writing import write

__all__ = [
    "DEEPEST",
    "IN_PLACE_KEYS",
    "MOST_BYTES",
    "MOST_VALUES",
    "file_name",
    "kind_of",
    "line_of",
    "load",
    "parse",
    "read_in_place",
    "read_system",
    "read_task",
    "write",
]
