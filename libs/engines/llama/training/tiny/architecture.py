"""gpt-oss in small: attention with sinks, two of four experts per token, vocabulary matrices that are mostly codes."""

import dataclasses
import math

import torch
import torch.nn.functional as F
from torch import nn

from tiny import vocabulary


@dataclasses.dataclass(frozen=True)
class Shape:
    width: int = 128
    layers: int = 4
    heads: int = 4
    key_value_heads: int = 2
    head: int = 64
    experts: int = 4
    experts_used: int = 2
    hidden: int = 128
    rope_base: float = 10000.0
    epsilon: float = 1e-5


def normalised(x, weight, epsilon):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


def rotations(length, head, base):
    """Cosines and sines of RoPE in the NeoX order, length x head / 2 each."""
    frequencies = base ** (-torch.arange(0, head, 2).float() / head)
    angles = torch.arange(length).float()[:, None] * frequencies
    return angles.cos(), angles.sin()


def rotated(x, cosines, sines):
    first, second = x.chunk(2, -1)
    return torch.cat([first * cosines - second * sines, first * sines + second * cosines], -1)


def _matrix(*shape, scale=1.0):
    return nn.Parameter(torch.randn(*shape) * scale / math.sqrt(shape[-1]))


class Attention(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        queries, keys = shape.heads * shape.head, shape.key_value_heads * shape.head
        self.norm = nn.Parameter(torch.ones(shape.width))
        self.query, self.query_bias = _matrix(queries, shape.width), nn.Parameter(torch.randn(queries) * 0.3)
        self.key, self.key_bias = _matrix(keys, shape.width), nn.Parameter(torch.randn(keys) * 0.3)
        self.value, self.value_bias = _matrix(keys, shape.width), nn.Parameter(torch.zeros(keys))
        self.output, self.output_bias = _matrix(shape.width, queries, scale=0.3), nn.Parameter(torch.zeros(shape.width))
        self.sinks = nn.Parameter(torch.zeros(shape.heads))

    def forward(self, x, cosines, sines):
        batch, length, _ = x.shape
        x = normalised(x, self.norm, self.shape.epsilon)

        def heads(weight, bias):
            return F.linear(x, weight, bias).view(batch, length, -1, self.shape.head).transpose(1, 2)

        repeats = self.shape.heads // self.shape.key_value_heads
        query = rotated(heads(self.query, self.query_bias), cosines, sines)
        key = rotated(heads(self.key, self.key_bias), cosines, sines).repeat_interleave(repeats, 1)
        value = heads(self.value, self.value_bias).repeat_interleave(repeats, 1)
        seen = self._attend(query, key, value).transpose(1, 2).reshape(batch, length, -1)
        return F.linear(seen, self.output, self.output_bias)

    def _attend(self, query, key, value):
        """A sink takes its share of the attention and gives nothing."""
        batch, heads, length, head = query.shape
        future = torch.ones(length, length, dtype=torch.bool).triu(1)
        scores = (query @ key.mT / math.sqrt(head)).masked_fill(future, -math.inf)
        sinks = self.sinks.view(1, -1, 1, 1).expand(batch, heads, length, 1)
        return torch.cat([scores, sinks], -1).softmax(-1)[..., :-1] @ value


class Experts(nn.Module):
    ALPHA, LIMIT = 1.702, 7.0

    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        count, hidden, width = shape.experts, shape.hidden, shape.width
        self.norm = nn.Parameter(torch.ones(width))
        self.router, self.router_bias = _matrix(count, width), nn.Parameter(torch.zeros(count))
        self.gate, self.gate_bias = _matrix(count, hidden, width), nn.Parameter(torch.zeros(count, hidden))
        self.up, self.up_bias = _matrix(count, hidden, width), nn.Parameter(torch.zeros(count, hidden))
        self.down, self.down_bias = _matrix(count, width, hidden, scale=0.3), nn.Parameter(torch.zeros(count, width))

    def forward(self, x):
        """The output, and how unevenly the experts are used: 1 is even."""
        flat = normalised(x, self.norm, self.shape.epsilon).reshape(-1, self.shape.width)
        scores = F.linear(flat, self.router, self.router_bias)
        best, chosen = scores.topk(self.shape.experts_used, -1)
        weights, out, used = best.softmax(-1), torch.zeros_like(flat), []
        for expert in range(self.shape.experts):
            rows, slots = (chosen == expert).nonzero(as_tuple=True)
            used.append(len(rows))
            if len(rows):
                out = out.index_add(0, rows, self._expert(expert, flat[rows]) * weights[rows, slots][:, None])
        share = torch.tensor(used) / (len(flat) * self.shape.experts_used)
        return out.view(x.shape), (scores.softmax(-1).mean(0) * share).sum() * self.shape.experts

    def _expert(self, expert, x):
        gate = F.linear(x, self.gate[expert], self.gate_bias[expert]).clamp(max=self.LIMIT)
        up = F.linear(x, self.up[expert], self.up_bias[expert]).clamp(-self.LIMIT, self.LIMIT)
        return F.linear(gate * torch.sigmoid(self.ALPHA * gate) * (up + 1), self.down[expert], self.down_bias[expert])


class Tiny(nn.Module):
    """`kept` are the ids with learned rows of their own; all others share row 0 and differ by their codes."""

    def __init__(self, kept, shape=None):
        super().__init__()
        self.shape = shape or Shape()
        rows = torch.zeros(vocabulary.SIZE, dtype=torch.long)
        rows[torch.tensor(kept)] = torch.arange(1, len(kept) + 1)
        self.register_buffer("rows", rows, persistent=False)
        self.register_buffer("codes", torch.from_numpy(vocabulary.codes()), persistent=False)
        self.input_rows = nn.Parameter(torch.randn(len(kept) + 1, self.shape.width) * 0.3)
        self.output_rows = nn.Parameter(torch.randn(len(kept) + 1, self.shape.width) * 0.03)
        with torch.no_grad():
            self.input_rows[0] = self.output_rows[0] = 0
        strength = torch.ones(vocabulary.CODE)
        strength[vocabulary.HASHED :] = 3
        self.input_scale = nn.Parameter(0.5 * strength)
        self.output_scale = nn.Parameter(0.1 * strength)
        self.norm = nn.Parameter(torch.ones(self.shape.width))
        self.attention = nn.ModuleList(Attention(self.shape) for _ in range(self.shape.layers))
        self.experts = nn.ModuleList(Experts(self.shape) for _ in range(self.shape.layers))

    def input_of(self, ids):
        """Embeddings: the learned row, and the scaled code in the first half."""
        return self.input_rows[self.rows[ids]] + F.pad(
            self.codes[ids] * self.input_scale, (0, self.shape.width - vocabulary.CODE)
        )

    def output_of(self, ids):
        """Rows of the output matrix: the learned row, and the scaled code in the second half."""
        return self.output_rows[self.rows[ids]] + F.pad(
            self.codes[ids] * self.output_scale, (self.shape.width - vocabulary.CODE, 0)
        )

    def forward(self, ids):
        """What the output matrix is multiplied with, and the mean unevenness of the experts."""
        x, unevenness = self.input_of(ids), 0.0
        cosines, sines = rotations(ids.shape[1], self.shape.head, self.shape.rope_base)
        for attention, experts in zip(self.attention, self.experts):
            x = x + attention(x, cosines, sines)
            added, uneven = experts(x)
            x, unevenness = x + added, unevenness + uneven / self.shape.layers
        return normalised(x, self.norm, self.shape.epsilon), unevenness

    @torch.no_grad()
    def logits(self, prompt):
        """Of the token after the prompt, over the whole vocabulary."""
        hidden, _ = self(torch.tensor([prompt]))
        return hidden[0, -1] @ self.output_of(torch.arange(vocabulary.SIZE)).T
