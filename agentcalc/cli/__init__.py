"""The command line: one file a command, loaded when it is used.

    main       the group: lists the commands without loading them, turns expected errors into one line
    output     where a result goes: the terminal, or a file that is complete or not there
    layout     aligned columns and wrapped paragraphs

Only ``main`` is loaded for ``agentcalc --help``; a command's file loads what it needs inside its function.
"""
