"""The two themes, from one table of named roles. Nothing else in this package names a colour."""

from __future__ import annotations

from textual.theme import Theme

ROLES: dict[str, tuple[str, str]] = {
    # role: (kebab-dark, kebab-light)
    "background": ("#171513", "#FAF6F0"),
    "surface": ("#1F1C19", "#F2ECE3"),
    "panel": ("#2A2622", "#E6DDD0"),
    "text": ("#E9E2D8", "#2C2620"),
    "dim": ("#A39A8E", "#675E53"),
    "primary": ("#E59B4C", "#8F4A0A"),
    "secondary": ("#8FB573", "#48632F"),
    "accent": ("#6FB7B0", "#17625D"),
    "warning": ("#E3C25F", "#735800"),
    "error": ("#E36F65", "#9E2C22"),
}
"""text: what is read. dim: what may be overlooked. primary: focus and keys. secondary: the person.
accent: citations and links."""

GROUNDS = ("background", "surface", "panel")

HIGHLIGHT = 0.22
"""How much of primary tints the ground under what is chosen."""

DARK = "kebab-dark"
LIGHT = "kebab-light"


def roles(name: str) -> dict[str, str]:
    """The colours of one theme by role."""
    column = 0 if name == DARK else 1
    return {role: pair[column] for role, pair in ROLES.items()}


def build(name: str) -> Theme:
    """`name` (kebab-dark or kebab-light) as Textual knows themes."""
    colour = roles(name)
    text, dim, primary, accent = (colour[r] for r in ("text", "dim", "primary", "accent"))
    return Theme(
        name=name,
        dark=name == DARK,
        primary=primary,
        secondary=colour["secondary"],
        success=colour["secondary"],
        accent=accent,
        warning=colour["warning"],
        error=colour["error"],
        foreground=text,
        background=colour["background"],
        surface=colour["surface"],
        panel=colour["panel"],
        variables={
            "text": text,
            "text-muted": dim,
            "text-disabled": dim,
            "foreground-muted": dim,
            "foreground-disabled": dim,
            **{f"text-{role}": colour[role] for role in _TINTED},
            "text-success": colour["secondary"],
            "border": primary,
            "border-blurred": f"{primary} 35%",
            "block-cursor-foreground": colour["background"],
            "block-cursor-background": primary,
            "block-cursor-text-style": "none",
            "block-cursor-blurred-foreground": text,
            "block-cursor-blurred-background": f"{primary} {HIGHLIGHT:.0%}",
            "block-hover-background": colour["panel"],
            "footer-background": colour["background"],
            "footer-key-foreground": primary,
            "footer-description-foreground": dim,
            "input-cursor-background": primary,
            "input-cursor-foreground": colour["background"],
            "input-selection-background": f"{accent} 35%",
            "input-selection-foreground": text,
            "link-color": accent,
            "link-style": "none",
            "link-color-hover": colour["background"],
            "link-background-hover": accent,
            "link-style-hover": "none",
            "scrollbar": colour["panel"],
            "scrollbar-hover": dim,
            "scrollbar-active": primary,
            "scrollbar-background": colour["background"],
            "scrollbar-corner-color": colour["background"],
            "screen-selection-background": f"{accent} 35%",
            **{f"markdown-h{level}-color": primary for level in (1, 2, 3)},
            **{f"markdown-h{level}-color": text for level in (4, 5, 6)},
            "markdown-h2-text-style": "bold",
        },
    )


_TINTED = ("primary", "secondary", "accent", "warning", "error")
