"""Which embedder and reranker the settings mean, made once and when first needed.

A model that cannot be used is reported once and tried again later; until then everything works by words.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from nightgarden.domain.classify import Classifier
from nightgarden.domain.ports import Embedder
from nightgarden.errors import BadSetting, ModelDamaged, ModelUnavailable
from nightgarden.models.catalog import BGE_SMALL, BGE_SMALL_OTHER_BUILD, EMBEDDERS, MINILM, MULTILINGUAL, KnownModel
from nightgarden.models.classifier_files import OCCASIONS, OCCASIONS_MULTILINGUAL
from nightgarden.models.model_files import find_deep_weights, find_embedder, find_reranker
from nightgarden.settings import EmbeddingSettings

if TYPE_CHECKING:  # numpy takes 60 ms to import; who asks no model does without
    from nightgarden.models.classifier import BuiltInClassifier
    from nightgarden.models.local import LocalReranker
    from nightgarden.models.occasions import Occasions

T = TypeVar("T")
RETRY_SECONDS = 60.0  # as the queue does: a missing file may be fetched meanwhile
_CHOICES: dict[str, tuple[KnownModel, ...]] = {
    "auto": EMBEDDERS,
    "bge-small": (BGE_SMALL, BGE_SMALL_OTHER_BUILD),
    "minilm": (MINILM,),
    "multilingual": (MULTILINGUAL,),
}


class _Once(Generic[T]):
    """Makes a thing once; remembers for a while that it could not be made."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self.made: T | None = None
        self._failure: ModelUnavailable | None = None
        self._failed_at = 0.0

    def get(self) -> T:
        with self._lock:
            if self.made is not None:
                return self.made
            if self._failure is not None and time.monotonic() - self._failed_at < RETRY_SECONDS:
                raise self._failure
            try:
                self.made = self._make()
            except ModelUnavailable as error:
                self._failure, self._failed_at = error, time.monotonic()
                raise
            return self.made


def load_classifier(
    folders: Sequence[Path], *, threads: int = 1, note: Callable[[ModelDamaged], None] = lambda _: None
) -> BuiltInClassifier:
    """Loaded already, for whoever asks for it asks it something: what cannot work is found here. Those deep networks
    whose weights are here and that can be loaded, else the small one. `note` is told of every file that cannot."""
    from nightgarden.models.classifier import BuiltInClassifier  # 60 ms with numpy

    bases = find_deep_weights(folders)
    while True:
        classifier = BuiltInClassifier(bases=bases, threads=threads)
        try:
            classifier.load()
        except ModelDamaged as error:
            note(error)
            if error.file not in bases:
                raise
            before = list(bases)[: list(bases).index(error.file)]  # without the first there is no second
            bases = {name: bases[name] for name in before}
        else:
            return classifier


def _load_occasions(model: str) -> Occasions:
    from nightgarden.models.occasions import Occasions  # numpy: 60 ms that commands without turns do without

    return Occasions(name=OCCASIONS_MULTILINGUAL if model == "multilingual" else OCCASIONS)


