"""Code tells the browser its height, so that what is far below the window is not laid out before the reader comes near.

A chapter's code has thousands of elements, one for each word that has a color.
"""

import re

CODE = re.compile(r"(?<=<pre)(?=><span></span>(.*?)</pre>)", re.S)


def with_code_sizes(html: str) -> str:
    """Write the number of lines of each block of code into the page; site.css makes its height of it."""
    return CODE.sub(lambda match: f' style="--lines: {match[1].count(chr(10))}"', html)
