"""No translation goes stale silently: a change that the other languages did not follow is named, until confirmed."""

import shutil
import subprocess
import sys

import pytest
from spoils import CHAPTER, cell_of, change_cells, replace_in_file

from book_languages import read_languages
from book_pages import ROOT, languages
from translated_texts import MESSAGES, read_texts
from translation_lock import LOCK, read_lock
from translation_states import State, not_in_step
from translations import confirm, report

CELL = f"{CHAPTER}#divide"
EVERY = tuple(languages())


def found(root):
    return not_in_step(read_texts(root), read_lock(root), languages(root))


def edit(root, language, text="Uma frase a mais."):
    change_cells(root, language, lambda cells: setattr(cell_of(cells, "divide"), "source", text))


def delete_in(root, language):
    change_cells(root, language, lambda cells: cells.remove(cell_of(cells, "divide")))


def test_cells_alternative_texts_descriptions_blocks_messages_site_and_readmes_are_locked(copy):
    assert {text.kind for text in read_texts(copy).values()} == {
        "prose",
        "alternative text",
        "description",
        "message",
        "site",
        "section",
    }
    for name in (CELL, f"{CHAPTER}#scores-figure", f"{CHAPTER}#@description", "index#map", "messages/plots#weight"):
        assert set(read_lock(copy)[name]) == set(EVERY)
    assert {"languages#furniture.copy", "README#section-1"} <= set(read_lock(copy))


@pytest.mark.parametrize("language", EVERY)
def test_an_edit_in_one_language_is_named_with_its_difference(copy, language):
    then = read_texts(copy)[CELL].by_language[language]
    edit(copy, language, then.replace(".", ". Mais.", 1))
    (finding,) = found(copy)
    assert (finding.name, finding.languages, finding.state) == (CELL, (language,), State.ALONE)
    assert f"{language} +Mais." in finding.changes
    assert f"CONFIRM={CELL}" in finding.advice
    assert all(other in finding.advice for other in EVERY if other != language)


def test_an_edit_that_one_language_did_not_follow_is_named(copy):
    for language in EVERY[1:]:
        edit(copy, language, f"{language} {language}")
    (finding,) = found(copy)
    assert (finding.languages, finding.state) == (EVERY[1:], State.ALONE)
    assert f"Change {EVERY[0]} too" in finding.advice


def test_a_change_in_every_language_still_waits_for_a_person(copy):
    for language in EVERY:
        edit(copy, language, f"{language} {language}")
    (finding,) = found(copy)
    assert (finding.languages, finding.state) == (EVERY, State.TOGETHER)
    assert confirm(copy, CELL)[0]
    assert found(copy) == []


def test_line_endings_at_the_end_of_a_text_are_no_change(copy):
    edit(copy, EVERY[0], read_texts(copy)[CELL].by_language[EVERY[0]] + "\n")
    assert found(copy) == []


def test_a_confirmed_edit_is_in_step_and_an_edit_after_it_is_not(copy):
    edit(copy, EVERY[0])
    assert confirm(copy, CELL) == (True, "Recorded 1 of 1 texts. Next: commit book/lock together with the pages.")
    assert found(copy) == []
    edit(copy, EVERY[0], "Outra frase.")
    assert f"{EVERY[0]} -Uma frase a mais." in found(copy)[0].changes
    assert f"{EVERY[0]} +Outra frase." in found(copy)[0].changes


def test_confirming_one_cell_leaves_the_others_open(copy):
    edit(copy, EVERY[0])
    change_cells(copy, EVERY[0], lambda cells: setattr(cell_of(cells, "summary"), "source", "Outra."))
    assert confirm(copy, CELL)[0]
    assert [finding.name for finding in found(copy)] == [f"{CHAPTER}#summary"]
    assert confirm(copy, CHAPTER)[0]
    assert found(copy) == []


def test_a_cell_missing_in_one_language_can_not_be_confirmed(copy):
    delete_in(copy, EVERY[1])
    (finding,) = found(copy)
    assert (finding.name, finding.languages, finding.state) == (CELL, (EVERY[1],), State.MISSING)
    for selection in (CELL, CHAPTER, "all"):
        done, said = confirm(copy, selection)
        assert not done
        assert CELL in said
    assert found(copy) == [finding]


def test_a_cell_that_is_gone_everywhere_is_orphaned_until_confirmed(copy):
    for language in EVERY:
        delete_in(copy, language)
    (finding,) = found(copy)
    assert (finding.name, finding.state) == (CELL, State.ORPHANED)
    assert confirm(copy, "all")[0]
    assert CELL not in read_lock(copy)
    assert found(copy) == []


