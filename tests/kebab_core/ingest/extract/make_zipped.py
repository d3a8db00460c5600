"""Small Office files and e-books, made part by part or by the libraries that write them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
_RELS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Target="word/document.xml" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>'
    "</Relationships>"
)
_CORE = (
    "<cp:coreProperties "
    'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title>'
    "<dc:creator>{author}</dc:creator></cp:coreProperties>"
)
_STYLES = (
    f'<w:styles xmlns:w="{W}">'
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}">'
        f'<w:name w:val="heading {n}"/></w:style>'
        for n in (1, 2)
    )
    + "</w:styles>"
)


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def paragraph(text: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{styled}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def table(rows: Sequence[Sequence[str]]) -> str:
    cells = ["".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows]
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def docx(body: str, *, title: str = "", author: str = "", before: str = "") -> bytes:
    """`body` of paragraphs and tables; `before` stands above the document's root."""
    return zipped(
        {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": _RELS,
            "docProps/core.xml": _CORE.format(title=title, author=author),
            "word/styles.xml": _STYLES,
            "word/document.xml": (
                f'<?xml version="1.0"?>{before}<w:document xmlns:w="{W}"><w:body>{body}</w:body>'
                "</w:document>"
            ),
        }
    )


def epub(chapters: Mapping[str, str], *, title: str = "", author: str = "") -> bytes:
    """`chapters` by path, in order, as whole pages."""
    items = "".join(
        f'<item id="c{i}" href="{path}" media-type="application/xhtml+xml"/>'
        for i, path in enumerate(chapters)
    )
    order = "".join(f'<itemref idref="c{i}"/>' for i in range(len(chapters)))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OEBPS/content.opf"/></rootfiles></container>',
        )
        archive.writestr(
            "OEBPS/content.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<metadata><dc:title>{title}</dc:title><dc:creator>{author}</dc:creator>"
            f"<dc:language>en-GB</dc:language></metadata><manifest>{items}</manifest>"
            f"<spine>{order}</spine></package>",
        )
        for path, page in chapters.items():
            archive.writestr(f"OEBPS/{path}", page)
    return stream.getvalue()


def xlsx(sheets: Mapping[str, Sequence[Sequence[object]]], *, title: str = "") -> bytes:
    import xlsxwriter

    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    book.set_properties({"title": title})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for i, values in enumerate(rows):
            sheet.write_row(i, 0, values)
    book.close()
    return stream.getvalue()


def pptx(slides: Sequence[tuple[str, str, str]]) -> bytes:
    """Each with a title, points (one a line) and notes."""
    from pptx import Presentation

    deck = Presentation()
    for title, points, notes in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text_frame.text = points
        if notes:
            slide.notes_slide.notes_text_frame.text = notes
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()
