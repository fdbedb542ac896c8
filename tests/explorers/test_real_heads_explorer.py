"""The heads of a published model: maps stored small, shown as pictures, one opened."""

import base64
import gzip
import io
import json

import pytest
import torch
import traitlets
from explorer_page import PHONE, cell, get_state, numbers_on, page_of, set_state, text_of_explanation
from PIL import Image

from attention_book import use_language
from attention_book.explorers import InvalidState, RealHeadsExplorer
from attention_book.explorers.head_maps import HEADS, LAYERS, decode_maps, encode_maps, stored_sentences
from attention_book.language import languages


def random_maps(size: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    scores = 3 * torch.randn(LAYERS, HEADS, size, size, generator=generator, dtype=torch.float64)
    scores[..., 0] += 5  # a sink
    return scores.softmax(dim=-1)


def renormalized(weights: torch.Tensor) -> torch.Tensor:
    words = weights[..., 1:-1, 1:-1]
    return words / words.sum(dim=-1, keepdim=True)


class TestStoredMaps:
    @pytest.mark.parametrize("size", [3, 7, 14])
    def test_weights_come_back_to_two_decimals_with_and_without_special_tokens(self, size):
        weights = random_maps(size)
        back = decode_maps(encode_maps(weights), size)
        assert (back - weights).abs().max() < 0.005
        assert (renormalized(back) - renormalized(weights)).abs().max() < 0.005
        assert torch.allclose(back.sum(dim=-1), torch.ones(LAYERS, HEADS, size, dtype=torch.float64))

    def test_row_that_gives_its_words_nothing_that_a_byte_can_hold_still_has_shares(self):
        weights = random_maps(5)
        weights[..., 1:-1] *= 1e-9
        weights[..., 0] = 1 - weights[..., 1:].sum(dim=-1)
        back = decode_maps(encode_maps(weights), 5)
        assert (renormalized(back) - renormalized(weights)).abs().max() < 0.005

    def test_maps_of_another_length_are_refused(self):
        with pytest.raises(ValueError, match="maps hold 3528 weights, 5 tokens need 1800"):
            decode_maps(encode_maps(random_maps(7)), 5)

    def test_twelve_sentences_four_in_each_language(self):
        found = [sentence["language"] for sentence in stored_sentences()]
        assert found == [code for code in ("en", "pt", "es") for _ in range(4)]
        assert set(found) == set(languages())

    def test_famous_row_is_there(self):
        explorer = RealHeadsExplorer(layer=5, head=10, special=False)
        assert explorer.tokens == ["orange", "is", "my", "favorite", "fruit"]
        assert explorer.weights[0] == pytest.approx([0.181, 0.074, 0.100, 0.228, 0.417], abs=2e-3)

    def test_page_stays_small(self):
        html = RealHeadsExplorer().to_html().encode()
        assert len(html) < 150_000
        assert len(gzip.compress(html)) < 70_000

    @pytest.mark.slow
    def test_what_is_stored_is_what_the_model_computes(self):
        import store_heads

        assert stored_sentences() == json.loads(store_heads.STORED.read_text(encoding="utf-8"))
        computed = store_heads.computed_sentences()
        for stored, new in zip(stored_sentences(), computed, strict=True):
            assert {**stored, "maps": ""} == {**new, "maps": ""}
            # Another machine may round a weight to the next step.
            one, other = (torch.tensor(list(base64.b64decode(entry["maps"]))) for entry in (stored, new))
            assert (one.int() - other.int()).abs().max() <= 1


def sentence_of(size: int) -> dict:
    tokens = ["[CLS]", *(f"t{place}" for place in range(size - 2)), "[SEP]"]
    return {"language": "en", "text": " ".join(tokens[1:-1]), "tokens": tokens, "maps": encode_maps(random_maps(size))}


GOOD = sentence_of(5)


class TestInPython:
    def test_weights_follow_head_sentence_and_special_tokens(self):
        explorer = RealHeadsExplorer([GOOD, sentence_of(7)], layer=2, head=3)
        maps = random_maps(5)
        assert torch.tensor(explorer.weights) == pytest.approx(maps[2, 3].numpy(), abs=0.005)
        explorer.special = False
        assert torch.tensor(explorer.weights) == pytest.approx(renormalized(maps)[2, 3].numpy(), abs=0.005)
        assert explorer.tokens == ["t0", "t1", "t2"]
        explorer.sentence = 1
        assert (len(explorer.tokens), len(explorer.weights)) == (5, 5)
        before = explorer.weights
        explorer.head = 4
        assert explorer.weights != before

    def test_head_can_be_linked(self):
        explorer, other = RealHeadsExplorer(), RealHeadsExplorer()
        traitlets.link((explorer, "head"), (other, "head"))
        explorer.head = 2
        assert other.weights == explorer.weights

    @pytest.mark.parametrize(
        ("state", "sentence"),
        [
            ({"sentences": []}, "sentences must hold at least one sentence"),
            ({"sentences": [{"text": "no maps"}]}, "a sentence needs language, maps, tokens"),
            ({"sentences": [{**GOOD, "tokens": ["[CLS]", "[SEP]"]}]}, r"a token between \[CLS\] and \[SEP\]"),
            ({"sentences": [{**GOOD, "tokens": GOOD["tokens"][:4]}]}, "'t0 t1 t2': maps hold 1800 weights, 4 tokens"),
            ({"sentences": [{**GOOD, "maps": "é"}]}, "'t0 t1 t2': .*write maps=encode_maps"),
            ({"sentence": 12}, r"sentence must be one of 0\.\.11, got 12; sentences are counted from 0"),
            ({"layer": 6}, r"layer must be one of 0\.\.5, got 6; layers are counted from 0"),
            ({"head": -1}, r"head must be one of 0\.\.11, got -1; heads are counted from 0"),
        ],
    )
    def test_bad_state_gets_a_clear_sentence(self, state, sentence):
        with pytest.raises(InvalidState, match=sentence):
            RealHeadsExplorer(**state)

    def test_refused_head_leaves_the_old_one(self):
        explorer = RealHeadsExplorer(head=3)
        with pytest.raises(InvalidState, match="head must be one of"):
            explorer.head = 12
        assert explorer.head == 3


@pytest.fixture
def page(open_page):
    return open_page(page_of(RealHeadsExplorer().to_html()))


def picture(page, layer: int, head: int):
    return page.get_by_role("button", name=f"layer {layer}, head {head}", exact=True)


def pixels(page, layer: int, head: int) -> torch.Tensor:
    """The weights that are seen where a head's button is, (query, key)."""
    data = picture(page, layer, head).evaluate(
        """(button) => {
            const canvas = button.parentElement.querySelector("canvas");
            const [seen, all] = [button, canvas].map((element) => element.getBoundingClientRect());
            const side = (canvas.width - 1) / 12;
            // The button's edge runs through the middle of the line round the map.
            const scale = canvas.width / all.width;
            const [x, y] = [(seen.x - all.x) * scale + 0.5, (seen.y - all.y) * canvas.height / all.height + 0.5];
            const far = Math.max(Math.abs(x - Math.round(x)), Math.abs(y - Math.round(y)));
            if (far > 0.1) throw new Error(`the picture stands ${far} of its pixels beside its button`);
            const copy = new OffscreenCanvas(canvas.width, canvas.height);
            const context = copy.getContext("2d", { willReadFrequently: true });
            context.drawImage(canvas, 0, 0);
            return [side - 1, ...context.getImageData(Math.round(x), Math.round(y), side - 1, side - 1).data];
        }"""
    )
    size, *data = data
    return 1 - torch.tensor(data, dtype=torch.float64).view(size, size, 4)[..., 3] / 255


@pytest.mark.slow
class TestOnThePage:
    def test_every_picture_shows_the_weights_of_its_head(self, page):
        for special in (True, False):
            maps = RealHeadsExplorer(special=special).maps()
            for layer, head in [(0, 0), (0, 2), (3, 11), (5, 10)]:
                assert pixels(page, layer, head) == pytest.approx(maps[layer, head].numpy(), abs=0.003)
            page.get_by_role("switch").click()
        assert page.locator(".maps button").count() == LAYERS * HEADS

    def test_pressed_picture_opens_its_head_and_the_chosen_pair_stays(self, page):
        cell(page, "model/2/1").click()
        picture(page, 0, 2).click()
        assert page.locator("caption").inner_text().startswith("layer 0, head 2")
        assert page.locator('[aria-pressed="true"]').count() == 1
        assert "attention weight of is on orange = " in text_of_explanation(page)
        assert numbers_on(page)["model/2/1"] > 0.99
        assert [get_state(page, name) for name in ("layer", "head")] == [0, 2]

    def test_without_special_tokens_each_row_of_words_is_divided_by_its_sum(self, page):
        page.get_by_role("switch", name="show [CLS] and [SEP]").uncheck()
        assert page.locator(".grid thead th").all_inner_texts()[1:] == ["orange", "is", "my", "favorite", "fruit"]
        cell(page, "words/0/4").click()
        explained = text_of_explanation(page)
        assert "attention weight of orange on fruit, without [CLS] and [SEP] = 0.42" in explained
        assert page.locator(".operand").count() == 1 + 5
        page.locator(".operand").first.click()
        assert "attention weight of orange on fruit = 0.07" in text_of_explanation(page)
        assert page.locator(".operand").count() == 0
        page.locator(".back").click()
        assert "without [CLS]" in text_of_explanation(page)

    def test_sentence_is_chosen_from_three_languages(self, page):
        select = page.get_by_role("combobox", name="sentence")
        groups = select.locator("optgroup")
        assert [groups.nth(i).get_attribute("label") for i in range(3)] == ["English", "Portuguese", "Spanish"]
        assert [groups.nth(i).locator("option").count() for i in range(3)] == [4, 4, 4]
        select.select_option("La naranja es mi fruta favorita")
        assert get_state(page, "sentence") == 8
        assert page.locator(".grid tbody th").all_inner_texts()[1:4] == ["la", "nara", "##n"]
        assert pixels(page, 0, 2).shape == (12, 12)
        assert select.locator("option:checked").get_attribute("lang") == "es"

    def test_keyboard_alone_walks_through_the_heads(self, page):
        for _ in range(4):
            page.keyboard.press("Tab")  # start again, sentence, switch, opened head
        assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "layer 5, head 10"
        for key, place in [
            ("ArrowUp", (4, 10)),
            ("ArrowRight", (4, 11)),
            ("ArrowRight", (4, 11)),
            ("ArrowLeft", (4, 10)),
        ]:
            page.keyboard.press(key)
            assert (get_state(page, "layer"), get_state(page, "head")) == place
        assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "layer 4, head 10"
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("() => document.activeElement.dataset.ref") == "model/1/0"
        page.keyboard.press("Shift+Tab")
        assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "layer 4, head 10"

    def test_finger_on_a_phone(self, open_page):
        page = open_page(page_of(RealHeadsExplorer().to_html()), **PHONE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        box = picture(page, 2, 7).bounding_box()
        assert min(box["width"], box["height"]) >= 24
        picture(page, 2, 7).tap()
        page.get_by_role("combobox").select_option("A laranja é a minha fruta favorita")
        cell(page, "model/3/2").tap()
        assert "weights[2, 7, 3, 2]" in text_of_explanation(page)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390

    @pytest.mark.parametrize("theme", ["light", "dark"])
    def test_large_weight_has_the_color_of_weights_and_a_small_one_none(self, open_page, theme):
        page = open_page(page_of(RealHeadsExplorer().to_html(), theme=theme))
        box = picture(page, 0, 2).bounding_box()
        shot = Image.open(io.BytesIO(page.screenshot(clip=box))).convert("RGB")
        step = box["width"] / 8  # seven tokens, and half a line on each side
        large, small = (shot.getpixel((int((key + 1) * step), int(5 * step))) for key in (3, 5))
        assert large == pytest.approx({"light": (0xB3, 0x20, 0x6F), "dark": (0xF0, 0x8C, 0xC0)}[theme], abs=8)
        assert small == pytest.approx({"light": (255,) * 3, "dark": (0x1B, 0x21, 0x28)}[theme], abs=16)

    @pytest.mark.parametrize(
        "state", [{"sentence": 99}, {"head": 12}, {"layer": -1}, {"sentences": [{**GOOD, "maps": ""}]}]
    )
    def test_bad_state_gets_a_sentence_and_the_last_picture_stays(self, page, state):
        before = numbers_on(page)
        set_state(page, state)
        assert "cannot be shown" in page.get_by_role("alert").inner_text()
        assert numbers_on(page) == before

    def test_other_sentences_from_python_are_shown(self, page):
        set_state(page, {"sentences": [GOOD], "sentence": 0})
        assert page.locator(".grid tbody th").all_inner_texts() == GOOD["tokens"]

    def test_start_again_restores_everything(self, page):
        before = numbers_on(page)
        picture(page, 1, 1).click()
        page.get_by_role("combobox").select_option("El tiempo vuela")
        page.get_by_role("switch").uncheck()
        page.get_by_role("button", name="Start again").click()
        assert numbers_on(page) == before

    @pytest.mark.parametrize(("language", "opened"), [("pt", "camada 5, cabeça 10"), ("es", "capa 5, cabeza 10")])
    def test_table_without_javascript_is_the_opened_head(self, open_page, language, opened):
        use_language(language)
        page = open_page(page_of(RealHeadsExplorer().to_html(), language), java_script_enabled=False)
        assert page.locator("caption").inner_text() == f"Orange is my favorite fruit · {opened}"
        assert page.locator("tbody tr").count() == 7
