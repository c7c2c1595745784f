// Plays a race: the data say when each system does each part of the work and where it lies; this file adds the clock.
// One file for the app (its default export is what Streamlit calls) and for a page of its own (mount). It asks nobody
// for anything, and all names and texts reach the page as text.

const NBSP = "\u00a0", MINUTE = 60, HOUR = 3600;
const TRACK = 64, CELL = 7, PITCH = 9, HEAD = 4, LINE = 4, NOTCH = 8, BAR = 16, NARROW = 600;
const BEYOND = 1.25, LONG = 85, READ_MS = 800;
const KIND = 0, START = 1, END = 2, X0 = 3, X1 = 4, TOKENS = 5, FLAGS = 6;
const CRITICAL = 1, SKIPPED = 2;
const WAITS = ["tool", "human", "overhead", "refill", "retry", "attention"];
const ONE = {
  ttft: "waiting for the first token", tool: "tool running", human: "waiting for a person", overhead: "starting a call",
  refill: "lost to a lost cache", retry: "lost to retries", attention: "lost attention",
};
const MANY = {
  decode: ["call writing", "calls writing"], ttft: ["call waiting for its first token", "calls waiting for their first token"],
  tool: ["tool running", "tools running"], human: ["waiting for a person", "waiting for a person"],
  overhead: ["call starting", "calls starting"], refill: ["lost to a lost cache", "lost to a lost cache"],
  retry: ["lost to retries", "lost to retries"], attention: ["lost attention", "lost attention"],
};

// ---- Words -----------------------------------------------------------------------------------------------------------

const count = (number) => number.toLocaleString("en-US");
const decimals = (unit) => Math.max(0, -Math.floor(Math.log10(unit) + 1e-9));
const rounded = (seconds, unit) => Number((Math.round(seconds / unit) * unit).toPrecision(12));

/** Seconds shown to a unit, as the sentences show them: 11.0 s, 1 min 12 s, 1 h 05 min. */
export function showTo(seconds, unit) {
  const places = decimals(unit), value = rounded(seconds, unit);
  if (value < 100) return value.toFixed(places) + NBSP + "s";
  const hours = Math.floor(value / HOUR), minutes = Math.floor((value % HOUR) / MINUTE), rest = rounded(value % MINUTE, unit);
  const parts = hours ? [count(hours) + NBSP + "h"] : [];
  if (minutes || (hours && rest)) parts.push((hours ? String(minutes).padStart(2, "0") : minutes) + NBSP + "min");
  // A clock that runs keeps its seconds, also full ones.
  parts.push(rest.toFixed(places).padStart(places ? places + 3 : 2, "0") + NBSP + "s");
  return parts.join(NBSP);
}

/** Progress in something that takes a while: 3.2 of 16.6 s. */
export function progress(done, whole) {
  const unit = whole < 1.995 ? 0.01 : whole < 99.95 ? 0.1 : 1;
  if (whole >= 99.5) return showTo(done, 1) + " of " + showTo(whole, 1);
  return rounded(done, unit).toFixed(decimals(unit)) + " of " + showTo(whole, unit);
}

/** Tokens written at a time: the first when writing starts, the last when it ends. */
export function written(part, time) {
  if (time >= part[END]) return part[TOKENS];
  const share = (time - part[START]) / (part[END] - part[START]);
  return Math.min(part[TOKENS], 1 + Math.floor(share * (part[TOKENS] - 1) + 1e-9));
}

const pace = (speed) => (speed === 1 ? "played in real time" : `played ${speed} times as fast`);
const capital = (text) => text[0].toUpperCase() + text.slice(1);

// ---- Where a system is -----------------------------------------------------------------------------------------------

/** Index of the last part that has started; -1 before the first. Parts are in order of time. */
function reached(parts, time) {
  let low = 0, high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle][START] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The last pair (from when on, what) at a time, both of a list in order of time. */
