"""Build: a task as a table that can be edited, beside its picture.

    cells      what one cell says <-> an amount, a share
    columns    which column holds which key of which kind of step
    heads      the name and the start of the conversation, which have fields of their own
    rows       a task <-> rows; everything a task can say survives
    mistakes   what is wrong with rows, in words, with row and column
    edits      duplicate, reorder, delete, add, nest, another kind
    changes    what was typed into cells -> rows
    sentence   "8 turns, 6k context, 250 tokens out, 4 s tools" -> a task
    text       YAML -> rows
    history    undo and redo
    desk       all of a visit's editing, as one value
    table, parts, new    the page's pieces, with Streamlit
    stay       the focus stays in the field of a cell

All but the last two lines are plain Python without Streamlit.
"""
