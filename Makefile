# The commands of the book. `make` alone lists them.

PYTHON := $(shell for p in python3.11 python3.12 python3.13 python3; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
NO_PYTHON = Python 3.11 or newer is missing. Install it, on Debian or Ubuntu with: sudo apt-get install python3.11 python3.11-venv
VENV := .venv/bin/python

.PHONY: help book downloads links serve lab test test-long notebooks translations check
.DEFAULT_GOAL := help

help:  ## list these commands
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1 \t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 22

book: .venv/book.stamp  ## build the site in every language into _build/site
	@$(VENV) tools/build_site.py

downloads: .venv/book.stamp  ## make PDF and EPUB of every language from the built site, with Chromium
	@$(VENV) tools/make_downloads.py

links: .venv/book.stamp  ## list the addresses outside the book that its pages name
	@$(VENV) tools/list_links.py

serve: .venv/book.stamp  ## show the built site on this computer
	@$(VENV) tools/serve_site.py

lab: .venv/all.stamp  ## open the notebooks in JupyterLab
	@.venv/bin/jupyter trust book/*/*.ipynb
	@echo "JupyterLab opens in your browser; stop it with Ctrl+C here." && .venv/bin/jupyter lab --notebook-dir=book

notebooks: .venv/all.stamp  ## run the notebooks and store their outputs
	@$(VENV) tools/run_notebooks.py

translations: .venv/book.stamp  ## show which translations are not in step; CONFIRM=… records that they are
	@$(VENV) tools/translations.py $(if $(CONFIRM),--confirm "$(CONFIRM)")

test: .venv/all.stamp  ## run all tests but the long ones
	@echo "Running the tests; they build the site, run the notebooks and open the pages in a browser …"
	@$(VENV) -m pytest tests --nbval book -m "not long" -n auto --dist loadfile

test-long: .venv/all.stamp  ## run the long tests: five seeds of each training, PDF, EPUB, a clean environment, Lighthouse
	@echo "Running the long tests; they take many minutes …"
	@$(VENV) -m pytest tests -m "long and not alone" -n auto --dist loadfile
	@$(VENV) -m pytest tests -m alone

check: .venv/all.stamp  ## run the fast checks: style, content, unit tests
	@$(VENV) -m ruff check . && $(VENV) -m pytest tests -m "not slow and not long"

.venv/book.stamp: requirements-book.txt tools/prepare_environment.py
	@$(or $(PYTHON),$(error $(NO_PYTHON))) tools/prepare_environment.py book

.venv/all.stamp: requirements.txt requirements-book.txt requirements-model.txt pyproject.toml tools/prepare_environment.py
	@$(or $(PYTHON),$(error $(NO_PYTHON))) tools/prepare_environment.py all
