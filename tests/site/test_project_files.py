"""Rules for the files of the project, and the commands around them."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest
import yaml
from built_site import LANGUAGES, PAGES, ROOT
from packaging.specifiers import SpecifierSet

from derived_configuration import derive_configuration, derive_toc, read_yaml

TARGETS = ("book", "downloads", "links", "serve", "lab", "test", "test-long", "notebooks", "translations", "check")
LISTS_OF_VERSIONS = ("requirements.txt", "requirements-book.txt", "requirements-model.txt")
# Put together here, so that this file does not break its own rule.
REGISTRY_HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("download", "pytorch", "org"),
        ("deb", "debian", "org"),
        ("anaconda", "org"),
    )
]
MACHINE_PATH = re.compile(r"(?<![\w./<>{}*-])/(?:work|root|home/\w+|Users/\w+)/")


def project_files() -> list[Path]:
    """Files of the project that git tracks, or would with the next commit."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def project_texts() -> dict[str, str]:
    texts = {}
    for path in project_files():
        try:
            texts[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return texts


def test_no_file_names_a_package_registry():
    texts = project_texts()
    assert "Makefile" in texts
    named = [f"{path}: {host}" for path, text in texts.items() for host in REGISTRY_HOSTS if host in text]
    assert not named


def test_no_file_holds_a_path_of_one_machine():
    found = [
        f"{path}: {match.group()}" for path, text in project_texts().items() for match in MACHINE_PATH.finditer(text)
    ]
    assert not found


def test_every_requirement_is_pinned_exactly():
    for name in LISTS_OF_VERSIONS:
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        entries = [line for line in lines if line and not line.startswith("#")]
        loose = [e for e in entries if not re.fullmatch(r"[\w.-]+==[\w.]+|-r requirements-book\.txt", e)]
        assert entries
        assert not loose


def test_every_requirement_works_on_the_oldest_python_that_is_promised():
    """Debian 12 has 3.11.2; a package that wants a later one would stop `make book` there."""
    promised = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    oldest = f"{promised.removeprefix('>=')}.0"
    lines = [line for name in LISTS_OF_VERSIONS for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
    names = [line.partition("==")[0] for line in lines if "==" in line]
    wanted = {name: metadata(name).get("Requires-Python", "") for name in names}
    assert len(wanted) > 100
    assert {name: python for name, python in wanted.items() if not SpecifierSet(python).contains(oldest)} == {}


def test_building_needs_no_torch_and_no_matplotlib():
    names = {line.split("==")[0] for line in (ROOT / "requirements-book.txt").read_text(encoding="utf-8").splitlines()}
    assert "Sphinx" in names
    assert not names & {"torch", "matplotlib", "numpy"}


def test_workflow_passes_actionlint():
    program = Path(sys.executable).with_name("actionlint")
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    result = subprocess.run([str(program), *map(str, workflows)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert workflows
    assert result.returncode == 0, result.stdout + result.stderr


def test_workflow_and_ci_call_the_same_commands_as_people():
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text(encoding="utf-8"))["jobs"]
    runs = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert sorted(runs) == [".ci/run", "make book", "make downloads"]
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-2:] == ["make test", "make test-long"]


def test_make_lists_its_commands():
    result = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert all(f"make {target} " in result.stdout for target in TARGETS)


@pytest.mark.parametrize("target", ["book", "test"])
def test_missing_python_is_named_with_the_command_that_installs_it(tmp_path, target):
    for name in ("Makefile", *LISTS_OF_VERSIONS, "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "prepare_environment.py", tmp_path / "tools")
    command = ["make", "PYTHON=", target]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert "sudo apt-get install python3.11" in result.stderr
    assert not (tmp_path / ".venv").exists()


def test_contents_are_derived_without_the_folder_of_the_language():
    assert PAGES[0] == "index"
    assert all("/" not in page for page in PAGES)
    nested = {"root": "book/pt/index", "parts": [{"caption": "I", "chapters": [{"file": "book/pt/a", "sections": []}]}]}
    assert derive_toc(nested)["parts"][0] == {"caption": "I", "chapters": [{"file": "a", "sections": []}]}


def test_derived_configuration_leaves_the_shared_one_alone():
    shared = read_yaml(ROOT / "_config.yml")
    derived = derive_configuration(shared, LANGUAGES[1], ROOT, repository_url="https://github.com/example/book")
    assert shared == read_yaml(ROOT / "_config.yml")
    assert derived["sphinx"]["config"]["language"] == LANGUAGES[1].locale


def test_every_language_has_the_same_words_to_fill_in():
    for language in LANGUAGES:
        for group in ("choose", "lost", "furniture"):
            assert getattr(language, group).keys() == getattr(LANGUAGES[0], group).keys()
            assert all(getattr(language, group).values())
            for key, words in getattr(LANGUAGES[0], group).items():
                assert re.findall(r"{\w+}", getattr(language, group)[key]) == re.findall(r"{\w+}", words)
