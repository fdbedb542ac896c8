"""One example of every explorer, random states for it, and what PyTorch says its numbers are."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.utils.flop_counter import FlopCounterMode

from attention_book import Vocabulary, running_example, tokenize
from attention_book.explorers import (
    AttentionRowExplorer,
    ContextExplorer,
    CostExplorer,
    DotProductExplorer,
    FusedProjectionExplorer,
    HeadsExplorer,
    LookUpExplorer,
    MaskExplorer,
    RealHeadsExplorer,
    SoftmaxExplorer,
    TokenIdsExplorer,
    TrainingReplay,
    WalkThrough,
)
from attention_book.explorers.head_maps import HEADS, LAYERS, decode_maps, stored_sentences
from attention_book.explorers.walk_through import STEPS
from attention_book.text import TOKEN

EXAMPLE = running_example()
SCORES = EXAMPLE.embeddings @ EXAMPLE.W_Q @ (EXAMPLE.embeddings @ EXAMPLE.W_K).T / 4
VALUES = EXAMPLE.embeddings @ EXAMPLE.W_V


@dataclass(frozen=True)
class Example:
    """`make` builds the explorer, `random_state` draws traits for it, `numbers` gives {ref: value} for a state."""

    make: Callable
    random_state: Callable[[torch.Generator], dict]
    numbers: Callable[[dict], dict[str, float]]


def draw(generator: torch.Generator, *shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def pick(generator: torch.Generator, *options):
    return options[int(torch.randint(len(options), (), generator=generator))]


def refs(name: str, matrix: torch.Tensor) -> dict[str, float]:
    """A matrix as the page names its numbers."""
    return {f"{name}/{i}/{j}": matrix[i, j].item() for i in range(matrix.shape[0]) for j in range(matrix.shape[1])}


def softmax_state(generator: torch.Generator) -> dict:
    return {
        "scores": (2 * draw(generator, 5)).clamp(-5, 5).tolist(),
        "temperature": (10 ** draw(generator, 1).clamp(-1, 1)).item(),
        "d_k": 2 ** pick(generator, *range(2, 11)),
        "scale": pick(generator, True, False),
    }


def softmax_numbers(state: dict) -> dict[str, float]:
    scores = torch.tensor(state["scores"], dtype=torch.float64)
    products = scores * state["d_k"] ** 0.5
    inputs = (products / state["d_k"] ** 0.5 if state["scale"] else products) / state["temperature"]
    columns = {"products": products, "inputs": inputs, "weights": inputs.softmax(dim=-1)}
    return {ref: value for name, column in columns.items() for ref, value in refs(name, column[:, None]).items()}


def context_state(generator: torch.Generator) -> dict:
    return {"weights": (2 * draw(generator, 5)).softmax(dim=-1).tolist(), "values": draw(generator, 5, 16).tolist()}


def context_numbers(state: dict) -> dict[str, float]:
    weights, values = (torch.tensor(state[name], dtype=torch.float64) for name in ("weights", "values"))
    return {
        **refs("weights", weights[None]),
        **refs("values", values),
        **refs("context", (weights @ values)[None]),
    }


def attention_row_state(generator: torch.Generator) -> dict:
    return {"scores": (4 * draw(generator, 5, 5)).tolist(), "query": pick(generator, *range(5))}


def attention_row_numbers(state: dict) -> dict[str, float]:
    scores = torch.tensor(state["scores"], dtype=torch.float64)
    row = scores[state["query"]]
    logs = row.log_softmax(dim=-1)
    constant = row.logsumexp(dim=-1)
    columns = {"logs": logs, "needed": logs + constant, "constant": constant[None]}
    numbers = {ref: value for name, column in columns.items() for ref, value in refs(name, column[:, None]).items()}
    return {**refs("scores", scores), **refs("weights", scores.softmax(dim=-1)), **numbers}


def dot_product_state(generator: torch.Generator) -> dict:
    return {"query": (2 * draw(generator, 2)).tolist(), "key": (2 * draw(generator, 2)).tolist()}


def dot_product_numbers(state: dict) -> dict[str, float]:
    query, key = (torch.tensor(state[name], dtype=torch.float64) for name in ("query", "key"))
    cosine = torch.nn.functional.cosine_similarity(query, key, dim=0)
    single = {
        "length_q": query.norm(),
        "length_k": key.norm(),
        "direction_q": torch.rad2deg(torch.atan2(query[1], query[0])),
        "direction_k": torch.rad2deg(torch.atan2(key[1], key[0])),
        "product": query @ key,
        "angle": torch.rad2deg(cosine.arccos()),
        "cosine": cosine,
        "shadow": key.norm() * cosine,
        "by_angle": query @ key,
    }
    rows = {"q": query, "k": key, "products": query * key, **{name: value[None] for name, value in single.items()}}
    return {ref: value for name, row in rows.items() for ref, value in refs(name, row[None]).items()}


def table_state(generator: torch.Generator, length: int, rows: int, d_model: int) -> dict:
    return {
        "tokens": [f"t{place}" for place in range(length)],
        "token_ids": torch.randint(rows, (length,), generator=generator).tolist(),
        "vocabulary": [f"w{row}" for row in range(rows)],
        "embedding_matrix": draw(generator, rows, d_model).tolist(),
    }


def square_matrices(generator: torch.Generator, d_model: int, *names: str) -> dict:
    return {name: (draw(generator, d_model, d_model) / d_model**0.5).tolist() for name in names}


def walk_through_state(generator: torch.Generator) -> dict:
    length, num_heads, rows, d_model = pick(generator, 2, 5, 7), pick(generator, 1, 2, 4), 9, 8
    return {
        **square_matrices(generator, d_model, "W_Q", "W_K", "W_V", "W_O"),
        **table_state(generator, length, rows, d_model),
        "num_heads": num_heads,
        "head": pick(generator, *range(num_heads)),
        "query": pick(generator, *range(length)),
        "mask": pick(generator, "none", "causal"),
        "step": pick(generator, *STEPS),
    }


def walk_through_numbers(state: dict) -> dict[str, float]:
    """By a loop over the heads, so that not the package's own splitting is what is compared."""
    matrix = {
        name: torch.tensor(state[name], dtype=torch.float64)
        for name in ("embedding_matrix", "W_Q", "W_K", "W_V", "W_O")
    }
    X = matrix["embedding_matrix"][state["token_ids"]]
    d_k = X.shape[1] // state["num_heads"]
    found = {"embeddings": X, "token_ids": torch.tensor(state["token_ids"])[:, None], **matrix}
    found["vocabulary"] = torch.arange(len(state["vocabulary"]))[:, None]
    blocked = torch.ones(len(X), len(X)).triu(diagonal=1).bool() if state["mask"] == "causal" else torch.tensor(False)
    contexts = []
    for h in range(state["num_heads"]):
        own = {name: matrix[name][:, h * d_k : (h + 1) * d_k] for name in ("W_Q", "W_K", "W_V")}
        query, key, value = X @ own["W_Q"], X @ own["W_K"], X @ own["W_V"]
        products = query @ key.T
        masked = (products / d_k**0.5).masked_fill(blocked, -torch.inf)
        weights = masked.softmax(dim=-1)
        contexts.append(weights @ value)
        own |= {"query": query, "key": key, "value": value, "products": products, "scores": products / d_k**0.5}
        own |= {"masked": masked, "weights": weights, "context": contexts[-1]}
        found |= {f"{name}.{h}": numbers for name, numbers in own.items()}
    found["heads"] = torch.cat(contexts, dim=1)
    found["output"] = found["heads"] @ matrix["W_O"]
    return {ref: value for name, numbers in found.items() for ref, value in refs(name, numbers).items()}


