// What Present leaves to the browser: keys lead from screen to screen, the bar hides while the pointer rests, the title is edited in its place, B makes
// the screen black, and a file that has just been made is saved. All texts reach the page as text.

const REST_MS = 3000;
const BAR = ".st-key-pr_bar, .st-key-pr_outcome, .st-key-pr_title_back";
const GO = "[class*=st-key-pr_go_]";
let resting = 0, blank = null, editing = null, seen = false, leave = () => {};

// Keys heard in this visit, and the screen that the last one leads to. Until that one stands, quick keys count on from it.
let count = 0, wanted = 0;

const app = () => document.querySelector(".stApp");

function wake() {
  seen = true;
  const root = app();
  if (!root) return;
  root.removeAttribute("data-pr-quiet");
  clearTimeout(resting);
  resting = setTimeout(rest, REST_MS);
}

function rest() {
  const root = app();
  if (root && !editing) root.setAttribute("data-pr-quiet", "");
}

function typed(target) {
  return /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName || "") || target.isContentEditable;
}

// ---- The screens -----------------------------------------------------------------------------------------------------

/** The screen that keys count on from: the one that stands, or the one that is on its way. */
function from() {
  const shown = document.querySelector(".pr-number");
  const number = shown ? parseInt(shown.textContent.replace(/^\D+/, ""), 10) : 0;
  if (number === wanted) wanted = 0;
  return wanted || number;
}

/** The screen a key leads to from another; undefined for a key that leads nowhere. */
function led(key, from, last) {
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 1, End: last }[key];
  return to === undefined ? to : Math.min(Math.max(to, 1), last);
}

// ---- The title -------------------------------------------------------------------------------------------------------

function edit(title) {
  if (editing) return;
  editing = { title, before: title.innerHTML, text: title.textContent };
  title.textContent = editing.text;
  title.contentEditable = "plaintext-only";
  if (title.contentEditable !== "plaintext-only") title.contentEditable = "true";
  title.setAttribute("role", "textbox");
  title.setAttribute("aria-label", "Title");
  title.focus();
  getSelection().selectAllChildren(title);
}

/** Ends it. keep: with what was written; else as it was before. */
function finish(keep, say, longest) {
  if (!editing) return;
  const { title, before, text } = editing;
  editing = null;
  title.removeAttribute("contenteditable");
  title.removeAttribute("role");
  title.removeAttribute("aria-label");
  const written = title.textContent.replace(/\s+/g, (gap) => (gap.includes("\u00a0") ? gap : " ")).trim().slice(0, longest);
  if (keep && written !== text) say(written);
  // What was written stays until the page says it; an emptied title is the computed one again.
  if (!keep || !written || written === text) title.innerHTML = before;
  getSelection().removeAllRanges();
}

// ---- A black screen --------------------------------------------------------------------------------------------------

function turnBlack() {
  blank = document.createElement("div");
  blank.className = "pr-blank";
  blank.setAttribute("role", "status");
  blank.setAttribute("aria-label", "Black screen. Any key brings the page back.");
  blank.addEventListener("click", turnBack);
  app().append(blank);
}

function turnBack() {
  if (blank) blank.remove();
  blank = null;
}

// ---- A file that was made --------------------------------------------------------------------------------------------

function save(tries) {
  const button = document.querySelector(".st-key-pr_save button");
  if (button) button.click();
  else if (tries) setTimeout(() => save(tries - 1), 100);
}

// ---- What Streamlit calls whenever its data may have changed ---------------------------------------------------------

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  // Streamlit does not say when a call ends, so the next one ends it; so does the first event on another page.
  leave(true);
  const say = (text) => setTriggerValue("title", text);
  const stops = [];
  const on = (target, event, act, capture) => {
    const heard = (occurred) => (parentElement.isConnected ? act(occurred) : leave(false));
    target.addEventListener(event, heard, capture);
    stops.push(() => target.removeEventListener(event, heard, capture));
  };
  leave = (again) => {
    stops.forEach((stop) => stop());
    if (again) return;
    leave = () => {};
    clearTimeout(resting);
    turnBack();
    editing = null;
    seen = false;
    if (app()) app().removeAttribute("data-pr-quiet");
  };

  on(window, "pointermove", wake);
  on(window, "pointerdown", wake);
  on(window, "keydown", (event) => {
    const target = event.composedPath()[0] || event.target;
    if (blank) {
      turnBack();
      event.preventDefault();
      event.stopPropagation();
    } else if (editing) {
      // Nobody else is to take what is written for a key of the page.
      event.stopPropagation();
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      const { title } = editing;
      finish(event.key === "Enter", say, data.longest);
      title.focus();
    } else if (event.key === "Tab") {
      wake();
    } else if (event.key === "Enter" && target.matches && target.matches("h1.pr-title[tabindex]")) {
      event.preventDefault();
      edit(target);
    } else if (target.type === "range") {
      // The race's own slider moves in time, not from screen to screen.
      if (/^(Arrow|Home|End)/.test(event.key)) event.stopPropagation();
    } else if (event.key.toLowerCase() === "b" && !event.ctrlKey && !event.metaKey && !event.altKey && !typed(target)
      && !document.querySelector("[role=dialog]")) {
      event.preventDefault();
      turnBlack();
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !typed(target)
      && !document.querySelector("[role=dialog]")) {
      const here = from();
      const to = led(event.key, here, data.of);
      if (to === undefined || !here) return;
      event.preventDefault();
      if (to === here) return;
      wanted = to;
      count = Math.max(count, data.heard) + 1;
      setStateValue("slide", [count, to]);
    }
  }, true);
  on(document, "click", (event) => {
    if (event.target.closest && event.target.closest(GO)) wanted = 0;
    const title = event.target.closest && event.target.closest("h1.pr-title[tabindex]");
    if (title) edit(title);
  });
  on(document, "focusout", (event) => {
    if (editing && event.target === editing.title) finish(true, say, data.longest);
  });
  // Whoever pressed a button with the pointer finds the next Space on the race, and the bar hides again.
  on(document, "pointerup", () => setTimeout(() => {
    const focused = document.activeElement;
    if (focused && focused.closest(BAR) && !focused.matches(":focus-visible")) focused.blur();
  }));

  if (data.heard >= count) wanted = 0;
  if (!seen) rest();
  // Kept with the document: who comes back to this page has saved it already.
  const kept = document.documentElement.dataset;
  if (data.take && kept.prTaken !== String(data.take)) {
    kept.prTaken = data.take;
    save(20);
  }
}
