"""What would change the answer? One room a question.

view       what of the address belongs to the page, read without trust              no Streamlit
asked      the scenario that every question is about                                no Streamlit
found      an answer: a sentence, a figure, the command that gives it again         no Streamlit
commands   that command, and the files it reads                                     no Streamlit
working    long work, kept and counted in runs
asking     controls that write to the address
faster     how much faster does the task get when its calls do?
target     what would bring it under a time?
matters    which input matters most?
two        what do two inputs do together?
deadline   what gets done within a time?
waits      how often is a person kept waiting?
agents     how many agents share a system?
day        what does a day of many tasks save?
questions  these rooms in order, and the switch between them
drawing    the answer on the page
taking     the figure taken away as a file
"""
