"""An HTML file that needs nothing beside itself: it asks nobody for anything, and its reader's browser sees to that."""

from __future__ import annotations

import base64
import hashlib
import html

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="{name}" content="{content}">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def html_file(
    title: str,
    style: str,
    body: str,
    meta: tuple[str, str],
    *,
    images: bool = False,
    scripts: bool = False,
    script: str = "",
) -> str:
    """A whole page. title: plain text; style, body: CSS and HTML as they are; meta: name and content of one more
    element of the head; images, scripts: whether it has some of its own, which it may then use; script: the only one
    that may run then, at its end.
    """
    policy = [
        "default-src 'none'",
        *(["script-src 'unsafe-inline'"] if scripts else [f"script-src '{_hash(script)}'"] if script else []),
        "style-src 'unsafe-inline'",
        *(["img-src data:"] if images else []),
    ]
    name, content = meta
    return PAGE.format(
        policy="; ".join(policy),
        name=name,
        content=html.escape(content),
        title=html.escape(title),
        style=style,
        body=f"{body}\n<script>{script}</script>" if script else body,
    )


def _hash(script: str) -> str:
    """By which a policy lets one script run and no other."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"
