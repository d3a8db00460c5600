"""A search engine and a page on loopback, for the real program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.support.site import Handler, Site, page

LAW = (
    b"<html><head><title>The law</title></head><body><article><h1>Law</h1><p>"
    b"By law the notice period is at least two weeks, and employers may agree on more than that, "
    b"which many of them do in their own handbooks.</p></article></body></html>"
)


@dataclass
class Web:
    """`site.asked` tells what left the machine."""

    site: Site
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def law(self) -> str:
        return f"{self.site.base}/law"


@contextmanager
def small_web() -> Iterator[Web]:
    """Its search finds one page, whatever is looked for; the variables make kebab ask it."""
    pages: dict[str, Handler] = {"/law": page(LAW)}
    with Site(pages) as site:
        found = {"url": f"{site.base}/law", "title": "The law", "content": "Two weeks by law."}
        body = json.dumps({"results": [found]}).encode()
        pages["/search"] = page(body, Content_Type="application/json")
        variables = {
            "KEBAB_WEB__BASE_URL": site.base,
            "KEBAB_WEB__ALLOW_HOSTS": '["127.0.0.1"]',
        }
        yield Web(site, variables)