def test_a_whole_page_that_is_missing_is_one_finding(copy):
    (copy / "book" / EVERY[1] / f"{CHAPTER}.ipynb").unlink()
    (finding,) = found(copy)
    assert (finding.name, finding.languages, finding.state) == (CHAPTER, (EVERY[1],), State.MISSING)


def test_a_new_page_waits_for_a_person_and_is_one_finding(copy):
    (copy / LOCK / f"{CHAPTER}.json").unlink()
    (finding,) = found(copy)
    assert (finding.name, finding.languages, finding.state) == (CHAPTER, EVERY, State.NEW)
    assert confirm(copy, CHAPTER)[0]
    assert found(copy) == []


def test_a_message_an_alternative_text_and_a_readme_changed_alone_are_named(copy):
    replace_in_file(copy / MESSAGES / EVERY[0] / "plots.toml", 'weight = "', 'weight = "! ')
    replace_in_file(copy / "README.md", "```bash\n", "A sentence.\n\n```bash\n")
    change_cells(
        copy, EVERY[0], lambda cells: cell_of(cells, "scores-figure").metadata.mystnb.image.update(alt="Outro.")
    )
    findings = found(copy)
    assert {f.name for f in findings} == {f"{CHAPTER}#scores-figure", "messages/plots#weight", "README#section-1"}
    assert {finding.state for finding in findings} == {State.ALONE}


def test_a_further_language_is_asked_for_and_then_locked_with_the_others(copy):
    entries = (copy / "book" / "languages.yml").read_text(encoding="utf-8")
    start = entries.index(f"- code: {EVERY[0]}\n")
    added = entries[start : entries.index("- code:", start + 1)].replace(f"code: {EVERY[0]}", "code: xx")
    (copy / "book" / "languages.yml").write_text(entries + added, encoding="utf-8")
    assert [language.code for language in read_languages(copy)] == [*EVERY, "xx"]
    states = {finding.source: finding.state for finding in found(copy) if finding.languages == ("xx",)}
    assert states[CHAPTER] == State.MISSING
    assert states["languages"] == State.NEW
    shutil.copytree(copy / "book" / EVERY[0], copy / "book" / "xx")
    shutil.copytree(copy / MESSAGES / EVERY[0], copy / MESSAGES / "xx")
    for path in copy.glob(f"*.{EVERY[0]}.md"):
        shutil.copy(path, copy / path.name.replace(f".{EVERY[0]}.", ".xx."))
    assert confirm(copy, "all")[0]
    assert set(read_lock(copy)[CELL]) == {*EVERY, "xx"}
    edit(copy, "xx")
    assert [finding.languages for finding in found(copy)] == [("xx",)]


def test_a_language_that_the_book_gave_up_is_orphaned(copy):
    entries = (copy / "book" / "languages.yml").read_text(encoding="utf-8")
    last = entries.rindex("- code:")
    (copy / "book" / "languages.yml").write_text(entries[:last], encoding="utf-8")
    assert {(finding.languages, finding.state) for finding in found(copy)} == {((EVERY[-1],), State.ORPHANED)}


def test_an_unknown_name_records_nothing_and_hints_at_what_is_near(copy):
    edit(copy, EVERY[0])
    done, said = confirm(copy, f"{CHAPTER} 05_attention_scores#divid")
    assert not done
    assert CELL in said
    assert len(found(copy)) == 1


def test_a_lock_with_the_marks_of_a_merge_is_named(copy):
    replace_in_file(copy / LOCK / f"{CHAPTER}.json", "{\n", "<<<<<<< ours\n{\n")
    with pytest.raises(ValueError, match=rf"book/lock/{CHAPTER}\.json, line 1.*keep either side"):
        read_lock(copy)


def test_the_table_counts_what_is_in_step_and_names_what_is_not(copy):
    edit(copy, EVERY[0])
    table = report(copy)
    row = next(line for line in table.splitlines() if " divide " in line)
    assert "changed alone" in row
    count = sum(text.source == CHAPTER for text in read_texts(copy).values())
    assert f"{count - 1} of {count}" in next(line for line in table.splitlines() if line.startswith(CHAPTER))
    assert f"{EVERY[0]} +Uma frase a mais." in table
    assert "Not in step: 1 changed alone." in table
    assert confirm(copy, CELL)[0]
    assert report(copy).endswith("texts are in step in every language.")


def test_make_hands_the_name_of_a_cell_on_as_it_is():
    command = ["make", "--dry-run", "translations", f"CONFIRM={CELL}", f"VENV={sys.executable}"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert f'tools/translations.py --confirm "{CELL}"' in run.stdout
