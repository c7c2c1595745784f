// The field of a cell keeps the focus while it is open. The table takes the focus for itself a frame after it was
// clicked; a double click within that frame has opened a field by then, which would stand there without the focus: the
// next key goes to the table, and what it typed is shown in the field, but never taken.

const FIELD = "#portal .gdg-clip-region";
const TABLE = ".stDataFrame";
const ENDS = ["Enter", "Tab", "Escape"];
let field = null;
let leave = () => {};

function onFocus({ target }) {
  if (!target.closest) return;
  // Nobody asked the table to take it: no key was pressed that ends a field, and nothing beside it was clicked.
  if (field && field.isConnected && target.closest(TABLE)) field.focus({ preventScroll: true });
  else field = target.closest(FIELD) ? target : null;
}

function onKey(event) {
  if (ENDS.includes(event.key)) field = null;
}

function onPress(event) {
  const inside = event.target.closest && event.target.closest(FIELD);
  if (!inside) field = null;
}

export default function ({ parentElement }) {
  // Streamlit does not say when a call ends, so the next one ends it.
  leave();
  const stops = Object.entries({ focusin: onFocus, keydown: onKey, pointerdown: onPress }).map(([name, act]) => {
    const heard = (event) => (parentElement.isConnected ? act(event) : leave());
    window.addEventListener(name, heard, true);
    return () => window.removeEventListener(name, heard, true);
  });
  leave = () => {
    stops.forEach((stop) => stop());
    leave = () => {};
  };
}