def look_up_state(generator: torch.Generator) -> dict:
    length, rows, d_model = pick(generator, 1, 4, 6), pick(generator, 3, 8), pick(generator, 2, 5)
    return {**table_state(generator, length, rows, d_model), "query": pick(generator, *range(length))}


def look_up_numbers(state: dict) -> dict[str, float]:
    matrix = torch.tensor(state["embedding_matrix"], dtype=torch.float64)
    ids = torch.tensor(state["token_ids"])
    found = {"token_ids": ids[:, None], "embedding_matrix": matrix, "embeddings": matrix[ids]}
    found["one_hot"] = torch.nn.functional.one_hot(ids, len(matrix))
    return {ref: value for name, numbers in found.items() for ref, value in refs(name, numbers).items()}


def projected_sentence_state(generator: torch.Generator) -> dict:
    length, num_heads, d_model, rows = pick(generator, 2, 5, 7), pick(generator, 1, 2, 3, 4, 6, 12), 12, 9
    return {
        **square_matrices(generator, d_model, "W_Q", "W_K", "W_V"),
        **table_state(generator, length, rows, d_model),
        "num_heads": num_heads,
        "head": pick(generator, *range(num_heads)),
        "matrix": pick(generator, "query", "key", "value"),
    }


def projected_sentence_numbers(state: dict) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    names = {"query": "W_Q", "key": "W_K", "value": "W_V"}
    X = torch.tensor(state["embedding_matrix"], dtype=torch.float64)[state["token_ids"]]
    return X, {name: torch.tensor(state[W], dtype=torch.float64) for name, W in names.items()}


