// Keys of the page stay at hand after a slider was moved or a choice was made with the pointer. Whoever works with the
// keyboard keeps the focus: arrows still move a slider, and a list that was opened by a key stays where it is.

const QUIET = "input[type=range], input[type=checkbox], input[type=radio]";
const CHOSEN_MS = [60, 250];
let leave = () => {};

/** The same key press, told to the page and not to a control that has no use for letters. */
function tellPage(event) {
  const { type, key, code, keyCode, which, shiftKey } = event;
  document.body.dispatchEvent(
    new KeyboardEvent(type, { key, code, keyCode, which, shiftKey, bubbles: true, cancelable: true, composed: true }),
  );
}

function onKey(event) {
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[a-z]$/i.test(event.key)) return;
  if (target.matches && target.matches(QUIET)) tellPage(event);
}

/** After a choice from a list of one: a letter would open the list again and look for it. */
function letGo() {
  const focused = document.activeElement;
  if (focused && focused.closest(".stSelectbox") && focused.getAttribute("aria-expanded") !== "true") focused.blur();
}

function onPick(event) {
  const option = event.target.closest && event.target.closest("[role=option]");
  if (option) CHOSEN_MS.forEach((wait) => setTimeout(letGo, wait));
}

export default function ({ parentElement }) {
  // Streamlit does not say when a call ends, so the next one ends it.
  leave();
  const stops = ["keydown", "keyup", "pointerup"].map((name) => {
    const act = name === "pointerup" ? onPick : onKey;
    const heard = (event) => (parentElement.isConnected ? act(event) : leave());
    window.addEventListener(name, heard, true);
    return () => window.removeEventListener(name, heard, true);
  });
  leave = () => {
    stops.forEach((stop) => stop());
    leave = () => {};
  };
}
