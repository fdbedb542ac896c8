"""The sizes of attention in published models, with which the cost calculator can be filled."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelSizes:
    """What the publication gives; where each figure stands is said in messages/<language>/explorers_cost.toml.

    Args:
        num_tokens: the context length; nothing where the publication sets no limit.
    """

    name: str
    num_layers: int
    d_model: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    num_tokens: int | None = None


# By the key of its source in the messages.
PUBLISHED_MODELS = {
    "transformer": ModelSizes("Transformer (base)", 6, 512, 8, 8, 64),
    "minilm": ModelSizes("all-MiniLM-L6-v2", 6, 384, 12, 12, 32, 512),
    "gpt_3": ModelSizes("GPT-3 175B", 96, 12288, 96, 96, 128, 2048),
    "palm": ModelSizes("PaLM 540B", 118, 18432, 48, 1, 256, 2048),
    "llama_2": ModelSizes("Llama 2 70B", 80, 8192, 64, 8, 128, 4096),
    "mistral": ModelSizes("Mistral 7B", 32, 4096, 32, 8, 128, 8192),
    "llama_3_small": ModelSizes("Llama 3 8B", 32, 4096, 32, 8, 128, 131072),
    "llama_3_large": ModelSizes("Llama 3 405B", 126, 16384, 128, 8, 128, 131072),
}
