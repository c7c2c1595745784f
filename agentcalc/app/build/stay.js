// What is typed into a cell is taken, however quickly it is typed and however busy the browser is. The field of a cell
// keeps the focus while it is open: the table takes the focus for itself a frame after it was clicked, and a double click
// within that frame has opened a field by then. The next key would go to the table, which shows what it typed in the
// field, but never takes it.

const FIELD = "#portal .gdg-clip-region";
const WRITTEN = `${FIELD} .gdg-input`;
const TABLE = ".stDataFrame";
const ENDS = ["Enter", "Tab", "Escape"];
const REST_MS = 60;
let field = null;
let left = null;
let rests = 0;
let leave = () => {};

const within = (node, place) => Boolean(node && node.closest && node.closest(place));

function onFocus({ target }) {
  // Nobody asked the table to take it: no key was pressed that ends a field, and nothing beside it was clicked.
  if (field && field.isConnected && within(target, TABLE)) field.focus({ preventScroll: true });
  else field = within(target, FIELD) ? target : null;
}

/** Where the pointer rests elsewhere, the table that is left forgets which cell is chosen: not for a field of its own. */
function onLeave(event) {
  if (!within(event.target, TABLE) || !within(event.relatedTarget, FIELD)) return;
  left = event.target.closest(TABLE);
  event.stopImmediatePropagation();
}

function onPress({ target }) {
  if (!within(target, FIELD)) field = null;
}

/** The same key with other names, told to another element. */
function tell(element, event, names = {}) {
  const { key, code, keyCode, which, ctrlKey, metaKey } = event;
  const told = { key, code, keyCode, which, ctrlKey, metaKey, ...names, bubbles: true, cancelable: true };
  event.preventDefault();
  event.stopImmediatePropagation();
  element.dispatchEvent(new KeyboardEvent("keydown", told));
}

/**
 * A key that writes is for the field alone: after each key the table looks, a moment later, whether one that ends the
 * field was pressed, and where Enter came within that moment it drops what was typed.
 */
function onKey(event) {
  const { key, target } = event;
  if (ENDS.includes(key)) field = null;
  else if (within(target, WRITTEN)) event.stopImmediatePropagation();
  if (!within(target, TABLE)) return;
  // As in other tables; and the page's own Ctrl+Enter, which Streamlit does not hear from within a table.
  if (key === "F2") tell(target, event, { key: "Enter", code: "Enter", keyCode: 13, which: 13 });
  if (key === "Enter" && (event.ctrlKey || event.metaKey)) tell(document.body, event);
}

/** Streamlit lets keys choose another cell only while it takes the pointer to be over the table: say that it is. */
function hover() {
  const chosen = document.activeElement;
  const table = within(chosen, FIELD) ? left : chosen && chosen.closest(TABLE);
  const canvas = table && table.isConnected && table.querySelector("canvas");
  if (!canvas) return;
  const { left: x, top, height } = canvas.getBoundingClientRect();
  const rows = [...canvas.querySelectorAll("tr")];
  const row = rows.indexOf(chosen.closest("tr"));
  const at = within(chosen, FIELD) ? chosen.getBoundingClientRect().top : top + (height * Math.max(row, 1)) / rows.length;
  const point = { clientX: x + 4, clientY: at + 8, pointerType: "mouse", bubbles: true };
  canvas.dispatchEvent(new PointerEvent("pointermove", point));
}

function onMove({ isTrusted, target }) {
  clearTimeout(rests);
  if (isTrusted && !within(target, TABLE)) rests = setTimeout(hover, REST_MS);
}

/** Streamlit loads the code of a field with the first one: keys that are typed meanwhile would open it again. */
function load(names) {
  const script = document.querySelector("script[src*='/static/js/']");
  if (script) names.forEach((name) => import(new URL(name, script.src).href));
}

export default function ({ data, parentElement }) {
  load(data.fields);
  // Streamlit does not say when a call ends, so the next one ends it.
  leave();
  const acts = { focusin: onFocus, focusout: onLeave, keydown: onKey, pointerdown: onPress, pointermove: onMove };
  const stops = Object.entries(acts).map(([name, act]) => {
    const heard = (event) => (parentElement.isConnected ? act(event) : leave());
    window.addEventListener(name, heard, true);
    return () => window.removeEventListener(name, heard, true);
  });
  leave = () => {
    stops.forEach((stop) => stop());
    leave = () => {};
  };
}
