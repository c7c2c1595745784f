"""The entry script of the app: page settings, navigation over the pages, and what every page shares.

    streamlit run agentcalc/app/main.py

It stands apart from the pages on purpose: beside them, Streamlit would answer a deep link with the bare page alone.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import streamlit as st

if find_spec("agentcalc") is None:
    # Started from a checkout that is not installed: Streamlit puts only this script's folder on the path.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agentcalc.app import shell

st.set_page_config(
    page_title="agentcalc", page_icon="⏱️", layout="wide", initial_sidebar_state="collapsed", menu_items={}
)
shell.show()
