// Of an address that is longer, or has more parts, than it takes, Streamlit tells the page nothing at all. The address
// still stands in the browser, so it is told from here.

const told = new Set();

export default function ({ data, setTriggerValue }) {
  const { search } = window.location;
  const parts = search.split("&").length;
  if (parts <= data.parts && search.length <= data.characters) return;
  if (told.has(search)) return;
  told.add(search);
  setTriggerValue("unread", true);
}
