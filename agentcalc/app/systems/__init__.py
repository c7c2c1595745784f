"""Whose numbers the systems have, and how good they are.

view       what of the address belongs to the page, read without trust              no Streamlit
picking    a system at a load, ready to be compared                                 no Streamlit
calling    which of two systems finishes one call first                             no Streamlit
said       what the page says, as HTML                                              no Streamlit
drawing    its figures, kept
using      a system becomes the baseline or the candidate
parts      the pieces of the page
"""
