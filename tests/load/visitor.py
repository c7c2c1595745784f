"""A person at the app without a browser: Streamlit's own messages over a websocket, as its page in a browser sends.

A browser for each of thirty people would take more of two cores than the server under test. What a browser adds,
drawing, happens on the reader's own machine.
"""

from __future__ import annotations

import asyncio
import html
import re
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field

import websockets
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

LARGEST = 64 * 2**20
"""Bytes of one message from the server that are taken."""

ANSWER_S = 120.0
"""How long an answer may take before the person gives up."""

ROUNDS = 2
"""How many runs of the script a page's messages are remembered for, as Streamlit's page does."""

FINISHED = ForwardMsg.ScriptFinishedStatus


class NoAnswer(Exception):
    """The server did not answer in time, or ended the visit."""


@dataclass
class Page:
    """What stands on a page after a run of its script: elements by their place."""

    elements: dict[tuple[int, ...], Message] = field(default_factory=dict)

    def texts(self) -> Iterator[str]:
        """The words of elements that are HTML or text, without tags, in the order of the page."""
        for _, element in sorted(self.elements.items(), key=lambda item: item[0]):
            kind = element.WhichOneof("type")
            if kind == "html":
                yield _words(element.html.body)
            elif kind in ("markdown", "exception"):
                yield getattr(element.markdown, "body", "") if kind == "markdown" else element.exception.message

    def said(self, of: str) -> list[str]:
        """The words of every HTML element of a class: ``said("ac-answer")``."""
        marked = re.compile(rf'<(\w+)[^>]*class="[^"]*\b{re.escape(of)}\b[^"]*"[^>]*>(.*?)</\1>', re.S)
        bodies = (e.html.body for e in self.elements.values() if e.WhichOneof("type") == "html")
        return [_words(found) for body in bodies for _, found in marked.findall(body)]

    def html(self) -> str:
        """All HTML of the page as the server sent it."""
        return "\n".join(e.html.body for e in self.elements.values() if e.WhichOneof("type") == "html")

    def kinds(self) -> set[str]:
        """Kinds of elements there are: "selectbox", "vega_lite_chart", "exception"."""
        return {element.WhichOneof("type") for element in self.elements.values()}

    def widget(self, key: str) -> Message:
        """The widget of a key. Raises LookupError when it is not on the page."""
        for element in self.elements.values():
            widget = getattr(element, element.WhichOneof("type"))
            if getattr(widget, "id", "").endswith(f"-{key}"):
                return widget
        raise LookupError(f"no widget {key} on a page that says: {' / '.join(self.texts())[:300]}")