def heads_state(generator: torch.Generator) -> dict:
    state = projected_sentence_state(generator)
    ways = {name: pick(generator, True, False) for name in ("transpose_split", "transpose_join")}
    return {**state, "matrix": pick(generator, "query", "key", "value", "context"), **ways}


def heads_numbers(state: dict) -> dict[str, float]:
    X, weight = projected_sentence_numbers(state)
    num_heads, (length, d_model) = state["num_heads"], X.shape
    projected = {name: X @ W for name, W in weight.items()}

    def split(x: torch.Tensor) -> torch.Tensor:
        if not state["transpose_split"]:
            return x.view(num_heads, length, -1)
        return torch.stack(x.chunk(num_heads, dim=1))  # (head, token, head_dim)

    heads = {name: split(x) for name, x in projected.items()}
    weights = torch.stack(
        [(q @ k.T / q.shape[-1] ** 0.5).softmax(dim=-1) for q, k in zip(heads["query"], heads["key"], strict=True)]
    )
    context = torch.nn.functional.scaled_dot_product_attention(heads["query"], heads["key"], heads["value"])
    shown = context if state["matrix"] == "context" else heads[state["matrix"]]
    joined = torch.cat(tuple(shown), dim=1) if state["transpose_join"] else shown.reshape(length, d_model)
    found = {**projected, "joined": joined}
    per_head = {"weights": weights, "context": context, **{f"{name}_split": x for name, x in heads.items()}}
    found |= {f"{name}.{h}": x[h] for name, x in per_head.items() for h in range(num_heads)}
    return {ref: value for name, numbers in found.items() for ref, value in refs(name, numbers).items()}


def fused_projection_state(generator: torch.Generator) -> dict:
    return {**projected_sentence_state(generator), "linear": pick(generator, True, False)}


def fused_projection_numbers(state: dict) -> dict[str, float]:
    """By PyTorch's own layer: one for all heads, and one per head."""
    X, weights = projected_sentence_numbers(state)
    fused = torch.nn.Linear(*X.shape[-1:], X.shape[-1], bias=False, dtype=torch.float64)
    fused.weight.data = weights[state["matrix"]].T
    size = X.shape[-1] // state["num_heads"]
    turned = (lambda weight: weight) if state["linear"] else (lambda weight: weight.T)
    found = {"embeddings": X, "fused": turned(fused.weight), "projected": fused(X)}
    for h, rows in enumerate(fused.weight.split(size)):
        own = torch.nn.Linear(X.shape[-1], size, bias=False, dtype=torch.float64)
        own.weight.data = rows.detach()
        found |= {f"own.{h}": turned(own.weight), f"separate.{h}": own(X)}
        found[f"difference.{h}"] = torch.zeros(len(X), size)
    return {ref: value for name, numbers in found.items() for ref, value in refs(name, numbers.detach()).items()}


def mask_state(generator: torch.Generator) -> dict:
    mask = torch.rand(5, 5, generator=generator) < pick(generator, 0.2, 0.5, 0.9)
    return {
        "scores": (3 * draw(generator, 5, 5)).tolist(),
        "mask": mask.tolist(),
        "preset": "custom",
        "masking": pick(generator, "before", "before", "after", "renormalized"),
        "empty_row": pick(generator, "nan", "uniform", "zeros"),
    }


