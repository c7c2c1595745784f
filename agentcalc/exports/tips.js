// Shows the words of a figure's marks: beside the pointer, under a finger, and one after the other by the keyboard.
"use strict";

const NEAR = 28; // px from a point of a line at which it still answers

function mount(place) {
  const words = new Map();
  for (const title of place.querySelectorAll(".tip > title")) {
    words.set(title.parentNode, title.textContent);
    title.remove(); // or the browser would show its own as well
  }
  if (!words.size) return;
  const box = document.createElement("div");
  box.className = "told";
  box.hidden = true;
  const heard = document.createElement("p");
  heard.className = "heard";
  heard.setAttribute("aria-live", "polite");
  place.append(box, heard);
  place.tabIndex = 0;
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", "The figure. Arrow keys read its values one by one.");
  let on = null;

  const picture = () => [...place.querySelectorAll("svg")].find((svg) => svg.getClientRects().length);
  const marks = () => [...picture().querySelectorAll(".tip")];

  function middle(mark) {
    const at = mark.getBoundingClientRect();
    return { x: at.x + at.width / 2, y: at.y + at.height / 2 };
  }

  function lines(mark) {
    return words.get(mark).split("\n").map((line) => line.split(":\t"));
  }

  function show(mark, at, spoken) {
    if (on !== mark) {
      hide();
      on = mark;
      mark.classList.add("on");
      box.replaceChildren(
        ...lines(mark).flatMap(([name, value]) => {
          const [label, said] = [document.createElement("span"), document.createElement("b")];
          label.textContent = name;
          said.textContent = value;
          return [label, said];
        }),
      );
      box.hidden = false;
    }
    if (spoken) heard.textContent = lines(mark).map((line) => line.join(" ")).join(", ");
    const home = place.getBoundingClientRect();
    const left = Math.min(at.x - home.x + 14, home.width - box.offsetWidth);
    const above = at.y - home.y - box.offsetHeight - 12;
    box.style.left = `${Math.max(0, left)}px`;
    box.style.top = `${above >= -home.y ? above : at.y - home.y + 18}px`;
  }

  function hide() {
    if (on) on.classList.remove("on");
    on = null;
    box.hidden = true;
  }

  function nearest(at) {
    let best = null;
    let least = NEAR;
    for (const mark of picture().querySelectorAll(".tip.point")) {
      const { x, y } = middle(mark);
      const apart = Math.hypot(x - at.x, y - at.y);
      if (apart < least) [best, least] = [mark, apart];
    }
    return best;
  }

  function point(event) {
    const at = { x: event.clientX, y: event.clientY };
    const under = document.elementsFromPoint(at.x, at.y).find((e) => e.matches(".tip:not(.point)") && words.has(e));
    const mark = nearest(at) ?? under;
    if (mark) show(mark, at, false);
    else hide();
  }

  place.addEventListener("pointermove", point);
  place.addEventListener("pointerdown", point);
  place.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  place.addEventListener("blur", hide);
  addEventListener("resize", hide);
  place.addEventListener("keydown", (event) => {
    const all = marks();
    const now = all.indexOf(on);
    const next = {
      ArrowRight: Math.min(now + 1, all.length - 1),
      ArrowDown: Math.min(now + 1, all.length - 1),
      ArrowLeft: Math.max(now - 1, 0),
      ArrowUp: Math.max(now - 1, 0),
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (event.key === "Escape") hide();
    if (next === undefined) return;
    event.preventDefault();
    show(all[next], middle(all[next]), true);
  });
}

for (const place of document.querySelectorAll(".drawn")) mount(place);
