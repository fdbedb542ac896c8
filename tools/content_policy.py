"""The Content-Security-Policy of the pages: everything comes from the site itself, from no other host."""

import base64
from hashlib import sha256

RULES = (
    "default-src 'self'",
    # The search runs as WebAssembly.
    "script-src 'self' 'wasm-unsafe-eval'{hashes}",
    # KaTeX and the figures place their parts by style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
)


def content_policy(*scripts: str) -> str:
    """The policy of a page; the given scripts, as they stand in the page, are the only ones it may hold in itself."""
    hashes = "".join(f" 'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)
    return "; ".join(RULES).format(hashes=hashes)
