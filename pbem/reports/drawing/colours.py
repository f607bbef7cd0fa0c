"""The two sets of colours, and the style sheet of the maps and plots that is made from either.

Contrast of every pair that carries meaning is at least 4.5:1 (WCAG 2.1) on paper, on panel, and on each ground.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#FBF8F1",
    "panel": "#F3EDDF",
    "ink": "#23201B",
    "muted": "#5C5548",
    "rule": "#CFC4AE",
    "line": "#8C8271",
    "link": "#1B4F8A",
    "first": "#1D4C8C",
    "second": "#A5341C",
    "done": "#2B5D3E",
    "part": "#7A5200",
    "fail": "#A5341C",
    "open": "#F8F3E6",
    "hill": "#EBDDBC",
    "wood": "#D9E2C8",
    "town": "#EADCCB",
    "swamp": "#DDE6E2",
    "grid": "#E0D7C2",
    "hachure": "#8A6E45",
    "bank": "#3B78A6",
    "water": "#A9CBE0",
    "road": "#8A6D45",
    "lane": "#FFFDF7",
    "wall": "#2B2620",
    "house": "#CDB9A2",
    "timber": "#4A3B2C",
    "sheet": "#FFFDF7",
    "tree": "#6F8757",
    "name": "#3D362B",
    "brook": "#1F5A86",
}
DARK: Mapping[str, str] = {
    "paper": "#181613",
    "panel": "#23201B",
    "ink": "#ECE6DA",
    "muted": "#B5AC9B",
    "rule": "#453F35",
    "line": "#857C6C",
    "link": "#9CC3F2",
    "first": "#8FBAF2",
    "second": "#F2997F",
    "done": "#93C9A5",
    "part": "#E3B95F",
    "fail": "#F2997F",
    "open": "#24211C",
    "hill": "#38301F",
    "wood": "#26301F",
    "town": "#3B3027",
    "swamp": "#24302E",
    "grid": "#332E27",
    "hachure": "#A58A5C",
    "bank": "#6FAAD2",
    "water": "#2F5068",
    "road": "#A58A5C",
    "lane": "#3A342B",
    "wall": "#E8DFCF",
    "house": "#57483A",
    "timber": "#CDBBA4",
    "sheet": "#15130F",
    "tree": "#7F9A66",
    "name": "#DCD2C0",
    "brook": "#93C4E6",
}

SERIF = (
    '"Iowan Old Style","Palatino Linotype",Palatino,P052,"URW Palladio L","TeX Gyre Pagella",Georgia,'
    '"DejaVu Serif",serif'
)
SANS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Nimbus Sans","Liberation Sans",Arial,sans-serif'
MONO = 'ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace'

BUNDLED: Mapping[str, str] = {"serif": '"DejaVu Serif",serif', "sans": '"DejaVu Sans",sans-serif'}
"""The faces that every office has: a picture drawn without a browser uses no other."""

_MAP = """
.open{fill:var(--open)}.hill{fill:var(--hill)}.wood{fill:var(--wood)}.town{fill:var(--town)}
.swamp{fill:var(--swamp)}.graveyard{fill:var(--open)}.field{fill:var(--open)}.water{fill:var(--water)}
.tree{fill:var(--wood);stroke:var(--tree);stroke-width:1.1}.reed{fill:none;stroke:var(--bank);stroke-width:1}
.furrow{fill:none;stroke:var(--grid);stroke-width:1.2}.grid{fill:none;stroke:var(--grid);stroke-width:1}
.hachure{fill:none;stroke:var(--hachure);stroke-width:1.25;stroke-linecap:round}
.bank{fill:none;stroke:var(--bank);stroke-width:7.6;stroke-linejoin:round;stroke-linecap:round}
.brook{fill:none;stroke:var(--water);stroke-width:5;stroke-linejoin:round;stroke-linecap:round}
.shore{fill:none;stroke:var(--bank);stroke-width:15;stroke-linejoin:round}
.river{fill:none;stroke:var(--water);stroke-width:12;stroke-linejoin:round}
.road{fill:none;stroke:var(--road);stroke-width:8;stroke-linejoin:round;stroke-linecap:round}
.lane{fill:none;stroke:var(--lane);stroke-width:5.4;stroke-linejoin:round;stroke-linecap:round}
.bridge{fill:none;stroke:var(--wall);stroke-width:2.4;stroke-linecap:round}
.wall{fill:none;stroke:var(--wall);stroke-width:3.4}.ticks{fill:none;stroke:var(--wall);stroke-width:1.5}
.ruin{stroke-dasharray:5 4}.rail{fill:none;stroke:var(--wall);stroke-width:2}
.frontier{fill:none;stroke:var(--ink);stroke-width:2.2;stroke-dasharray:12 4 2 4}
.contour{fill:none;stroke:var(--hachure);stroke-width:1}
.house{fill:var(--house);stroke:var(--timber);stroke-width:2.2}.hut{fill:var(--timber)}
.cross{fill:none;stroke:var(--timber);stroke-width:1.8}
.frame{fill:none;stroke:var(--ink);stroke-width:2.5}.margin{fill:var(--paper)}
.co{font-family:var(--sans);font-weight:600;font-size:15px;fill:var(--muted);text-anchor:middle}
.nt,.np,.nw{font-family:var(--serif);font-style:italic;text-anchor:middle;paint-order:stroke;stroke:var(--open);stroke-width:3px;stroke-linejoin:round}
.nt,.np{fill:var(--name)}.nw{fill:var(--brook)}.nt{font-size:17px;font-weight:600}.np,.nw{font-size:12.5px}
.first{color:var(--first)}.second{color:var(--second)}.none{color:var(--ink)}
.full{fill:currentColor}.cell{fill:var(--sheet);stroke:currentColor;stroke-width:1.3}
.hatch{stroke:none}.hat0{fill:var(--sheet)}.hat1{fill:var(--second)}
.man{fill:none;stroke:var(--sheet);stroke-width:.9}.second .man{stroke:var(--second);stroke-width:1}
.lost{fill:none;stroke:currentColor;stroke-width:1.1}
.front{fill:none;stroke:currentColor;stroke-width:3}.light{fill:none;stroke:var(--sheet);stroke-width:2}
.barrel{fill:none;stroke:currentColor;stroke-width:1.7}.stout{stroke-width:3.6}
.axle{fill:none;stroke:currentColor;stroke-width:1.6}.wheel{fill:currentColor}
.second .wheel{fill:var(--sheet);stroke:currentColor;stroke-width:1.4}
.man1{fill:currentColor}.work{fill:none;stroke:currentColor;stroke-width:3}
.staff{fill:none;stroke:var(--ink);stroke-width:1.8}.edge{stroke:currentColor;stroke-width:1}
.disc{fill:var(--sheet)}.second .disc{fill:var(--second);stroke:var(--sheet)}
.card{fill:var(--sheet);stroke:currentColor;stroke-width:1.4}.dummy{stroke-dasharray:2.4 2}
.lattice{stroke:currentColor;stroke-width:.6;opacity:.75;fill:none}.blank{fill:var(--sheet)}
.kind{fill:none;stroke:currentColor;stroke-width:1.6}
.recent .tint{opacity:.6}.old .tint{opacity:.2}.stale .tint,.hollow .tint{opacity:0}
.old .cell,.old .card,.old .front{stroke-dasharray:3 2}.stale .cell,.stale .card,.stale .front{stroke-dasharray:1 2}
.move{fill:none;stroke:currentColor;stroke-width:3.2;stroke-linejoin:round}
.retreat{fill:none;stroke:currentColor;stroke-width:2.6;stroke-dasharray:8 4;stroke-linejoin:round}
.rifle{fill:none;stroke:currentColor;stroke-width:1.8;stroke-dasharray:2 3}
.artillery{fill:none;stroke:currentColor;stroke-width:1.8;stroke-dasharray:9 3 2 3}
.messenger{fill:none;stroke:currentColor;stroke-width:1.6;stroke-dasharray:1 3;stroke-linecap:round}
.ring{fill:var(--sheet);stroke:currentColor;stroke-width:1.7}.head{fill:currentColor}
.barb{fill:none;stroke:currentColor;stroke-width:1.9}
.lb{font-family:var(--sans);font-size:11.5px;font-weight:600;fill:currentColor;paint-order:stroke;stroke:var(--sheet);stroke-width:3px;stroke-linejoin:round}
.duel{fill:var(--sheet);stroke:var(--ink);stroke-width:1.2}.sabre{fill:none;stroke:var(--ink);stroke-width:1.8}
.star{fill:var(--ink);stroke:var(--sheet);stroke-width:1.2}
.figure{font-family:var(--sans);font-size:12px;font-weight:700;fill:var(--sheet);text-anchor:middle}
.figure.small{font-size:9.5px}
"""
_PLOT = """
.ax,.nm{font-family:var(--sans);font-size:12.5px;fill:var(--muted)}.nm{font-weight:600;font-size:13.5px;fill:var(--ink)}
.bar{fill:none;stroke:var(--rule);stroke-width:1}.base{fill:none;stroke:var(--line);stroke-width:1}
.run{fill:none;stroke:currentColor;stroke-width:2.6;stroke-linejoin:round}.second .run{stroke-dasharray:7 4}
.dot{fill:currentColor}.loop{fill:var(--paper);stroke:currentColor;stroke-width:2}
.who{font-family:var(--sans);font-size:13px;font-weight:600;fill:currentColor}
.val{font-family:var(--sans);font-size:11.5px;fill:currentColor;text-anchor:middle;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
"""
_STANDALONE = """
.sheet{fill:var(--paper)}.ttl{font-family:var(--serif);font-size:22px;font-weight:600;fill:var(--ink)}
.whose{font-family:var(--serif);font-style:italic;font-size:14px;fill:var(--muted)}
.words{font-family:var(--sans);font-size:12.5px;fill:var(--ink)}
"""


def variables(colours: Mapping[str, str]) -> str:
    """The set as custom properties, for a browser."""
    return "".join(f"--{name}:{value};" for name, value in colours.items())


def drawing_css() -> str:
    """The style of maps and plots in a page, by custom properties, so that they follow its theme.

    No rule asks for an ancestor outside the drawing: a browser would not find it when the drawing is shown again
    by `use`.
    """
    return (_MAP + _PLOT).replace("\n", "")


def baked_css() -> str:
    """The same with the colours written out and bundled faces, for a drawing that stands alone."""
    return baked(_MAP + _PLOT + _STANDALONE)


def baked(css: str) -> str:
    """Any style with what its custom properties stand for in the light, in one line."""
    told = {**LIGHT, **BUNDLED}
    return re.sub(r"var\(--(\w+)\)", lambda found: told[found[1]], css).replace("\n", "")
