"""Serve the built site on this computer, with its own page for wrong addresses, as the published site has."""

import argparse
import gzip
import io
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class SiteHandler(SimpleHTTPRequestHandler):
    """Serves files; a wrong address gets 404.html with status 404."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        lost = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not lost.is_file():
            super().send_error(code, message, explain)
            return
        page = lost.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(page)

    def log_message(self, *args) -> None:
        """Stay quiet: the reader needs the address, not a line per file."""


class CompressingHandler(SiteHandler):
    """As hosts do it: texts compressed, and one connection for several files."""

    protocol_version = "HTTP/1.1"

    def send_head(self):
        path = Path(self.translate_path(self.path))
        if path.suffix not in (".html", ".css", ".js", ".svg") or not path.is_file():
            return super().send_head()
        body = gzip.compress(path.read_bytes())
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)


def site_server(site: Path, port: int, handler: type[SiteHandler] = SiteHandler) -> ThreadingHTTPServer:
    """A server of the folder `site` on this computer only; port 0 takes a free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(handler, directory=str(site)))


@contextmanager
def served(site: Path, handler: type[SiteHandler] = SiteHandler) -> Iterator[str]:
    """Serve a folder in the background as long as the block runs; gives the address."""
    server = site_server(site, port=0, handler=handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve the built site on this computer.")
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args().port
    site = ROOT / "_build" / "site"
    if not (site / "index.html").is_file():
        sys.exit("The site is not built yet. Build it with: make book")
    try:
        server = site_server(site, port)
    except OSError as error:
        other = f".venv/bin/python tools/serve_site.py --port {port + 1}"
        sys.exit(f"Port {port} can not be used ({error.strerror}). Try: {other}")
    print(f"The site is at http://localhost:{server.server_port}/ — stop with Ctrl+C.", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
