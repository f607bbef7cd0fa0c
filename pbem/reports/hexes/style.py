"""The style sheet of hex maps: it goes with the drawing, so that a page without one has none of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from pbem.reports.drawing.colours import baked


class Letters(Struct, frozen=True):
    """How large letters are, in pixels of the whole map: on that, and in an enlargement, where they are seen nearer."""

    whole: float
    near: float


LETTERS: Mapping[str, Letters] = {
    "country": Letters(17.0, 17.0),
    "province": Letters(9.6, 8.4),
    "river": Letters(11.0, 9.6),
    "fort": Letters(11.0, 9.2),
    "town": Letters(10.8, 9.0),
    "village": Letters(10.0, 8.4),
}
"""Names find their places by the larger size, so that the smaller has room there too."""

_HEX = """
.hx-land{fill:var(--open)}.hx-far{fill:var(--panel)}.hx-shut{fill:var(--grid);fill-opacity:.75}
.hx-shutline{stroke:var(--line);stroke-width:.7;stroke-opacity:.55}
.hx-wood{fill:var(--wood)}.hx-rough{fill:var(--hill)}.hx-mountain{fill:var(--hill)}.hx-swamp{fill:var(--swamp)}
.hx-water{fill:var(--water)}.hx-shade{fill:var(--hachure);fill-opacity:.3}
.hx-tree{fill:var(--tree);fill-opacity:.55;stroke:var(--tree);stroke-width:.8}
.hx-slope{fill:none;stroke:var(--hachure);stroke-width:.9;stroke-linecap:round}
.hx-peak{fill:none;stroke:var(--hachure);stroke-width:1.1;stroke-linejoin:round;stroke-linecap:round}
.hx-lee{fill:var(--hachure);fill-opacity:.75}
.hx-reed{fill:none;stroke:var(--bank);stroke-width:.8}
.hx-grid{fill:none;stroke:var(--line);stroke-opacity:.36;stroke-width:.8;stroke-linejoin:round}
.hx-bank{fill:none;stroke:var(--bank);stroke-width:4;stroke-linejoin:round;stroke-linecap:round}
.hx-flow{fill:none;stroke:var(--water);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.hx-bank.hx-broad{stroke-width:6.6}.hx-flow.hx-broad{stroke-width:4.2}
.hx-road{fill:none;stroke:var(--road);stroke-width:3.4;stroke-linejoin:round;stroke-linecap:round}
.hx-lane{fill:none;stroke:var(--lane);stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}
.hx-rail{fill:none;stroke:var(--wall);stroke-width:1.15;stroke-opacity:.85}
.hx-ties{fill:none;stroke:var(--wall);stroke-width:4.4;stroke-opacity:.85;stroke-dasharray:1 4.125;
stroke-dashoffset:-2.06}
.hx-rim{fill:none;stroke:var(--muted);stroke-width:7;stroke-opacity:.2;stroke-linejoin:round}
.hx-frontier{fill:none;stroke:var(--ink);stroke-width:1.7;stroke-dasharray:7 3 1.6 3;stroke-linejoin:round}
.hx-wet{fill:none;stroke:var(--ink);stroke-width:1.1;stroke-dasharray:5 3 1.2 3}
.hx-number,.hx-few{font-family:var(--sans);font-size:5.6px;fill:var(--muted);fill-opacity:.85;text-anchor:middle}
.hx-few{font-size:8px;display:@few}.hx-number{display:@number}
.hx-edge{font-family:var(--sans);font-weight:600;font-size:10.5px;fill:var(--muted);text-anchor:middle}
.hx-edge.hx-near{font-size:13px}
.hx-held{stroke:currentColor;stroke-width:2;stroke-opacity:.42}
.hx-holder{fill:none;stroke:currentColor;stroke-width:1.6;stroke-opacity:.55;stroke-linejoin:round}
.hx-dot{fill:currentColor;fill-opacity:.55}
.hx-zone{fill:none;stroke:currentColor;stroke-width:1.4;stroke-dasharray:3 2.4;stroke-opacity:.8;stroke-linejoin:round}
.hx-reach{fill:currentColor;fill-opacity:.1;stroke:currentColor;stroke-width:1.6;stroke-opacity:.6;stroke-linejoin:round}
.hx-country,.hx-province,.hx-river,.hx-town,.hx-fort,.hx-village{font-family:var(--serif);text-anchor:middle;paint-order:stroke;stroke:var(--open);stroke-linejoin:round}
.hx-country{font-size:@country;font-weight:600;letter-spacing:.42em;fill:var(--muted);fill-opacity:.75;stroke:none}
.hx-province{font-size:@province;font-weight:600;letter-spacing:.12em;fill:var(--muted);fill-opacity:.9;stroke:none}
.hx-river{font-size:@river;font-style:italic;fill:var(--brook);stroke-width:2.2px}
.hx-town,.hx-fort,.hx-village{fill:var(--name);stroke-width:2.4px;stroke-opacity:.9}
.hx-town{font-size:@town}.hx-fort{font-size:@fort;font-weight:600}.hx-village{font-size:@village;font-style:italic}
.hx-spot{fill:currentColor;stroke:var(--sheet);stroke-width:1}.hx-open{fill:var(--sheet);stroke:currentColor;stroke-width:1.5}
.hx-bar{fill:none;stroke:currentColor;stroke-width:1.5}
.hx-siege{fill:none;stroke:var(--ink);stroke-width:2;stroke-dasharray:2.2 2.2}
.hx-ruin{fill:var(--sheet);stroke:currentColor;stroke-width:1.2;stroke-dasharray:2 1.6}
.hx-badge{font-family:var(--sans);font-size:9px;font-weight:700;text-anchor:middle}
.hx-box{fill:currentColor;stroke:var(--sheet);stroke-width:1}.hx-case{fill:var(--sheet);stroke:currentColor;stroke-width:1.7}
.hx-blind{fill:var(--sheet);stroke:currentColor;stroke-width:1.4}
.hx-sum,.hx-hq{font-family:var(--sans);font-weight:700;text-anchor:middle}
.hx-sum{font-size:11px}.hx-pale{fill:var(--sheet)}.hx-dark{fill:currentColor}
.hx-fit{fill:var(--sheet)}.hx-worn{fill:var(--sheet);fill-opacity:.45}.hx-hole{fill:none}
.second .hx-fit,.none .hx-fit{fill:currentColor}.second .hx-worn,.none .hx-worn{fill:currentColor;fill-opacity:.4}
.hx-strip{fill:none;stroke:var(--sheet);stroke-width:.8}.second .hx-strip,.none .hx-strip{stroke:currentColor}
.hx-staff{fill:none;stroke:var(--ink);stroke-width:1.3;stroke-linecap:round}
.hx-flag{fill:currentColor;stroke:var(--sheet);stroke-width:.7;stroke-linejoin:round}
.hx-wheel{fill:var(--sheet);stroke:currentColor;stroke-width:1.3}
.hx-recent .hx-box{fill-opacity:.74}.hx-recent .hx-case,.hx-recent .hx-blind{stroke-opacity:.55}
.hx-old .hx-blind{stroke-dasharray:4 2.4}.hx-stale .hx-blind{stroke-dasharray:1.2 2.2}
.hx-under{fill:none;stroke:var(--sheet);stroke-width:5.4;stroke-opacity:.85;stroke-linejoin:round;stroke-linecap:round}
.hx-march{fill:none;stroke:currentColor;stroke-width:2.8;stroke-linejoin:round}
.hx-back{fill:none;stroke:currentColor;stroke-width:2.4;stroke-dasharray:6 3.4;stroke-linejoin:round}
.hx-ride{fill:none;stroke:currentColor;stroke-width:2.6;stroke-dasharray:1.6 2.2;stroke-linejoin:round}
.hx-line{fill:none;stroke:currentColor;stroke-width:1.8;
stroke-dasharray:.1 3.6;stroke-linejoin:round;stroke-linecap:round}
"""


_WHOLE = {"few": "inline", "number": "none"} | {name: f"{size.whole:g}px" for name, size in LETTERS.items()}
_NEAR = {"few": "none", "number": "inline"} | {name: f"{size.near:g}px" for name, size in LETTERS.items()}
_BY_SCALE = re.compile(r"@(\w+)")


def hex_css() -> str:
    """The style by custom properties, for a drawing in a page; an enlargement of it stands in a `.detail`."""
    by_scale = _BY_SCALE.sub(lambda found: f"var(--hx-{found[1]},{_WHOLE[found[1]]})", _HEX)
    near = ";".join(f"--hx-{name}:{value}" for name, value in _NEAR.items())
    return f"{by_scale}.detail{{{near}}}".replace("\n", "")


def baked_hex_css(*, near: bool = False) -> str:
    """The style with the colours written out and bundled faces, for a drawing that stands alone; *near*: enlarged."""
    return baked(_BY_SCALE.sub(lambda found: (_NEAR if near else _WHOLE)[found[1]], _HEX))
