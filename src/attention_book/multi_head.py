"""Multi-head attention (chapters 09 to 12), written out although PyTorch has it, so that each step can be read.

`nn.MultiheadAttention` and `F.scaled_dot_product_attention` give the same numbers; the tests compare them.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .attention import check_query_key_value, scaled_dot_product_attention
from .masks import fit_mask


class MultiHeadAttention(nn.Module):
    """Several heads of attention side by side, joined by one output projection.

    Args:
        d_model: size of each token's vector, in and out.
        num_heads: number of heads; each works with head_dim = d_model / num_heads.
        qkv_bias: give the three input projections a bias too; the output projection always has one.
    Raises:
        TypeError: d_model or num_heads is not a whole number.
        ValueError: d_model is not a positive multiple of num_heads.
    Source:
        Vaswani et al. (2017), Attention Is All You Need, section 3.2.2.
    """

    def __init__(self, d_model: int, num_heads: int, *, qkv_bias: bool = False):
        super().__init__()
        for name, number in (("d_model", d_model), ("num_heads", num_heads)):
            if not isinstance(number, int) or isinstance(number, bool):
                raise TypeError(f"{name} must be a whole number, got {number!r}; write int({name})")
            if number < 1:
                raise ValueError(f"{name}={number} must be positive; write for example {name}=8")
        if d_model % num_heads:
            raise ValueError(
                f"d_model={d_model} must be a multiple of num_heads={num_heads}; "
                f"for example d_model={max(d_model // num_heads, 1) * num_heads}"
            )
        self.d_model = d_model
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        # One fused matrix for all heads: its blocks are the heads' own matrices (chapter 11).
        self.query_linear = nn.Linear(d_model, d_model, bias=qkv_bias)
        self.key_linear = nn.Linear(d_model, d_model, bias=qkv_bias)
        self.value_linear = nn.Linear(d_model, d_model, bias=qkv_bias)
        self.output_linear = nn.Linear(d_model, d_model)

    def split_heads(self, x: Tensor) -> Tensor:
        """(batch, length, d_model) → (batch, heads, length, head_dim): each head gets its columns of every token."""
        batch, length, _ = x.shape
        x = x.reshape(batch, length, self.num_heads, self.head_dim).transpose(1, 2)
        return x.contiguous()  # once here, else each product that follows makes a copy of its own

    def compute_attention(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, return_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Attention in every head at once, on tensors of shape (batch, heads, length, head_dim).

        Without `return_weights` PyTorch's fused kernel gives the same context and keeps no query × key matrix.

        Returns:
            context, (batch, heads, query, head_dim), and weights, (batch, heads, query, key) or None.
        """
        if return_weights:
            return scaled_dot_product_attention(query, key, value, mask)
        if mask is not None:
            mask = fit_mask(mask, (*query.shape[:-1], key.shape[-2]), query.device)
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask), None

    def combine_heads(self, x: Tensor) -> Tensor:
        """(batch, heads, length, head_dim) → (batch, length, d_model): the heads side by side again."""
        batch, _, length, _ = x.shape
        return x.transpose(1, 2).reshape(batch, length, self.d_model)

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        mask: Tensor | None = None,
        return_weights: bool = False,
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Let each query token attend to the key tokens.

        Args:
            query: shape (batch, query, d_model), or (query, d_model) for one sentence.
            key: shape (batch, key, d_model); None means self-attention: key and value are the query.
            value: shape (batch, key, d_model); None means the key.
            mask: True = may attend (integers 0/1 are taken as such); shape (query, key), (1, key),
                (batch, 1, 1, key), (batch, 1, query, key) or (batch, heads, query, key).
            return_weights: return the weights of each head too.
        Returns:
            The output, of the query's shape, or (output, weights) with weights of shape
            (batch, heads, query, key), without the batch axis where the query has none.
            A query that may attend to nothing gets weights 0 and context 0, so its output is W_O's bias.
        Raises:
            TypeError, ValueError: the inputs do not go together; the sentence says how to mend it.
        """
        if key is None:
            if value is not None:
                raise ValueError("value is given but key is not; pass the key that the value belongs to")
            key = query
        if value is None:
            value = key
        self._check_inputs(query, key, value)
        one_sentence = query.dim() == 2
        if one_sentence:
            query, key, value = query[None], key[None], value[None]

        context, weights = self.compute_attention(
            self.split_heads(self.query_linear(query)),  # (batch, heads, query, head_dim)
            self.split_heads(self.key_linear(key)),  # (batch, heads, key, head_dim)
            self.split_heads(self.value_linear(value)),  # (batch, heads, key, head_dim)
            mask,
            return_weights,
        )
        output = self.output_linear(self.combine_heads(context))  # (batch, query, d_model)

        if one_sentence:
            output = output[0]
            weights = weights[0] if return_weights else None
        return (output, weights) if return_weights else output

    def _check_inputs(self, query: Tensor, key: Tensor, value: Tensor) -> None:
        weight = self.query_linear.weight
        for name, tensor in (("query", query), ("key", key), ("value", value)):
            if not isinstance(tensor, Tensor):
                raise TypeError(f"{name} must be a tensor, got {type(tensor).__name__}; write torch.tensor({name})")
            if tensor.dim() not in (2, 3) or tensor.shape[-1] != self.d_model:
                raise ValueError(
                    f"{name} must have shape (batch, length, {self.d_model}) or (length, {self.d_model}), "
                    f"got {tuple(tensor.shape)}; the last axis is d_model={self.d_model}"
                )
            if tensor.device != weight.device:
                raise ValueError(
                    f"{name} is on {tensor.device}, the module on {weight.device}; write {name}.to('{weight.device}')"
                )
            if tensor.dtype != weight.dtype and not torch.is_autocast_enabled(tensor.device.type):
                raise TypeError(
                    f"{name} is {tensor.dtype}, the module's weights are {weight.dtype}; "
                    f"write {name}.to({weight.dtype}) or module.to({tensor.dtype})"
                )
        check_query_key_value(query, key, value)

    @classmethod
    def from_torch(cls, source: nn.MultiheadAttention) -> "MultiHeadAttention":
        """Copy the weights of a `torch.nn.MultiheadAttention`; its dropout is not copied, so compare in eval mode.

        Raises:
            TypeError: `source` is another kind of module.
            ValueError: it has what this module has not: keys or values of another size, or extra key and value rows.
        """
        if not isinstance(source, nn.MultiheadAttention):
            raise TypeError(f"source must be a torch.nn.MultiheadAttention, got {type(source).__name__}")
        if source.in_proj_weight is None or source.bias_k is not None or source.add_zero_attn:
            raise ValueError(
                "source has kdim, vdim, add_bias_kv or add_zero_attn set; build it from embed_dim and num_heads alone"
            )
        weight, bias = source.in_proj_weight, source.in_proj_bias
        module = cls(source.embed_dim, source.num_heads, qkv_bias=bias is not None).to(weight)
        inputs = (module.query_linear, module.key_linear, module.value_linear)
        with torch.no_grad():
            # in_proj_weight holds query, key and value one below the other, not interleaved.
            for linear, block in zip(inputs, weight.chunk(3), strict=True):
                linear.weight.copy_(block)
            if bias is not None:
                for linear, block in zip(inputs, bias.chunk(3), strict=True):
                    linear.bias.copy_(block)
            module.output_linear.weight.copy_(source.out_proj.weight)
            if source.out_proj.bias is None:
                module.output_linear.bias.zero_()
            else:
                module.output_linear.bias.copy_(source.out_proj.bias)
        return module.train(source.training)
