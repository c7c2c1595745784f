"""The app: entry script, state of a link, cached calls, widgets. Streamlit is imported here and in pages/ only."""
