"""The habits of every chapter: run from a clean kernel, headings, exercises, summary, links."""

import re

import pytest

from book_pages import HEADING, ROOT, languages, page_names, read_page, without_code

PAGES = [read_page(language, name) for name in page_names() for language in languages()]
NOTEBOOKS = [page for page in PAGES if page.name.endswith(".ipynb")]
CHAPTERS = [page for page in NOTEBOOKS if page.name[0].isdigit()]
HEADED = {page.where(): {block.id for block in page.prose if block.text.startswith("#")} for page in NOTEBOOKS}
in_each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.where())
in_each_notebook = pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda page: page.where())
in_each_chapter = pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.where())


@in_each_notebook
def test_every_cell_was_run_in_order_from_a_clean_kernel(page):
    assert [block.execution_count for block in page.code] == list(range(1, len(page.code) + 1))


@in_each_notebook
def test_no_error_no_warning_and_no_widget_is_stored(page):
    for block in page.code:
        for output in block.outputs:
            assert output.output_type != "error", page.where(block)
            assert output.get("name") != "stderr", page.where(block)
            assert not [kind for kind in output.get("data", {}) if "widget" in kind], page.where(block)


@in_each_notebook
def test_every_figure_is_stored_as_svg_and_png_and_has_an_alternative_text(page):
    for block in page.code:
        kinds = [set(output.get("data", {})) for output in block.outputs if "image/png" in output.get("data", {})]
        assert len(kinds) <= 1, f"{page.where(block)}: one alternative text can not speak for two figures"
        assert all("image/svg+xml" in kind for kind in kinds), page.where(block)
        assert bool(kinds) == bool(block.alt), page.where(block)
        assert not block.alt or len(block.alt) > 40, f"{page.where(block)}: say what the figure shows"


@in_each_chapter
def test_a_chapter_has_two_figures_or_more(page):
    assert len([block for block in page.code if block.alt]) >= 2


@in_each_notebook
def test_a_heading_is_the_first_line_of_its_cell(page):
    for block in page.prose:
        headings = list(HEADING.finditer(without_code(block.text)))
        assert len(headings) <= 1, page.where(block)
        assert all(block.text.startswith(heading[0]) for heading in headings), page.where(block)
    assert [block.id for block in page.prose if block.text.startswith("# ")] == [page.blocks[0].id]


@in_each_chapter
def test_the_title_of_a_chapter_starts_with_its_number(page):
    assert page.blocks[0].text.startswith(f"# {int(page.name[:2])} · ")


@in_each_notebook
def test_cell_ids_are_readable(page):
    for block in page.blocks:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", block.id), page.where(block)


@in_each_page
def test_links_to_cells_reach_a_heading(page):
    for block in page.prose:
        for target in re.findall(r"\]\(([\w.]*\.ipynb)?#([\w-]+)\)", without_code(block.text)):
            name, anchor = target
            if page.name.endswith(".md") and not name:
                assert any(anchor == b.id for b in page.blocks), f"{page.where(block)}: #{anchor}"
            else:
                assert anchor in HEADED[f"{page.language}/{name or page.name}"], f"{page.where(block)}: {target}"


@in_each_chapter
def test_exercises_have_a_hint_a_check_and_a_folded_solution(page):
    ids = {block.id: block for block in page.blocks}
    exercises = [block for block in page.prose if block.id.startswith("exercise-") and block.text.startswith("### ")]
    assert 2 <= len(exercises) <= 4, page.where()
    for exercise in exercises:
        answer, why, solution = (ids[f"{exercise.id}-{part}"] for part in ("answer", "why", "solution"))
        assert "<details>" in exercise.text, f"{page.where(exercise)}: no hint"
        assert "●" in exercise.text, f"{page.where(exercise)}: no difficulty"
        assert "min" in exercise.text, f"{page.where(exercise)}: no minutes"
        assert "exercise" in answer.tags, page.where(answer)
        assert "check(" in answer.text, page.where(answer)
        assert "<details>" in why.text, page.where(why)
        assert "hide-cell" in solution.tags, page.where(solution)
        assert solution.metadata["jupyter"]["source_hidden"], page.where(solution)
        # The same check, with the answer not given yet and with the solution.
        called = re.findall(r'check\("([^"]+)"', answer.text)
        assert called == re.findall(r'check\("([^"]+)"', solution.text), page.where(solution)
        verdicts = [
            o["data"]["text/markdown"]
            for o in answer.outputs + solution.outputs
            if "text/markdown" in o.get("data", {})
        ]
        assert len(set(verdicts)) == len(verdicts) == 2, page.where(solution)


@in_each_chapter
def test_a_chapter_ends_with_summary_shapes_and_reading(page):
    headings = [block.id for block in page.prose if block.text.startswith("#")]
    assert (
        headings.index("exercises") < headings.index("summary") < headings.index("shapes") < headings.index("read-more")
    )
    shapes = next(block for block in page.prose if block.id == "shapes")
    assert "|" in shapes.text, page.where(shapes)


@in_each_page
def test_description_fits_a_search_result(page):
    assert 100 <= len(page.description) <= 160, f"{page.where()}: {len(page.description)} characters"


def test_descriptions_differ():
    assert len({page.description for page in PAGES}) == len(PAGES)


def test_notebooks_need_no_language_of_their_own():
    """What language the kernel reported is no part of the lesson; it would change with each machine."""
    for page in NOTEBOOKS:
        assert '"language_info"' not in (ROOT / "book" / page.language / page.name).read_text(encoding="utf-8")
