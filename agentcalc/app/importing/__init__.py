"""Files that a reader brings: what each is, what is in it, and what can be done with it.

files       a file's bytes -> what it is, with what is in it; never an error       no Streamlit
measured    runs of benchmark files -> the systems they measured                   no Streamlit
examples    files to try, made here                                                no Streamlit
said        what the page says, as HTML                                            no Streamlit
desk        the files of this visit
parts       the pieces of the page
"""
