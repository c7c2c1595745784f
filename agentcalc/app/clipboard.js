// Puts a text or a picture on the clipboard, once for each wish, and says what became of it.
// Browsers allow it on secure pages only, and shortly after a click: where one refuses, the text is there to be copied
// by hand.
export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".ac-copied");
  if (place.dataset.wish === String(data.wish)) return;
  place.dataset.wish = data.wish;
  place.replaceChildren();

  const say = (text) => {
    const line = document.createElement("p");
    line.className = "ac-small";
    line.textContent = text;
    place.append(line);
  };

  if (data.picture) {
    const bytes = Uint8Array.from(atob(data.picture), (c) => c.charCodeAt(0));
    const blob = new Blob([bytes], { type: "image/png" });
    const refused = () => {
      const picture = document.createElement("img");
      picture.src = `data:image/png;base64,${data.picture}`;
      picture.alt = data.alt;
      place.append(picture);
      say(data.refused);
    };
    try {
      navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]).then(() => say(data.done), refused);
    } catch {
      refused();
    }
    return;
  }

  const text = `${location.origin}${location.pathname}${data.query}`;
  const refused = () => {
    const field = document.createElement("input");
    field.readOnly = true;
    field.value = text;
    field.setAttribute("aria-label", data.label);
    place.append(field);
    say(data.refused);
    field.focus();
    field.select();
  };
  try {
    navigator.clipboard.writeText(text).then(() => say(data.done), refused);
  } catch {
    refused();
  }
}
