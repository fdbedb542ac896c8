"""What the addresses of the site and of the project add to the pages."""

import shutil

import pytest
from built_site import LANGUAGES, REPOSITORY_URL, ROOT, SITE_URL, Site

from derived_configuration import derive_configuration, read_yaml
from first_cell import first_cell, repository, stored_package

pytestmark = pytest.mark.slow


def test_page_names_its_address_and_those_of_its_translations(published_site: Site, language, page_name):
    document = published_site.document(language, page_name)
    canonical = [link["href"] for link in document.select('link[rel="canonical"]')]
    assert canonical == [f"{SITE_URL}/{language.code}/{page_name}.html"]
    alternates = {link["hreflang"]: link["href"] for link in document.select('link[rel="alternate"][hreflang]')}
    assert alternates == {other.tag: f"{SITE_URL}/{other.code}/{page_name}.html" for other in LANGUAGES}


def test_picture_for_social_networks_has_an_absolute_address(published_site: Site, language, page_name):
    image = published_site.document(language, page_name).select_one('meta[property="og:image"]')["content"]
    assert image.startswith(f"{SITE_URL}/{language.code}/")
    assert (published_site.folder / image.removeprefix(f"{SITE_URL}/")).is_file()


def test_switcher_links_stay_relative(published_site: Site, language, page_name):
    links = published_site.document(language, page_name).select("nav.language-switcher a")
    assert [link["href"] for link in links] == [f"../{other.code}/{page_name}.html" for other in LANGUAGES]


def test_notebook_can_be_opened_elsewhere(published_site: Site, language, chapter):
    """In Binder, and in Colab if the notebooks know where their package is."""
    document = published_site.document(language, chapter)
    links = {link.get_text(): link["href"] for link in document.select("a.launch-button")}
    project = REPOSITORY_URL.removeprefix("https://github.com/")
    notebook = f"book/{language.code}/{chapter}.ipynb"
    expected = {"Binder": f"https://mybinder.org/v2/gh/{project}/main?urlpath=lab/tree/{notebook}"}
    if repository(ROOT):
        expected["Colab"] = f"https://colab.research.google.com/github/{project}/blob/main/{notebook}"
    assert links == expected


def test_colab_is_offered_once_the_notebooks_know_the_address(tmp_path):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with open(tmp_path / "pyproject.toml", "a", encoding="utf-8") as project:
        project.write(f'\n[project.urls]\nRepository = "{REPOSITORY_URL}"\n')
    configuration = read_yaml(ROOT / "_config.yml")
    derived = derive_configuration(configuration, LANGUAGES[0], tmp_path, repository_url=REPOSITORY_URL)
    assert "colab_url" in derived["sphinx"]["config"]["html_theme_options"]["launch_buttons"]
    assert f'package = "git+{REPOSITORY_URL}"' in first_cell(LANGUAGES[0], stored_package(tmp_path))


def test_entrance_names_its_address_and_those_of_the_languages(published_site: Site):
    entrance = published_site.documents["index.html"]
    assert entrance.select_one('link[rel="canonical"]')["href"] == f"{SITE_URL}/"
    alternates = {link["hreflang"]: link["href"] for link in entrance.select('link[rel="alternate"][hreflang]')}
    expected = {language.tag: f"{SITE_URL}/{language.code}/index.html" for language in LANGUAGES}
    assert alternates == expected | {"x-default": f"{SITE_URL}/"}


def test_page_for_wrong_addresses_leads_into_the_folder_of_the_site(published_site: Site):
    links = [link["href"] for link in published_site.documents["404.html"].select("main a")]
    assert links == [f"/attention/{language.code}/index.html" for language in LANGUAGES]