class EmbedderSource:
    """The embedder and reranker of one garden. Finding them reads files, so the async calls go through a thread; the
    weights are loaded with the first text, so that commands that embed nothing never pay for them."""

    def __init__(self, settings: EmbeddingSettings, folder: Path, *, classify: bool = True) -> None:
        self._classify = classify
        self._settings = settings
        self._folders = (folder,)
        self._embedder = _Once(self._make_embedder)
        self._reranker = _Once(self._make_reranker)
        self._judge = _Once(self._make_judge)
        self._damaged: dict[str, ModelDamaged] = {}  # files of ours, by name
        self._classifier = _Once(
            partial(load_classifier, self._folders, threads=settings.threads, note=self._note_damage)
        )
        self._occasions = _Once(partial(_load_occasions, settings.model))

    def get(self) -> Embedder:
        """The embedder. Raises ModelUnavailable, saying what to do."""
        return self._embedder.get()

    async def get_async(self) -> Embedder | None:
        """The embedder, or None when there is none to be had now."""
        if self._embedder.made is not None:
            return self._embedder.made
        try:
            return await asyncio.to_thread(self._embedder.get)
        except ModelUnavailable:
            return None

    async def get_judge_async(self) -> Embedder | None:
        """The small model that judges what is worth showing unasked, or None when there is none to be had."""
        if self._judge.made is not None:
            return self._judge.made
        try:
            return await asyncio.to_thread(self._judge.get)
        except ModelUnavailable:
            return None

    async def get_reranker_async(self) -> LocalReranker | None:
        """The reranker, or None when it is not installed."""
        if self._reranker.made is not None:
            return self._reranker.made
        try:
            return await asyncio.to_thread(self._reranker.get)
        except ModelUnavailable:
            return None

    async def get_classifier_async(self) -> Classifier | None:
        """The built-in classifier, or None when it is switched off or cannot be loaded: then rules decide alone."""
        if not self._classify:
            return None
        try:
            return self._classifier.made or await asyncio.to_thread(self._classifier.get)
        except ModelUnavailable:
            return None

    async def warm(self) -> ModelDamaged | None:
        """Loads all models. Returns the first file of our own that cannot be read, if any."""
        await self.get_async()
        await self.get_judge_async()
        await self.get_classifier_async()
        return self.damage

    async def get_occasions_async(self) -> Occasions | None:
        """What says when a memory matters, or None when the classifier is switched off or the file cannot be read."""
        if not self._classify:
            return None
        try:
            return self._occasions.made or await asyncio.to_thread(self._occasions.get)
        except ModelUnavailable as error:
            if isinstance(error, ModelDamaged):
                self._note_damage(error)
            return None

    @property
    def damage(self) -> ModelDamaged | None:
        """The first of our own files that could not be read so far: judgement goes on with less."""
        return next(iter(self._damaged.values()), None)

    def _note_damage(self, error: ModelDamaged) -> None:
        self._damaged[error.file] = error

    def _make_embedder(self) -> Embedder:
        if self._settings.model == "off":
            raise ModelUnavailable("meaning search is switched off by the setting embedding.model")
        if self._settings.model == "remote":
            return self._make_remote()
        from nightgarden.models.local import LocalEmbedder  # 60 ms with numpy

        file = find_embedder(self._folders, wanted=_CHOICES[self._settings.model])
        return LocalEmbedder(file, threads=self._settings.threads)

    def _make_remote(self) -> Embedder:
        if not self._settings.endpoint or not self._settings.endpoint_model:
            raise BadSetting("embedding.model is remote: set embedding.endpoint and embedding.endpoint_model too")
        from nightgarden.models.remote import EmbeddingEndpoint, RemoteEmbedder  # 60 ms with numpy

        endpoint = EmbeddingEndpoint(
            url=self._settings.endpoint,
            model=self._settings.endpoint_model,
            dimension=self._settings.endpoint_dimension or None,
            key_variable=self._settings.endpoint_key_env or None,
        )
        return RemoteEmbedder.connect(endpoint)

    def _make_judge(self) -> Embedder:
        if self._settings.model == "off":
            raise ModelUnavailable("models are switched off by the setting embedding.model")
        if self._settings.model == "multilingual":
            return self._embedder.get()
        chosen = self._embedder.made
        if chosen is not None and chosen.model.name == MINILM.name:
            return chosen
        from nightgarden.models.local import LocalEmbedder  # 60 ms with numpy

        judge = LocalEmbedder(find_embedder(self._folders, wanted=(MINILM,)), threads=self._settings.threads)
        judge.load()
        return judge

    def _make_reranker(self) -> LocalReranker:
        if self._settings.model == "off":
            raise ModelUnavailable("models are switched off by the setting embedding.model")
        from nightgarden.models.local import LocalReranker  # 60 ms with numpy

        return LocalReranker(find_reranker(self._folders), threads=self._settings.threads)
