"""The style sheet of maps of continuous ground: it goes with the drawing, so that a page without one has none of it."""

from __future__ import annotations

from pbem.reports.drawing.colours import baked

_PLANE = """
.pl-hachure{fill:none;stroke:var(--hachure);stroke-opacity:.8}
.pl-h0{stroke-width:.5}.pl-h1{stroke-width:.75}.pl-h2{stroke-width:1.05}.pl-h3{stroke-width:1.5}
.pl-rise{fill:var(--hill);fill-opacity:.55}.pl-foot{fill:none;stroke:var(--hachure);stroke-width:.6;stroke-opacity:.6}
.pl-crest{fill:none;stroke:var(--wall);stroke-width:1.7;stroke-dasharray:8 3}
.pl-wood,.pl-thicket{fill:var(--wood)}.pl-swamp{fill:var(--swamp)}.pl-garden{fill:var(--wood);fill-opacity:.5}
.pl-rough{fill:var(--hill);fill-opacity:.45}.pl-field{fill:none}
.pl-lake{fill:var(--water);stroke:var(--bank);stroke-width:1}
.pl-tree{fill:none;stroke:var(--tree);stroke-width:.95}
.pl-fir{fill:var(--tree);fill-opacity:.7;stroke:var(--tree);stroke-width:.6}
.pl-reed{fill:none;stroke:var(--bank);stroke-width:.9}
.pl-bed{fill:none;stroke:var(--tree);stroke-width:.6;stroke-opacity:.8}
.pl-vine{fill:none;stroke:var(--tree);stroke-width:.8;stroke-opacity:.8}
.pl-furrow{fill:none;stroke:var(--grid);stroke-width:1}
.pl-bank{fill:none;stroke:var(--bank);stroke-linejoin:round;stroke-linecap:butt}
.pl-water{fill:none;stroke:var(--water);stroke-linejoin:round;stroke-linecap:butt}
.pl-main0{fill:none;stroke:var(--wall);stroke-width:4.6;stroke-linejoin:round}
.pl-main1{fill:none;stroke:var(--lane);stroke-width:2.9;stroke-linejoin:round}
.pl-small0{fill:none;stroke:var(--wall);stroke-width:2.8;stroke-linejoin:round}
.pl-small1{fill:none;stroke:var(--lane);stroke-width:1.5;stroke-linejoin:round}
.pl-deck{fill:none;stroke:var(--lane);stroke-width:5}.pl-rail{fill:none;stroke:var(--wall);stroke-width:1.5}
.pl-span{fill:none;stroke:var(--wall);stroke-width:1.4}
.pl-ford{fill:none;stroke:var(--wall);stroke-width:2;stroke-dasharray:2 2.5}
.pl-built{fill:var(--town);stroke:var(--road);stroke-width:.7}.pl-walled{stroke:var(--wall);stroke-width:1.6}
.pl-timber{fill:var(--wall)}.pl-stone{fill:var(--second);fill-opacity:.72}
.pl-wall{fill:none;stroke:var(--wall);stroke-width:2}
.pl-hedge{fill:none;stroke:var(--tree);stroke-width:2.4;stroke-dasharray:.6 3;stroke-linecap:round}
.pl-ditch{fill:none;stroke:var(--bank);stroke-width:1;stroke-dasharray:6 2}
.pl-mound{fill:none;stroke:var(--hachure);stroke-width:6;stroke-dasharray:1.1 2.2}
.pl-ridge{fill:none;stroke:var(--wall);stroke-width:1.1}.pl-work{fill:none;stroke:var(--wall);stroke-width:2.2}
.pl-summit{fill:none;stroke:var(--ink);stroke-width:1}
.pl-height{font-family:var(--serif);font-size:11px;fill:var(--ink);paint-order:stroke;stroke:var(--open);
stroke-width:2.6px}
.pl-edge{font-family:var(--sans);font-size:11px;fill:var(--muted);text-anchor:middle}.pl-near{font-size:13px}
.pl-note{font-family:var(--sans);font-size:12px;fill:var(--muted)}
.pl-tick{fill:none;stroke:var(--ink);stroke-width:4}.pl-outer{fill:none;stroke:var(--ink);stroke-width:1.6}
.pl-inner{fill:none;stroke:var(--ink);stroke-width:.9}.pl-dark{fill:var(--ink);stroke:var(--ink);stroke-width:1}
.pl-pale{fill:var(--lane);stroke:var(--ink);stroke-width:1}
.pl-north{font-family:var(--serif);font-size:15px;font-weight:600;fill:var(--ink);text-anchor:middle}
.pl-plain{fill:var(--sheet);stroke:currentColor;stroke-width:1.1}
.pl-front{fill:none;stroke:currentColor;stroke-width:2.6}
.pl-gun{fill:none;stroke:currentColor;stroke-width:1.8}
.pl-man{fill:currentColor}.second .pl-man{fill:var(--sheet);stroke:currentColor;stroke-width:1.1}
.pl-recent .pl-man,.pl-recent .pl-gun{opacity:.75}.pl-recent .tint{opacity:.6}.pl-old .tint{opacity:.2}
.pl-stale .tint,.pl-hollow .tint{opacity:0}
.pl-old .pl-plain,.pl-old .pl-front,.pl-old .pl-gun{stroke-dasharray:4 2}
.pl-stale .pl-plain,.pl-stale .pl-front,.pl-stale .pl-gun{stroke-dasharray:1.5 2.2}
.pl-stale .pl-front,.pl-hollow .pl-front{stroke-width:1.8}
.pl-stale .pl-man,.pl-hollow .pl-man,.pl-old .pl-man{fill:var(--sheet);stroke:currentColor;stroke-width:.9}
.pl-half{fill:none;stroke:currentColor;stroke-width:.9}
.pl-parted{fill:none;stroke:var(--sheet);stroke-width:1}.pl-halo{fill:var(--sheet);stroke:var(--sheet);stroke-width:3.4;stroke-linejoin:round}
.pl-badge{fill:var(--sheet);stroke:currentColor;stroke-width:1.4}
.pl-letter{font-family:var(--sans);font-size:10px;font-weight:700;fill:currentColor;text-anchor:middle}
.pl-name,.pl-when{font-family:var(--sans);fill:currentColor;paint-order:stroke;stroke:var(--open);stroke-width:3px;
stroke-linejoin:round}
.pl-name{font-size:11.5px;font-weight:700}.pl-when{font-size:10.5px}
.pl-when{font-weight:400}.pl-faint .pl-name{font-size:9.5px}.pl-faint .pl-when{font-size:9.5px}
.pl-close .pl-name{font-size:16px}.pl-close .pl-when{font-size:13.5px}
.pl-close .pl-faint .pl-name,.pl-close .pl-faint .pl-when{font-size:12.5px}
.pl-close .nt{font-size:22px}.pl-close .np,.pl-close .nw{font-size:16px}
.pl-lead0{fill:none;stroke:var(--open);stroke-width:2.6;stroke-opacity:.7}
.pl-lead{fill:none;stroke:currentColor;stroke-width:.9}.pl-lead1{fill:currentColor;stroke:var(--open);stroke-width:.7}
.pl-unsure{fill-opacity:.4}
.pl-flag{fill:none;stroke:currentColor;stroke-width:1.3;stroke-linejoin:round}
.pl-scout{fill:var(--sheet);stroke:currentColor;stroke-width:1.3}
.pl-horse1{fill:none;stroke:currentColor;stroke-width:1.5}.pl-old .pl-scout{stroke-dasharray:3 1.6}
.pl-trace{fill:var(--sheet);stroke:currentColor;stroke-width:.9;stroke-opacity:.8}
.pl-arc{fill:currentColor;fill-opacity:.07;stroke:currentColor;stroke-width:1;stroke-opacity:.75}
.pl-sight{stroke-dasharray:5 3}
.pl-band{fill:none;stroke:currentColor;stroke-width:.8;stroke-dasharray:2 2.4;stroke-opacity:.8}
.pl-under{fill:none;stroke:var(--open);stroke-width:5;stroke-opacity:.8;stroke-linejoin:round}
.pl-move{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
.pl-retreat{fill:none;stroke:currentColor;stroke-width:2;stroke-dasharray:7 3.5;stroke-linejoin:round}
.pl-rifle{fill:none;stroke:currentColor;stroke-width:1.6;stroke-dasharray:2 3}
.pl-shell{fill:none;stroke:currentColor;stroke-width:1.6;stroke-dasharray:9 3 2 3}
.pl-ride{fill:none;stroke:var(--ink);stroke-width:1.8;stroke-dasharray:1.5 3.6;stroke-linecap:round}
.pl-charge{fill:none;stroke:currentColor;stroke-width:3.6}
.pl-marker{fill:none;stroke:currentColor;stroke-width:1.4;stroke-dasharray:9 2.5}
.pl-head{fill:currentColor}.pl-ride-head{fill:var(--ink)}
.pl-rider{fill:var(--sheet);stroke:var(--ink);stroke-width:1.2}.pl-horse{fill:none;stroke:var(--ink);stroke-width:1.5}
.pl-seen{fill:currentColor;fill-opacity:.08;stroke:currentColor;stroke-width:.8;stroke-opacity:.5}
"""


def plane_css() -> str:
    """The style by custom properties, for a drawing in a page."""
    return _PLANE.replace("\n", "")


def baked_plane_css() -> str:
    """The style with the colours written out and bundled faces, for a drawing that stands alone."""
    return baked(_PLANE)