function latest(pairs, time) {
  let low = 0, high = pairs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairs[middle][0] <= time) low = middle + 1;
    else high = middle;
  }
  return pairs[Math.max(0, low - 1)];
}

/** How far along the track a part has come at a time. */
function edge(part, time) {
  if (time >= part[END]) return part[X1];
  return part[X0] + ((time - part[START]) / (part[END] - part[START])) * (part[X1] - part[X0]);
}

// ---- Elements --------------------------------------------------------------------------------------------------------

function element(tag, name, text, inside) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  if (inside) inside.append(made);
  return made;
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// ---- One lane --------------------------------------------------------------------------------------------------------

class Lane {
  constructor(race, data, root) {
    this.race = race;
    this.data = data;
    this.strips = data.strips.map((strip) => ({
      ...strip, from: strip.parts[0][START], to: strip.parts.reduce((latest, part) => Math.max(latest, part[END]), 0),
    }));
    this.drawn = this.strips.filter((strip) => strip.row);
    this.holds = this.drawn.flatMap((strip) => strip.parts
      .filter((part) => part[X1] === part[X0] && part[END] > part[START]).map((part) => ({ part, row: strip.row })));
    this.critical = this.strips.flatMap((strip) => strip.parts).filter((part) => part[FLAGS] & CRITICAL)
      .sort((a, b) => a[START] - b[START] || a[X0] - b[X0]);
    const lane = element("section", `lane ${data.role}`, undefined, root);
    lane.setAttribute("aria-label", data.name);
    const head = element("header", "", undefined, lane);
    element("h2", "name", data.name, head).dir = "auto";
    this.status = element("p", "status", "", head);
    this.clock = element("p", "clock", "", head);
    this.track = element("canvas", "track", undefined, lane);
    this.track.setAttribute("role", "img");
    this.track.setAttribute("aria-label", `The work of ${data.name}: ${count(data.steps.length)} steps, ${data.ended}`);
    this.detail = element("div", "detail", undefined, lane);
    this.squares = element("canvas", "squares", undefined, this.detail);
    this.squares.setAttribute("aria-hidden", "true");
    this.done = element("p", "done", "", this.detail);
  }

  name(part) {
    return this.race.data.kinds[part[KIND]];
  }

  /** Draws the whole track twice, pale and full; a frame only copies from these. */
  layOut(width, rows) {
    const race = this.race, ratio = race.ratio;
    this.height = TRACK + (race.banded ? 12 : 0);
    for (const [canvas, height] of [[this.track, this.height], [this.squares, rows * PITCH - (PITCH - CELL)]]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    this.pale = this.picture(width, race.colours.pale, false);
    this.full = this.picture(width, race.colours.fills, true);
  }

  picture(width, fills, full) {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * this.race.ratio);
    canvas.height = Math.round(TRACK * this.race.ratio);
    const pen = canvas.getContext("2d");
    pen.scale(this.race.ratio, this.race.ratio);
    for (const strip of this.drawn) {
      const [top, height] = this.band(strip.row);
      for (const part of strip.parts) {
        if (part[X1] > part[X0]) this.segment(pen, part, top, height, fills, full);
      }
    }
    this.hidden(pen);
    return canvas;
  }

  band([low, high]) {
    const top = low * TRACK + (low > 0 ? 1 : 0);
    return [top, high * TRACK - (high < 1 ? 1 : 0) - top];
  }

