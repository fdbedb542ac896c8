"""Code tells the browser its height, so that what is far below the window is not laid out before the reader comes near.

A chapter's code has thousands of elements, one for each word that has a color.
"""

import re
from html import unescape

CODE = re.compile(r"(?<=<pre)(?=><span></span>(.*?)</pre>)", re.S)
TAG = re.compile(r"<[^>]+>")
# As many characters as a line has room for beside the list of sections.
LONGEST = 80


def with_code_sizes(html: str) -> str:
    """Write the number of lines of each block of code into the page; site.css makes its height of it.

    Where a line is longer than the box is wide, it may be broken, and the height is not known.
    """
    return CODE.sub(lambda match: _size(unescape(TAG.sub("", match[1]))), html)


def _size(code: str) -> str:
    lines = code.split("\n")
    return " data-long" if max(map(len, lines)) > LONGEST else f' style="--lines: {len(lines) - 1}"'
