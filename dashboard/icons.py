"""Drawings of twenty pixels a side, in strokes of the text's colour, for buttons and lines.

Each is the content of an SVG; `{% icon "flag" %}` (templatetags/frame.py) draws it.
"""

from __future__ import annotations

ICONS: dict[str, str] = {
    "alert": '<path d="M10 3 2.5 16.5h15zM10 8.5v3.7M10 14.3v.1"/>',
    "bin": '<path d="M4 5.5h12M8 5V3.5h4V5M5.5 5.5l.7 11.5h7.6l.7-11.5M8.5 8.5v5.5M11.5 8.5v5.5"/>',
    "book": (
        '<path d="M4 4.5c2-.9 4-.9 6 .4 2-1.3 4-1.3 6-.4v11c-2-.9-4-.9-6 '
        '.4-2-1.3-4-1.3-6-.4zM10 5v11"/>'
    ),
    "check": '<path d="m4 10.5 4 4 8-9"/>',
    "chev": '<path d="m5 7.5 5 5 5-5"/>',
    "copy": '<rect x="7" y="7" width="9.5" height="9.5" rx="1.5"/><path d="M4.5 13H3.5V3.5H13v1"/>',
    "doc": '<path d="M5 2.5h6.5L15.5 6.5v11h-10.5zM11.5 2.5v4h4M7.5 10.5h5.5M7.5 13.5h5.5"/>',
    "dots": (
        '<circle cx="4.5" cy="10" r=".9"/><circle cx="10" cy="10" r=".9"/><circle cx="15.5" '
        'cy="10" r=".9"/>'
    ),
    "down": '<path d="M10 3v9.5m-4-4 4 4 4-4M4 16.5h12"/>',
    "edit": '<path d="M4 16l.8-3.5L13.5 3.8l2.7 2.7L7.5 15.2zM11.8 5.5l2.7 2.7"/>',
    "eye": (
        '<path d="M2 10c2-3.7 4.7-5.5 8-5.5s6 1.8 8 5.5c-2 3.7-4.7 5.5-8 5.5S4 13.7 2 '
        '10z"/><circle cx="10" cy="10" r="2.3"/>'
    ),
    "filter": '<path d="M3 5h14M6 10h8M8.5 15h3"/>',
    "flag": '<path d="M5 17V3.5h9.5l-2 3.5 2 3.5H5"/>',
    "laptop": '<rect x="4" y="4" width="12" height="9" rx="1"/><path d="M2 16h16"/>',
    "left": '<path d="M12.5 4.5 7 10l5.5 5.5"/>',
    "link": (
        '<path d="M8.5 11.5a3 3 0 0 0 4.3 0l3-3a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 '
        '0l-3 3a3 3 0 0 0 4.3 4.3l1-1"/>'
    ),
    "mail": '<path d="M3 5h14v10.5H3zM3 5.5l7 5.5 7-5.5"/>',
    "merge": '<path d="M5 3.5v4c0 3 5 2.5 5 6v3M15 3.5v4c0 3-5 2.5-5 6"/>',
    "moon": '<path d="M16 12.5A6.8 6.8 0 0 1 7.5 4a6.8 6.8 0 1 0 8.5 8.5z"/>',
    "note": '<path d="M3.5 4h13v9h-8l-3.5 3.5V13h-1.5z"/>',
    "pause": '<path d="M7 4.5v11M13 4.5v11"/>',
    "phone": '<rect x="6" y="2.5" width="8" height="15" rx="1.5"/><path d="M9 15h2"/>',
    "pin": '<path d="M7 3h6l-1 5 2.5 3h-9L8 8zM10 11v6"/>',
    "play": '<path d="M6 4.5v11l9-5.5z"/>',
    "plus": '<path d="M10 4v12M4 10h12"/>',
    "refresh": (
        '<path d="M16 8a6.3 6.3 0 0 0-11.3-1.8M4 12a6.3 6.3 0 0 0 11.3 1.8M4.5 '
        '2.8v3.6h3.6M15.5 17.2v-3.6h-3.6"/>'
    ),
    "right": '<path d="m7.5 4.5 5.5 5.5-5.5 5.5"/>',
    "scale": (
        '<path d="M10 3v14M6 17h8M4 6h12M4 6l-2 5.5a2.2 2.2 0 0 0 4.4 0zM16 6l-2.4 5.5a2.2 '
        '2.2 0 0 0 4.4 0z"/>'
    ),
    "seal": '<circle cx="10" cy="10" r="6.8"/><path d="m7 10.2 2.2 2.2 4-4.6"/>',
    "search": '<circle cx="8.5" cy="8.5" r="5"/><path d="m12.5 12.5 4 4"/>',
    "stop": '<rect x="5" y="5" width="10" height="10" rx="1"/>',
    "sum": '<path d="M15 4H5l5.5 6L5 16h10"/>',
    "table": '<rect x="3" y="4" width="14" height="12" rx="1"/><path d="M3 8h14M8 8v8"/>',
    "target": '<circle cx="10" cy="10" r="6.8"/><circle cx="10" cy="10" r="2.8"/>',
    "undo": '<path d="M7 5 3.5 8.5 7 12M4 8.5h7.5a4 4 0 0 1 0 8H8"/>',
    "up": '<path d="M10 13V3.5m-4 4 4-4 4 4M4 16.5h12"/>',
    "x": '<path d="m5 5 10 10M15 5 5 15"/>',
}
