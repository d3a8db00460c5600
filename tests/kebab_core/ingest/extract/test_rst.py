from __future__ import annotations

import pytest

from kebab_core.ingest.extract.rst import extract

TEXT = """\
======
Manual
======

Intro of :class:`~a.B`.

Using ``run``
-------------

Text::

    code

    more

After.

=== ===
a   b
=== ===
1   2
=== ===

Deeper
~~~~~~

.. code-block:: python

   x = 1

   y = 2

Words.

Other
-----

.. note:: Look.
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_titles_nest_in_the_order_of_their_adornment(end: str) -> None:
    text = TEXT.replace("\n", end)
    extraction = extract(text, "a.rst")
    headings = [block for block in extraction.blocks if block.kind == "heading"]
    assert [block.heading_path for block in headings] == [
        ("Manual",),
        ("Manual", "Using run"),
        ("Manual", "Using run", "Deeper"),
        ("Manual", "Other"),
    ]
    assert (extraction.title, extraction.of) == ("Manual", "source")
    code = [text[b.start : b.end] for b in extraction.blocks if b.kind == "code"]
    assert [piece.split() for piece in code] == [
        ["code", "more"],
        [*["..", "code-block::", "python", "x", "=", "1", "y", "=", "2"]],
    ]


def test_tables_and_transitions_are_no_titles() -> None:
    text = "Words\n\n----\n\nName  N\n====  =\n\n====  ===\nAnn     3\n====  ===\n"
    assert [block.kind for block in extract(text, "a.rst").blocks if block.kind == "heading"] == []
