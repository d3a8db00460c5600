"""The page around the terminal in a browser. Nothing in it comes from another host."""

from __future__ import annotations

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>kebab</title>
<link rel="stylesheet" href="$static/css/xterm.css">
<style>
@font-face {
  font-family: "Roboto Mono";
  src: url("$static/fonts/RobotoMono-VariableFont_wght.ttf") format("truetype");
  font-weight: 100 700;
}
@font-face {
  font-family: "Roboto Mono";
  font-style: italic;
  src: url("$static/fonts/RobotoMono-Italic-VariableFont_wght.ttf") format("truetype");
  font-weight: 100 700;
}
html, body { margin: 0; height: 100%; background: $background; color: $text; }
body { font-family: "Roboto Mono", monospace; overflow: hidden; }
.textual-terminal { width: 100vw; height: 100vh; }
.note { position: absolute; inset: 0; display: grid; place-content: center; z-index: 9; }
body.-first-byte .opening { display: none; }
.closed { display: none; background: $background; }
body.-closed .closed { display: grid; }
</style>
<script nonce="$nonce" src="$static/js/textual.js"></script>
</head>
<body>
<div class="note opening">Opening…</div>
<div class="note closed">The chat has ended. Load the page again for another one.</div>
<div id="terminal" class="textual-terminal" data-session-websocket-url="$socket"
  data-font-size="16"></div>
<script nonce="$nonce">
new MutationObserver((_, watch) => {
  if (!document.body.classList.contains("-first-byte")) return;
  watch.disconnect();
  document.querySelector("textarea")?.focus();
}).observe(document.body, {attributes: true});
</script>
</body>
</html>
"""


def policy(nonce: str, socket: str) -> str:
    """The Content-Security-Policy of the page: its own files and its own socket, nothing else."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'nonce-{nonce}'",
            # xterm.js sets its colours by style elements.
            "style-src 'self' 'unsafe-inline'",
            "font-src 'self' data:",
            "img-src 'self' data:",
            f"connect-src {socket}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )
