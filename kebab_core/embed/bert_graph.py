"""A BERT encoder written as an ONNX graph from its weights, without torch.

Inputs `input_ids` and `attention_mask`, int64, both (batch, length). Output `embedding`, float32
(batch, hidden): pooled and of unit length. It serves every encoder with BERT's tensors (the
MiniLMs, E5, GTE and BGE of that shape), whatever its tokenizer.

The arithmetic is that of Devlin et al. 2018 as the reference implementation has it: post-layer
normalisation, exact GELU, learned absolute positions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Tensors = Mapping[str, NDArray[np.generic]]

Pooling = Literal["mean", "cls", "none"]
OPSET = 20
_ACTIVATIONS = {
    "gelu": ("Gelu", {}),
    "gelu_new": ("Gelu", {"approximate": "tanh"}),
    "gelu_pytorch_tanh": ("Gelu", {"approximate": "tanh"}),
    "relu": ("Relu", {}),
}


class NotBertShaped(ValueError):
    """The configuration or the tensors are of another kind of model; the message says why."""


@dataclass(frozen=True, slots=True)
class BertShape:
    """What of `config.json` the arithmetic needs."""

    layers: int
    heads: int
    hidden: int
    epsilon: float
    activation: str

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> BertShape:
        """Raises NotBertShaped where the model's arithmetic would be another."""
        kind = config.get("model_type")
        if kind != "bert":
            raise NotBertShaped(f"its model_type is {kind!r}, not 'bert'")
        positions = config.get("position_embedding_type", "absolute")
        if positions != "absolute":
            raise NotBertShaped(f"its positions are {positions!r}, not 'absolute'")
        activation = str(config.get("hidden_act", "gelu"))
        if activation not in _ACTIVATIONS:
            raise NotBertShaped(f"its activation is {activation!r}")
        try:
            shape = cls(
                layers=int(config["num_hidden_layers"]),
                heads=int(config["num_attention_heads"]),
                hidden=int(config["hidden_size"]),
                epsilon=float(config.get("layer_norm_eps", 1e-12)),
                activation=activation,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise NotBertShaped(f"its config.json lacks a usable {error}") from error
        if shape.heads < 1 or shape.hidden % shape.heads:
            raise NotBertShaped(f"{shape.hidden} dimensions don't divide into {shape.heads} heads")
        return shape


def bert_graph(shape: BertShape, tensors: Tensors, pooling: Pooling = "mean") -> Any:
    """The `onnx.ModelProto`. With pooling "none" the output is `last_hidden_state`.

    `tensors` are the encoder's, their names with or without a common prefix (`bert.`).
    """
    return _Writer(shape, tensors).model(pooling)


class _Writer:
    """Gathers nodes and weights; each method adds nodes and returns the name of their result."""

    def __init__(self, shape: BertShape, tensors: Tensors) -> None:
        self.shape = shape
        self._tensors = tensors
        marker = "embeddings.word_embeddings.weight"
        found = [name for name in tensors if name.endswith(marker)]
        if not found:
            raise NotBertShaped(f"no tensor is named {marker}")
        self._prefix = found[0][: -len(marker)]
        self._nodes: list[Any] = []
        self._weights: list[Any] = []
        self._count = 0

    def tensor(self, name: str) -> NDArray[np.float32]:
        import numpy as np

        try:
            return np.asarray(self._tensors[self._prefix + name], dtype=np.float32)
        except KeyError:
            raise NotBertShaped(f"no tensor is named {self._prefix}{name}") from None

    def constant(self, value: NDArray[Any], hint: str = "constant") -> str:
        from onnx import numpy_helper

        self._count += 1
        name = f"{hint}_{self._count}"
        self._weights.append(numpy_helper.from_array(value, name))
        return name

    def node(self, kind: str, *inputs: str, **attributes: Any) -> str:
        from onnx import helper

        self._count += 1
        name = f"{kind}_{self._count}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def shape_of(self, *sizes: int) -> str:
        import numpy as np

        return self.constant(np.array(sizes, dtype=np.int64), "shape")

    def linear(self, x: str, name: str) -> str:
        import numpy as np

        weight = self.constant(np.ascontiguousarray(self.tensor(f"{name}.weight").T), name)
        bias = self.constant(self.tensor(f"{name}.bias"), name)
        return self.node("Add", self.node("MatMul", x, weight), bias)

    def norm(self, x: str, name: str) -> str:
        gain = self.constant(self.tensor(f"{name}.weight"), name)
        bias = self.constant(self.tensor(f"{name}.bias"), name)
        return self.node("LayerNormalization", x, gain, bias, axis=-1, epsilon=self.shape.epsilon)

    def model(self, pooling: Pooling) -> Any:
        from onnx import TensorProto, helper

        mask = self.node("Cast", "attention_mask", to=TensorProto.FLOAT)
        bias = self.mask_bias(mask)
        x = self.embeddings()
        for i in range(self.shape.layers):
            x = self.layer(x, bias, f"encoder.layer.{i}")
        hidden = self.shape.hidden
        if pooling == "none":
            output, sizes = "last_hidden_state", ["batch", "length", hidden]
        else:
            output, sizes = "embedding", ["batch", hidden]
            x = self.unit(self.mean(x, mask) if pooling == "mean" else self.first(x))
        self._nodes.append(helper.make_node("Identity", [x], [output], output))
        graph = helper.make_graph(
            self._nodes,
            "bert",
            [
                helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
                for name in ("input_ids", "attention_mask")
            ],
            [helper.make_tensor_value_info(output, TensorProto.FLOAT, sizes)],
            self._weights,
        )
        opsets = [helper.make_opsetid("", OPSET)]
        return helper.make_model(graph, opset_imports=opsets, producer_name="kebab")

    def mask_bias(self, mask: str) -> str:
        """0 where attended, a large negative number where padded: (batch, 1, 1, length)."""
        import numpy as np

        one = self.constant(np.array(1, np.float32))
        low = self.constant(np.array(-1e9, np.float32))
        padded = self.node("Mul", self.node("Sub", one, mask), low)
        return self.node("Unsqueeze", padded, self.shape_of(1, 2))

    def embeddings(self) -> str:
        words = self.constant(self.tensor("embeddings.word_embeddings.weight"), "words")
        # There is only ever one segment: its vector is added to every position's.
        table = self.tensor("embeddings.position_embeddings.weight")
        table = table + self.tensor("embeddings.token_type_embeddings.weight")[0]
        length = self.node("Shape", "input_ids", start=1, end=2)
        positions = self.node(
            "Slice", self.constant(table, "positions"), self.shape_of(0), length, self.shape_of(0)
        )
        x = self.node("Add", self.node("Gather", words, "input_ids"), positions)
        return self.norm(x, "embeddings.LayerNorm")

    def layer(self, x: str, bias: str, name: str) -> str:
        attended = self.linear(self.attention(x, bias, name), f"{name}.attention.output.dense")
        x = self.norm(self.node("Add", attended, x), f"{name}.attention.output.LayerNorm")
        kind, attributes = _ACTIVATIONS[self.shape.activation]
        inner = self.node(kind, self.linear(x, f"{name}.intermediate.dense"), **attributes)
        outer = self.linear(inner, f"{name}.output.dense")
        return self.norm(self.node("Add", outer, x), f"{name}.output.LayerNorm")

    def attention(self, x: str, bias: str, name: str) -> str:
        import numpy as np

        heads, size = self.shape.heads, self.shape.hidden // self.shape.heads
        split = self.shape_of(0, 0, heads, size)
        query, key, value = (
            self.node("Reshape", self.linear(x, f"{name}.attention.self.{part}"), split)
            for part in ("query", "key", "value")
        )
        query = self.node("Transpose", query, perm=[0, 2, 1, 3])
        key = self.node("Transpose", key, perm=[0, 2, 3, 1])
        value = self.node("Transpose", value, perm=[0, 2, 1, 3])
        scale = self.constant(np.array(1 / math.sqrt(size), np.float32))
        scores = self.node("Mul", self.node("MatMul", query, key), scale)
        weights = self.node("Softmax", self.node("Add", scores, bias), axis=-1)
        joined = self.node("Transpose", self.node("MatMul", weights, value), perm=[0, 2, 1, 3])
        return self.node("Reshape", joined, self.shape_of(0, 0, self.shape.hidden))

    def mean(self, x: str, mask: str) -> str:
        """The mean of the attended positions."""
        import numpy as np

        wide = self.node("Unsqueeze", mask, self.shape_of(2))
        axis = self.shape_of(1)
        total = self.node("ReduceSum", self.node("Mul", x, wide), axis, keepdims=0)
        count = self.node("ReduceSum", wide, axis, keepdims=0)
        floor = self.constant(np.array(1e-9, np.float32))
        return self.node("Div", total, self.node("Max", count, floor))

    def first(self, x: str) -> str:
        import numpy as np

        return self.node("Gather", x, self.constant(np.array(0, dtype=np.int64)), axis=1)

    def unit(self, x: str) -> str:
        import numpy as np

        floor = self.constant(np.array(1e-12, np.float32))
        norm = self.node("ReduceL2", x, self.shape_of(1), keepdims=1)
        return self.node("Div", x, self.node("Max", norm, floor))