def mask_numbers(state: dict) -> dict[str, float]:
    scores, mask = torch.tensor(state["scores"], dtype=torch.float64), torch.tensor(state["mask"])
    without = scores.softmax(dim=-1)
    kept = without * mask
    numbers = {"scores": scores, "left": kept.sum(dim=-1, keepdim=True)}
    if state["masking"] == "before":
        numbers["masked"] = scores.masked_fill(~mask, -1e9 if state["empty_row"] == "uniform" else -torch.inf)
        weights = numbers["masked"].softmax(dim=-1)
        weights = weights.nan_to_num(0.0) if state["empty_row"] == "zeros" else weights
    else:
        weights = kept / numbers["left"] if state["masking"] == "renormalized" else kept
    numbers |= {"weights": weights, "sums": weights.sum(dim=-1, keepdim=True)}
    return {ref: value for name, matrix in numbers.items() for ref, value in refs(name, matrix).items()}


def real_heads_state(generator: torch.Generator) -> dict:
    return {
        "sentence": pick(generator, *range(len(stored_sentences()))),
        "layer": pick(generator, *range(LAYERS)),
        "head": pick(generator, *range(HEADS)),
        "special": pick(generator, True, False),
    }


def real_heads_numbers(state: dict) -> dict[str, float]:
    sentence = stored_sentences()[state["sentence"]]
    weights = decode_maps(sentence["maps"], len(sentence["tokens"]))[state["layer"], state["head"]]
    if state["special"]:
        return refs("model", weights)
    words = weights[1:-1, 1:-1]
    return refs("words", words.log().softmax(dim=-1))  # softmax of logarithms: divided by the sum


def training_state(generator: torch.Generator) -> dict:
    """Records of a training that never was: any loss, accuracy and row may stand at any step."""
    records = pick(generator, 1, 2, 20)
    return {
        "steps": torch.randint(1, 9, (records,), generator=generator).cumsum(dim=0).tolist(),
        "losses": draw(generator, records).square().tolist(),
        "accuracies": torch.rand(records, generator=generator, dtype=torch.float64).tolist(),
        "rows": (2 * draw(generator, records, 5)).softmax(dim=-1).tolist(),
        "record": pick(generator, *range(records)),
    }


def training_numbers(state: dict) -> dict[str, float]:
    losses, accuracies, rows = (
        torch.tensor(state[name], dtype=torch.float64) for name in ("losses", "accuracies", "rows")
    )
    columns = {"losses": losses, "right": (-losses).exp(), "accuracies": accuracies}
    found = {**{name: column[:, None] for name, column in columns.items()}, "weights": rows, "changes": rows - rows[0]}
    return {ref: value for name, matrix in found.items() for ref, value in refs(name, matrix).items()}


def recorded_training() -> TrainingReplay:
    """Ten records in which the last token wins the row."""
    progress = torch.linspace(-5, 5, 10, dtype=torch.float64).sigmoid()
    scores = progress[:, None] * torch.tensor([0.0, 0.0, 0.0, 1.0, 3.0], dtype=torch.float64)
    rows = scores.softmax(dim=-1)
    return TrainingReplay(
        list(range(0, 50, 5)), 1.4 * (1 - progress), 0.25 + 0.75 * progress, rows, EXAMPLE.tokens, record=4
    )


DTYPES = {1: torch.int8, 2: torch.bfloat16, 4: torch.float32, 8: torch.float64}


def cost_state(generator: torch.Generator) -> dict:
    kv_heads = pick(generator, 1, 2, 3, 8)
    return {
        "num_tokens": pick(generator, 1, 7, 100, 4096, 131072),
        "d_model": pick(generator, 1, 16, 100, 12288),
        "num_heads": kv_heads * pick(generator, 1, 2, 12),
        "num_kv_heads": kv_heads,
        "head_dim": pick(generator, 1, 4, 33, 128),
        "num_layers": pick(generator, 1, 6, 126),
        "bytes_per_number": pick(generator, *DTYPES),
    }


def multiply_adds(compute: Callable) -> int:
    """What PyTorch's own counter finds; it counts the products and the sums, so half of that."""
    with FlopCounterMode(display=False) as counter:
        compute()
    return counter.get_total_flops() // 2