  segment(pen, part, top, height, fills, full) {
    const { colours, ratio } = this.race, kind = this.name(part);
    // Edges on whole pixels of the screen, so that lines between segments are sharp.
    const [left, right] = [X0, X1].map((end) => Math.round(this.race.pixel(part[end]) * ratio) / ratio);
    const width = right - left > 3 ? right - left - 1 : right - left;
    const skipped = part[FLAGS] & SKIPPED;
    pen.fillStyle = (skipped ? colours.pale : fills)[kind];
    pen.fillRect(left, top, width, height);
    if (skipped && full) {
      pen.fillStyle = colours.axis;
      pen.fillRect(left, top + height / 2 - 0.5, width, 1);
    } else if (width >= 4 && (kind === "human" || (full && colours.outlined.includes(kind)))) {
      pen.strokeStyle = full ? colours.outline : colours.grid;
      pen.setLineDash(kind === "human" ? [4, 3] : []);
      pen.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
    }
  }

  /** The lane at a time: what is done on the track, what is in hand below it, and the words beside its name. */
  show(time) {
    const { end } = this.data, finished = time >= end, active = [];
    const pen = this.track.getContext("2d");
    const { ratio, colours } = this.race;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.track.width, this.track.height);
    pen.drawImage(this.pale, 0, 0);
    const heads = [];
    for (const strip of this.strips) {
      if (strip.from > time) continue;
      const index = reached(strip.parts, time), part = strip.parts[index], at = finished ? part[X1] : edge(part, time);
      if (part[END] > time && !finished) active.push({ strip, part, next: strip.parts[index + 1] });
      if (!strip.row) continue;
      const [top, height] = this.band(strip.row), from = this.race.pixel(strip.parts[0][X0]), to = this.race.pixel(at);
      this.copy(pen, from, top, to - from, height);
      if (part[END] > time && !finished) heads.push([to, top, height]);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const { part, row } of this.holds) {
      if (part[START] > time) continue;
      const [top, height] = this.band(row), left = Math.max(0, this.race.pixel(part[X0]) - NOTCH);
      pen.fillStyle = colours.background;
      pen.fillRect(left - 1, top, NOTCH + 2, height);
      pen.fillStyle = colours.fills[this.name(part)];
      pen.fillRect(left, top, NOTCH, height);
    }
    pen.fillStyle = colours.ink;
    for (const [at, top, height] of heads) pen.fillRect(Math.max(0, at - HEAD / 2), top, HEAD, height);
    this.finishLine(pen);
    this.active = active;
    this.inHand(time, active, finished);
    this.words(time, active, finished);
  }

  copy(pen, left, top, width, height) {
    const { ratio } = this.race, x = Math.round(left * ratio), y = Math.round(top * ratio);
    const wide = Math.round((left + width) * ratio) - x, high = Math.round((top + height) * ratio) - y;
    if (wide <= 0 || high <= 0) return;
    pen.clearRect(x, y, wide, high);
    pen.drawImage(this.full, x, y, wide, high, x, y, wide, high);
  }

  finishLine(pen) {
    const { race, data } = this, { colours } = race, at = race.pixel(race.data.length) + 2;
    pen.fillStyle = colours.ink;
    pen.fillRect(at, 0, LINE, TRACK);
    if (!data.band) return;
    // What is unknown about its end, at this lane's own pace; an end beyond the lane has no cap.
    const [low, high] = data.band.map((seconds) => race.pixel((race.data.length * seconds) / data.end) + 2 + LINE / 2);
    pen.fillStyle = colours[data.role];
    pen.fillRect(low, TRACK + 5, Math.max(2, high - low), 3);
    for (const end of [low, high]) pen.fillRect(end - 1, TRACK + 1, 2.5, 11);
  }

  /** Where branches had no room to be drawn, how many they are, in the row that has most room for it. */
  hidden(pen) {
    const { race } = this;
    pen.font = `12px ${race.font}`;
    pen.textAlign = "right";
    pen.fillStyle = race.colours.muted;
    for (const [x0, x1, row, hidden] of race.data.folds) {
      const text = `+${count(hidden)} more`, [top, height] = this.band(row);
      if (race.pixel(x1) - race.pixel(x0) >= pen.measureText(text).width + 12) {
        pen.fillText(text, race.pixel(x1) - 6, top + height / 2 + 4);
      }
    }
  }

  /** Token squares of the calls in hand and bars of what else runs, a column for each row of the track. */
  inHand(time, active, finished) {
    const pen = this.squares.getContext("2d"), { ratio, colours, width } = this.race;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, this.squares.height);
    this.filled = 0;
    for (const { strip, part, next } of active) {
      if (!strip.row) continue;
      const columns = Math.round(1 / (strip.row[1] - strip.row[0])), room = width / columns;
      const left = Math.round(strip.row[0] * columns) * room, kind = this.name(part);
      if (kind === "decode") this.cells(pen, left, room, part[TOKENS], written(part, time));
      else if (kind === "ttft") {
        if (next && this.name(next) === "decode") this.cells(pen, left, room, next[TOKENS], 0);
      } else this.bar(pen, left, room, part, kind, time);
    }
    const { unit } = this.race.data, ago = rounded(time, unit) - rounded(this.data.end, unit);
    write(this.done, !finished ? "" : ago > 0 ? `done, ${showTo(ago, unit)} ago` : "done");
    this.squares.hidden = finished;
  }

  cells(pen, left, room, tokens, ready) {
    const { colours, square } = this.race, across = this.race.across(room);
    const cells = Math.ceil(tokens / square), filled = ready / square;
    this.filled += filled;
    for (let i = 0; i < cells; i++) {
      const x = left + (i % across) * PITCH, y = Math.floor(i / across) * PITCH;
      // The last square may stand for fewer tokens.
      const wide = CELL * Math.min(1, tokens / square - i), done = Math.min(wide, CELL * (filled - i));
      pen.fillStyle = colours.grid;
      if (done < wide) pen.fillRect(x, y, wide, CELL);
      pen.fillStyle = colours.fills.decode;
      if (done > 0) pen.fillRect(x, y, done, CELL);
    }
  }

  bar(pen, left, room, part, kind, time) {
    const { colours } = this.race, share = (time - part[START]) / (part[END] - part[START]);
    const width = Math.min(room - PITCH, Math.max(120, this.race.pixel(part[X1]) - this.race.pixel(part[X0])));
    pen.fillStyle = kind === "human" ? colours.grid : colours.fills[kind];
    pen.fillRect(left, 0, width * share, BAR);
    pen.strokeStyle = WAITS.indexOf(kind) < 3 ? colours.outline : colours.fills[kind];
    pen.setLineDash(kind === "human" ? [4, 3] : []);
    pen.strokeRect(left + 0.5, 0.5, width - 1, BAR - 1);
    pen.setLineDash([]);
  }

  words(time, active, finished) {
    const { data } = this, total = data.steps.length;
    write(this.clock, showTo(Math.min(time, data.end), this.race.data.unit));
    if (finished) {
      write(this.status, data.bandWords ? `finished, ${data.bandWords} with what is not known` : "finished");
      return;
    }
    const step = Math.min(total, this.stepsDone(time) + 1);
    const where = total > 1 ? `step ${count(step)} of ${count(total)} · ` : "";
    write(this.status, where + (active.length === 1 ? this.one(active[0].part, time) : this.several(active)));
  }

  stepsDone(time) {
    let low = 0, high = this.data.steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.data.steps[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  one(part, time) {
    const kind = this.name(part), whole = part[END] - part[START];
    if (kind === "decode") return `writing token ${count(written(part, time))} of ${count(part[TOKENS])}`;
    if (kind === "overhead" || (kind === "ttft" && whole < 2)) return ONE[kind];
    return `${ONE[kind]}, ${progress(time - part[START], whole)}`;
  }

  several(active) {
    const found = {};
    for (const { part } of active) found[this.name(part)] = (found[this.name(part)] || 0) + 1;
    return Object.keys(MANY).filter((kind) => found[kind])
      .map((kind) => `${count(found[kind])} ${MANY[kind][found[kind] === 1 ? 0 : 1]}`).join(", ");
  }

  /** Where the lane is on the track: its critical part; for those who ask, such as tests. */
  position(time) {
    if (time >= this.data.end) return this.race.data.length;
    const index = reached(this.critical, time);
    return index < 0 ? 0 : edge(this.critical[index], time);
  }
}

// ---- The race --------------------------------------------------------------------------------------------------------

export class Race {
  /** root: an empty element; data: of agentcalc.figures.race, with colours and options; tell: called with the phase
   * ("ready", "running", "paused", "finished") whenever it changes. */
  constructor(root, data, tell) {
    Object.assign(this, { root, data, tell, time: 0, speed: data.speed, phase: "ready", frame: 0, saidAt: -Infinity });
    this.seconds = Math.max(...data.lanes.map((lane) => lane.end));
    this.banded = data.lanes.some((lane) => lane.band);
    this.stops = [];
    root.className = "race";
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", "Race");
    this.build();
    this.listen();
    this.restyle();
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    if (this.still.matches) this.seek(this.seconds);
    else if (data.play) this.play();
    else this.seek(0);
    // Whoever pressed a button of the page to come here finds the next Space on this one.
    if (data.play && document.activeElement && document.activeElement.tagName === "BUTTON") {
      this.button.focus({ preventScroll: true });
    }
  }

  build() {
    const { root, data } = this;
    if (data.heading) {
      this.title = element("h1", "title", "", root);
      element("p", "about", data.about, root);
    }
    this.lanes = data.lanes.map((lane) => new Lane(this, lane, root));
    this.sentence = element("p", "sentence", "", root);
    this.sentence.setAttribute("aria-live", "polite");
    const notes = element("p", "note", undefined, root);
    this.fact = element("span", "fact", "", notes);
    this.scale = element("span", "scale", "", notes);
    const most = Math.max(0, ...data.folds.map(([, , , hidden]) => hidden));
    if (most) element("span", "", `Up to ${count(most)} more ${most === 1 ? "branch runs" : "branches run"} beside those drawn. `, notes);
    this.how = element("span", "how", "", notes);
    const controls = element("div", "controls", undefined, root);
    this.button = element("button", "play", "Play", controls);
    this.slider = element("input", "time", undefined, controls);
    Object.assign(this.slider, { type: "range", min: 0, max: this.seconds, step: "any", value: 0 });
    this.slider.setAttribute("aria-label", "Time");
    const speeds = element("div", "speeds", undefined, controls);
    speeds.setAttribute("role", "group");
    speeds.setAttribute("aria-label", "Speed");
    this.speeds = data.speeds.map((speed) => {
      const button = element("button", "speed", `${speed}×`, speeds);
      button.type = "button";
      button.setAttribute("aria-label", `${speed}×, ${speed === 1 ? "in real time" : `${speed} times as fast`}`);
      button.addEventListener("click", () => this.setSpeed(speed));
      return button;
    });
    this.button.type = "button";
    this.button.addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
    if (data.heading) element("p", "source", data.source, root);
  }

  on(target, event, act) {
    target.addEventListener(event, act);
    this.stops.push(() => target.removeEventListener(event, act));
  }

  listen() {
    this.on(document, "keydown", (event) => this.key(event));
    this.on(document, "visibilitychange", () => this.visibility());
    this.on(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.restyle());
    this.watcher = new ResizeObserver(() => this.layOut());
    this.watcher.observe(this.root);
  }

  /** Ends everything that runs; the elements stay. */
  stop() {
    cancelAnimationFrame(this.frame);
    this.watcher.disconnect();
    this.stops.forEach((stop) => stop());
  }

  // What it looks like

  restyle() {
    const dark = this.data.scheme ? this.data.scheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.colours = this.data.colours[dark ? "dark" : "light"];
    for (const name of ["background", "ink", "muted", "axis", "candidate", "baseline"]) {
      this.root.style.setProperty(`--${name}`, this.colours[name]);
    }
    this.root.style.setProperty("--on-candidate", this.colours.onCandidate);
    this.root.style.colorScheme = dark ? "dark" : "light";
    this.font = getComputedStyle(this.root).fontFamily;
    this.layOut(true);
  }

  pixel(x) {
    return (x / this.data.length) * this.reach;
  }

  across(room) {
    return Math.max(1, Math.floor((room - (room < this.width ? PITCH : 0) + PITCH - CELL) / PITCH));
  }

  layOut(anyway) {
    const width = Math.floor(this.root.clientWidth);
    const ratio = (window.devicePixelRatio || 1) * (this.root.currentCSSZoom || 1);
    if (!width || (!anyway && width === this.width && ratio === this.ratio)) return;
    Object.assign(this, { width, ratio });
    this.root.classList.toggle("narrow", width < NARROW);
    const beyond = this.data.lanes.map((lane) => (lane.band ? lane.band[1] / lane.end - 1 : 0));
    // Room for the finish line, and for what a band adds to it.
    this.reach = (width - LINE - 2 - (this.banded ? 3 : 0)) / (1 + Math.min(BEYOND, Math.max(0, ...beyond)));
    const rows = width < NARROW ? 5 : 4;
    this.square = this.tokensOfASquare(rows);
    for (const lane of this.lanes) lane.layOut(width, rows);
    write(this.scale, this.square ? `One square is ${count(this.square)} token${this.square === 1 ? "" : "s"}. ` : "");
    this.show();
  }

  /** The fewest tokens for which every call fits, the same in both lanes; 0 without calls. */
  tokensOfASquare(rows) {
    let least = 0;
    for (const lane of this.lanes) {
      for (const strip of lane.drawn) {
        const room = this.across(this.width * (strip.row[1] - strip.row[0])) * rows;
        for (const part of strip.parts) least = Math.max(least, Math.ceil(part[TOKENS] / room));
      }
    }
    return least;
  }

  show() {
    if (!this.width) return;
    for (const lane of this.lanes) lane.show(this.time);
    const over = this.time >= this.seconds;
    this.say(latest(this.data.says, over ? Infinity : this.time)[1], over);
    write(this.fact, over && this.data.fact ? `${this.data.fact} ` : "");
    write(this.how, `${capital(pace(this.speed))}.`);
    if (this.title) write(this.title, `${this.data.task}, ${pace(this.speed)}`);
    this.slider.value = this.time;
    const text = `${showTo(this.time, this.data.unit)} of ${showTo(this.seconds, this.data.unit)}`;
    if (this.slider.getAttribute("aria-valuetext") !== text) this.slider.setAttribute("aria-valuetext", text);
    write(this.button, { running: "Pause", finished: "Play again" }[this.phase] || "Play");
    this.speeds.forEach((button, i) => button.setAttribute("aria-pressed", String(this.data.speeds[i] === this.speed)));
    this.root.dataset.phase = this.phase;
  }

  /** One sentence, changed only when it says something else, and while it runs not faster than it can be read. */
  say(text, now) {
    const at = performance.now(), important = now || text.includes(" is done. ") || this.phase !== "running";
    if (this.sentence.textContent === text || (!important && at - this.saidAt < READ_MS)) return;
    this.sentence.textContent = text;
    this.sentence.classList.toggle("long", text.length > LONG);
    this.saidAt = at;
  }

  // Time

  setPhase(phase) {
    if (phase === this.phase) return;
    this.phase = phase;
    if (this.tell) this.tell(phase);
  }

  play() {
    if (this.time >= this.seconds) this.time = 0;
    this.setPhase("running");
    this.anchor();
    this.show();
    this.next();
  }

  pause() {
    cancelAnimationFrame(this.frame);
    this.setPhase("paused");
    this.show();
  }

  toggle() {
    if (this.phase === "running") {
      this.advance();
      if (this.phase === "running") this.pause();
    } else this.play();
  }

  seek(time) {
    const running = this.phase === "running" && time < this.seconds;
    this.time = Math.min(this.seconds, Math.max(0, time));
    if (!running) {
      cancelAnimationFrame(this.frame);
      this.setPhase(this.time >= this.seconds ? "finished" : this.time > 0 ? "paused" : "ready");
    }
    this.anchor();
    this.show();
  }

  setSpeed(speed) {
    if (this.phase === "running") this.advance();
    this.speed = speed;
    this.anchor();
    this.show();
  }

  /** From here on time is counted: so many seconds of the run at this moment of the clock. */
  anchor() {
    this.from = this.time;
    this.since = performance.now();
  }

  next() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.advance();
      if (this.phase === "running") this.next();
    });
  }

  advance() {
    let elapsed = (performance.now() - this.since) / 1000;
    if (this.still.matches) elapsed = Math.floor(elapsed + 1e-6);
    const time = Math.min(this.seconds, this.from + elapsed * this.speed);
    if (time === this.time) return;
    this.time = time;
    if (time >= this.seconds) this.setPhase("finished");
    this.show();
  }

  /** In a hidden tab the race stands still, and goes on from there when somebody looks again. */
  visibility() {
    if (this.phase !== "running") return;
    if (document.hidden) {
      this.advance();
      cancelAnimationFrame(this.frame);
      this.away = this.phase === "running";
    } else if (this.away) {
      this.away = false;
      this.anchor();
      this.next();
    }
  }

  // Keys

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.root.isConnected) return;
    const [target] = event.composedPath(), inside = event.composedPath().includes(this.root);
    const tag = target.tagName || "", typed = /^(INPUT|TEXTAREA|SELECT)$/.test(tag) || target.isContentEditable;
    if (!inside && (typed || /^(A|BUTTON|SUMMARY|VIDEO|AUDIO)$/.test(tag) || (target.getAttribute && target.getAttribute("role")))) return;
    if (event.key === " " && tag !== "BUTTON") this.toggle();
    else if (event.key === "Home") this.seek(0);
    else if (event.key === "End") this.seek(this.seconds);
    else return;
    event.preventDefault();
  }

  /** What is on screen, as numbers. */
  state() {
    return {
      phase: this.phase, time: this.time, seconds: this.seconds, speed: this.speed, square: this.square,
      sentence: this.sentence.textContent,
      lanes: this.lanes.map((lane) => ({
        name: lane.data.name, end: lane.data.end, position: lane.position(this.time) / this.data.length, squares: lane.filled,
        clock: lane.clock.textContent, status: lane.status.textContent, done: lane.done.textContent,
      })),
    };
  }
}

/** A race inside an element. */
export function mount(place, data, tell) {
  const root = element("div");
  place.append(root);
  return new Race(root, data, tell);
}

const mounted = new WeakMap();

/** What Streamlit calls whenever its data may have changed; the same race goes on undisturbed. */
export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let race = mounted.get(parentElement);
  if (race && race.data.id === data.id && race.root.isConnected) {
    clearTimeout(race.leaving);
    if (race.data.scheme !== data.scheme) {
      race.data = { ...race.data, scheme: data.scheme };
      race.restyle();
    }
  } else {
    if (race) leave(parentElement);
    race = mount(parentElement, data, data.tell ? (phase) => setStateValue("phase", phase) : undefined);
    mounted.set(parentElement, race);
  }
  // Called before the next call as well as at the end: only what is not called again at once has ended.
  return () => {
    race.leaving = setTimeout(() => leave(parentElement, race));
  };
}

function leave(parentElement, which = mounted.get(parentElement)) {
  clearTimeout(which.leaving);
  which.stop();
  which.root.remove();
  if (mounted.get(parentElement) === which) mounted.delete(parentElement);
}
