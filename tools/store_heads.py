"""Store the attention maps that the explorer of chapter 16 shows: `python tools/store_heads.py`.

It needs the files of the model (see chapter 16); the pages and their readers do not. A test computes the maps anew and
compares them with what is stored.
"""

import json
from pathlib import Path

import attention_book
from attention_book.explorers.head_maps import encode_maps
from attention_book.published_model import load_published_model

STORED = Path(attention_book.__file__).parent / "explorers" / "head_maps.json"
SENTENCES = {
    "en": [
        "Orange is my favorite fruit",
        "She reads a new book",
        "My house is blue",
        "The cat sat because it was tired",
    ],
    "pt": ["A laranja é a minha fruta favorita", "Ela lê um livro novo", "Minha casa é azul", "O tempo voa"],
    "es": ["La naranja es mi fruta favorita", "Ella lee un libro nuevo", "Mi casa es azul", "El tiempo vuela"],
}


def computed_sentences() -> list[dict]:
    """Language, text, tokens and maps of each sentence, computed by the model in float64."""
    model = load_published_model().double()
    stored = []
    for language, texts in SENTENCES.items():
        for text in texts:
            encoded = model.encode(text)
            maps = encode_maps(encoded.weights)
            stored.append({"language": language, "text": text, "tokens": encoded.tokens, "maps": maps})
    return stored


if __name__ == "__main__":
    content = json.dumps(computed_sentences(), ensure_ascii=False, indent=1) + "\n"
    STORED.write_text(content, encoding="utf-8")
    print(f"Wrote {len(content)} characters into {STORED}.")