def cost_numbers(state: dict) -> dict[str, float]:
    """Counted on tensors without content, by what PyTorch says of its own operations and sizes."""
    n, d, h, g, c, layers = (
        state[name] for name in ("num_tokens", "d_model", "num_heads", "num_kv_heads", "head_dim", "num_layers")
    )

    def empty(*shape: int) -> torch.Tensor:
        return torch.empty(*shape, dtype=DTYPES[state["bytes_per_number"]], device="meta")

    def project(tokens: int) -> None:
        X = torch.empty(tokens, d, device="meta")
        for width in (h * c, g * c, g * c):
            X @ torch.empty(d, width, device="meta")
        torch.empty(tokens, h * c, device="meta") @ torch.empty(h * c, d, device="meta")

    def attend(queries: int) -> None:
        query, key = torch.empty(h, queries, c, device="meta"), torch.empty(h, n, c, device="meta")
        query @ key.mT @ torch.empty(h, n, c, device="meta")

    found = {name: size for name, size in state.items() if isinstance(size, int)}
    found["projections"], found["attention"] = multiply_adds(lambda: project(n)), multiply_adds(lambda: attend(n))
    found["all_layers"] = layers * (found["projections"] + found["attention"])
    found["new_token"] = layers * multiply_adds(lambda: (project(1), attend(1)))
    found["ratio"] = found["attention"] / found["projections"]
    found["crossing"] = n / found["ratio"]
    found["weights_memory"] = empty(h, n, n).nbytes
    found["cache_per_token"] = empty(2, layers, g, c).nbytes
    found["cache_size"] = empty(2, layers, g, n, c).nbytes
    return {f"{name}/0/0": value for name, value in found.items()}


SIGNS = [
    "Orange",
    "is",
    "fruit",
    "color",
    "atenção",
    "atenc\u0327a\u0303o",
    "d'água",
    "¿",
    "?!",
    "3.5",
    " ",
    "-",
    "👩‍🔬",
    "x\u0301",
    "ª²",
    "\t",
]


def token_ids_state(generator: torch.Generator) -> dict:
    words = [pick(generator, *SIGNS) for _ in range(pick(generator, 1, 3, 9))]
    return {"text": "a" + pick(generator, "", " ").join(words), "normalize": pick(generator, True, False)}


def token_ids_numbers(state: dict) -> dict[str, float]:
    vocabulary = Vocabulary(TokenIdsExplorer().vocabulary[2:])
    tokens = tokenize(state["text"]) if state["normalize"] else TOKEN.findall(state["text"])
    ids = [vocabulary.tokens.index(token) if token in vocabulary.tokens else vocabulary.unk_id for token in tokens]
    columns = {"token_ids": ids, "code_points": [len(token) for token in tokens]}
    return {f"{name}/{i}/0": value for name, column in columns.items() for i, value in enumerate(column)}


EXAMPLES = {
    "context": Example(
        lambda: ContextExplorer(SCORES[0].softmax(dim=-1), VALUES, EXAMPLE.tokens), context_state, context_numbers
    ),
    "attention_row": Example(
        lambda: AttentionRowExplorer(SCORES, EXAMPLE.tokens), attention_row_state, attention_row_numbers
    ),
    "cost": Example(CostExplorer, cost_state, cost_numbers),
    "dot_product": Example(DotProductExplorer, dot_product_state, dot_product_numbers),
    "fused_projection": Example(FusedProjectionExplorer, fused_projection_state, fused_projection_numbers),
    "heads": Example(HeadsExplorer, heads_state, heads_numbers),
    "look_up": Example(LookUpExplorer, look_up_state, look_up_numbers),
    "token_ids": Example(TokenIdsExplorer, token_ids_state, token_ids_numbers),
    "mask": Example(lambda: MaskExplorer(SCORES, EXAMPLE.tokens, preset="causal"), mask_state, mask_numbers),
    "softmax": Example(lambda: SoftmaxExplorer(SCORES[0], tokens=EXAMPLE.tokens), softmax_state, softmax_numbers),
    "real_heads": Example(RealHeadsExplorer, real_heads_state, real_heads_numbers),
    "training": Example(recorded_training, training_state, training_numbers),
    "walk_through": Example(WalkThrough, walk_through_state, walk_through_numbers),
}
