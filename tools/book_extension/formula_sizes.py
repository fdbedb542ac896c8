"""Displayed formulas tell the browser their height, so that what is far below the window is not laid out before the
reader comes near: in a chapter they are a thousand elements.

KaTeX puts struts into a formula, one for each part of it, as high and as deep as what stands there.
"""

import re

FORMULA = re.compile(r'(?<=<div class="math")(?=>(.*?)</div>)', re.S)
STRUT = re.compile(r'class="strut" style="height:([\d.]+)em;(?:vertical-align:(-?[\d.]+)em;)?"')
# What a line has above and below its base, however low the letters in it.
ABOVE, BELOW = 0.92, 0.36


def height(formula: str) -> float:
    """Height in em of the formula's own font, from the HTML that KaTeX made of it."""
    struts = [(float(size), float(shift or 0)) for size, shift in STRUT.findall(formula)]
    return max([ABOVE, *(size + shift for size, shift in struts)]) + max([BELOW, *(-shift for _, shift in struts)])


def with_formula_sizes(html: str) -> str:
    """Write the height of each displayed formula into the page; site.css makes room for it."""
    return FORMULA.sub(lambda match: f' style="--height: {height(match[1]):.4g}"', html)
