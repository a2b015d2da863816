"""Whether the files of built-in judgement are there and can be read: what `doctor` says of them.

Opens each of them, which takes some hundred milliseconds. A deep network is opened only where the weights that it
stands on are; a file whose numbers were changed and that still opens is not noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from nightgarden.errors import ModelDamaged
from nightgarden.models.classifier_files import (
    CONTRASTS,
    NETWORK,
    OCCASIONS,
    OCCASIONS_MULTILINGUAL,
    WORDS,
    classifier_folder,
)
from nightgarden.models.model_files import find_deep_weights


class ClassifierState(StrEnum):
    """How it stands with the built-in classifier."""

    READY = "ready"
    DISABLED = "disabled"
    MISSING = "missing"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifierHealth:
    """The state, and the files that are missing or damaged, by name."""

    state: ClassifierState
    files: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        named = " and ".join(self.files)
        match self.state:
            case ClassifierState.READY:
                return "every file of the built-in classifier can be read"
            case ClassifierState.DISABLED:
                return "switched off by the setting classifier.enabled, so exact rules judge alone"
            case ClassifierState.MISSING:
                return f"{named} {_are(self.files)} missing, so exact rules judge: reinstall nightgarden"
            case ClassifierState.DAMAGED:
                return f"{named} {_are(self.files)} damaged, so less or only exact rules judge: reinstall nightgarden"


def check_classifier(folders: Sequence[Path], *, enabled: bool = True) -> ClassifierHealth:
    """`folders` are where published weights are looked for. Damage is told before what is missing."""
    if not enabled:
        return ClassifierHealth(state=ClassifierState.DISABLED)
    parts = dict(_parts(classifier_folder(), folders))
    missing = tuple(name for name in parts if not (classifier_folder() / name).is_file())
    damaged = tuple(name for name, open_it in parts.items() if name not in missing and not _opens(open_it))
    if damaged:
        return ClassifierHealth(state=ClassifierState.DAMAGED, files=damaged)
    return ClassifierHealth(state=ClassifierState.MISSING if missing else ClassifierState.READY, files=missing)


def _parts(folder: Path, folders: Sequence[Path]) -> Iterator[tuple[str, Callable[[], object]]]:
    from nightgarden.models.classifier_networks import DeepNetwork, WordVectors, open_network  # 60 ms with numpy
    from nightgarden.models.contrasts import Contrasts
    from nightgarden.models.occasions import Occasions

    yield NETWORK, partial(open_network, folder / NETWORK, threads=1)
    yield WORDS, partial(WordVectors, folder / WORDS)
    yield CONTRASTS, partial(Contrasts, folder)
    for name in (OCCASIONS, OCCASIONS_MULTILINGUAL):
        yield name, partial(Occasions, folder, name=name)
    for name, base in find_deep_weights(folders).items():
        yield name, partial(DeepNetwork, folder / name, base, threads=1)


def _opens(open_it: Callable[[], object]) -> bool:
    try:
        open_it()
    except ModelDamaged:
        return False
    return True


def _are(files: Sequence[str]) -> str:
    return "is" if len(files) == 1 else "are"
