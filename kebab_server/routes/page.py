"""`GET /`: the small page on `/api/ask`. One file, nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

_BLOCK = r"<{0}>(.*?)</{0}>"


@cache
def page() -> str:
    return (files("kebab_server") / "page.html").read_text(encoding="utf-8")


@cache
def policy() -> str:
    """The page's own script and style, to the letter, and requests to where it came from."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_hash('script')}",
            f"style-src {_hash('style')}",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ]
    )


def _hash(tag: str) -> str:
    found = re.findall(_BLOCK.format(tag), page(), re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in found]
    return " ".join(f"'sha256-{digest.decode()}'" for digest in digests)


async def show(request: Request) -> Response:
    headers = {"Content-Security-Policy": policy()}
    return Response(page(), media_type="text/html", headers=headers)
