"""A control that the program changed is another control: what a browser still sends for the old one is not heard."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.pages import control


def script() -> None:
    import streamlit as st

    from agentcalc.app.held import held

    def chosen(key: str) -> None:
        st.session_state["value"] = st.session_state[key]

    value = st.session_state.setdefault("value", "a")
    key = held("letter", value)
    st.selectbox("Letter", ["a", "b", "c"], key=key, on_change=chosen, args=(key,))
    st.button("To c", key="to_c", on_click=lambda: st.session_state.update(value="c"))


def test_a_reader_s_choice_keeps_the_control_and_the_program_s_makes_another():
    app = AppTest.from_function(script).run()
    assert control(app, "letter").key == "letter"
    control(app, "letter").select("b").run()
    assert (control(app, "letter").key, control(app, "letter").value) == ("letter", "b")
    app.button(key="to_c").click().run()
    assert (control(app, "letter").key, control(app, "letter").value) == ("again1-letter", "c")
    control(app, "letter").select("a").run()
    assert (app.session_state["value"], control(app, "letter").key) == ("a", "again1-letter")
    app.button(key="to_c").click().run()
    assert (control(app, "letter").key, control(app, "letter").value) == ("again2-letter", "c")