def _words(marked: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", marked)).split())


class Visitor:
    """One visit: its own session on the server. Use it as an async context.

    page: what stands on screen; query: the address's parts as text; bytes_taken: of all messages so far; answered_s:
    seconds from the last wish until the words of the answer were there, before the figures below them; None without.
    """

    def __init__(self, address: str, path: str = "compare", query: str = ""):
        self.address, self.path, self.query = address, path, query
        self.page, self.bytes_taken, self.script = Page(), 0, ""
        self.answered_s: float | None = None
        self._known: dict[str, tuple[int, Message]] = {}
        self._round = 0

    async def __aenter__(self) -> Visitor:
        url = self.address.replace("http://", "ws://") + "/_stcore/stream"
        self._socket = await websockets.connect(
            url, subprotocols=["streamlit"], max_size=LARGEST, ping_interval=None, open_timeout=60
        )
        return self

    async def __aexit__(self, *_) -> None:
        await self._socket.close()

    async def open(self) -> float:
        """Opens the page; seconds until the script has run to its end. Raises NoAnswer."""
        return await self._rerun()

    async def choose(self, key: str, value: str) -> float:
        """Chooses in a list; seconds until the answer."""
        return await self._rerun(WidgetState(id=self.page.widget(key).id, string_value=value))

    async def slide(self, key: str, value: str) -> float:
        """Moves a slider to a stop, or picks one of some buttons, as it is written there; seconds until the answer."""
        state = WidgetState(id=self.page.widget(key).id)
        state.string_array_value.data.append(value)
        return await self._rerun(state)

    async def press(self, key: str) -> float:
        """Presses a button; seconds until the answer."""
        return await self._rerun(WidgetState(id=self.page.widget(key).id, trigger_value=True))

    async def upload(self, key: str, name: str, data: bytes) -> float:
        """Gives a file to the place of a key, as a browser does; seconds until the answer."""
        widget = self.page.widget(key)
        message = BackMsg()
        asked = message.file_urls_request
        asked.request_id, asked.session_id = name, self._session
        asked.file_names.append(name)
        await self._socket.send(message.SerializeToString())
        self._urls = None
        async with asyncio.timeout(ANSWER_S):
            while self._urls is None:
                await self._taken()
        await asyncio.to_thread(self._send, self._urls.upload_url, name, data)
        state = WidgetState(id=widget.id)
        state.file_uploader_state_value.uploaded_file_info.add(
            name=name, size=len(data), file_id=self._urls.file_id, file_urls=self._urls
        )
        return await self._rerun(state)

    def _send(self, path: str, name: str, data: bytes) -> None:
        """Sends a file. The server takes it only with the token that it hands out with every page."""
        with urllib.request.urlopen(f"{self.address}/_stcore/health", timeout=ANSWER_S) as answer:
            token = re.search(r"_streamlit_xsrf=([^;]+)", str(answer.headers))[1]
        edge = b"agentcalc-edge"
        head = f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        body = b"--" + edge + b"\r\n" + head + data + b"\r\n--" + edge + b"--\r\n"
        headers = {
            "Content-Type": f"multipart/form-data; boundary={edge.decode()}",
            "Cookie": f"_streamlit_xsrf={token}",
            "X-Xsrftoken": token,
        }
        request = urllib.request.Request(self.address + path, body, headers, method="PUT")
        with urllib.request.urlopen(request, timeout=ANSWER_S):
            pass

    async def _rerun(self, *changed: WidgetState) -> float:
        message = BackMsg()
        wish = message.rerun_script
        wish.query_string, wish.page_name, wish.page_script_hash = self.query, self.path, self.script
        wish.widget_states.widgets.extend(changed)
        wish.cached_message_hashes.extend(self._known)
        wish.context_info.url = f"{self.address}/{self.path}"
        wish.context_info.color_scheme = "light"
        self.answered_s = None
        start = self._start = time.perf_counter()
        try:
            await self._socket.send(message.SerializeToString())
            async with asyncio.timeout(ANSWER_S):
                while not await self._taken():
                    pass
        except (TimeoutError, websockets.ConnectionClosed) as error:
            raise NoAnswer(f"{self.path}?{self.query[:80]}: {error!r}") from error
        return time.perf_counter() - start

    async def _taken(self) -> bool:
        """Takes one message; whether it ends the answer."""
        data = await self._socket.recv()
        self.bytes_taken += len(data)
        message = ForwardMsg()
        message.ParseFromString(data)
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            place = message.metadata.delta_path
            known = self._known[message.ref_hash][1]
            self._known[message.ref_hash] = self._round, known
            self._put(tuple(place), known)
        elif kind == "new_session":
            self._round += 1
            self.script = message.new_session.page_script_hash
            self._session = message.new_session.initialize.session_id
            self.page = Page()
        elif kind == "file_urls_response":
            self._urls = message.file_urls_response.file_urls[0]
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            self._put(tuple(message.metadata.delta_path), element)
            if message.metadata.cacheable:
                self._known[message.hash] = self._round, element
        elif kind == "script_finished":
            self._known = {h: (r, e) for h, (r, e) in self._known.items() if r > self._round - ROUNDS}
            # A page that leads on to another one, or a newer wish, has a run of its own to come.
            return message.script_finished in (
                FINISHED.FINISHED_SUCCESSFULLY,
                FINISHED.FINISHED_WITH_COMPILE_ERROR,
                FINISHED.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
            )
        return False

    def _put(self, place: tuple[int, ...], element: Message) -> None:
        self.page.elements[place] = element
        if element.WhichOneof("type") == "html" and 'class="ac-answer"' in element.html.body:
            self.answered_s = time.perf_counter() - self._start
