"""The built-in classifier: a small network that ships with the package and judges where judgement is graded.

Knows what its outputs mean and how to run it; what follows from a score is decided by whoever asks. Without its file
the rules stand alone, and `doctor` says so. How it was made and where it fails: docs/why/classifier.md.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Literal

import numpy as np

from nightgarden.domain.classify import (
    CATEGORIES,
    MessageScores,
    RelationScores,
    Screening,
    TurnReading,
    VectorScores,
    WordScores,
)
from nightgarden.domain.odds import log_odds, share_of
from nightgarden.domain.ports import Vector
from nightgarden.errors import ModelUnavailable
from nightgarden.models.classifier_files import classifier_folder, classifier_is_here
from nightgarden.models.classifier_networks import ClassifierNetwork, DeepNetwork, Numbers, SmallNetwork
from nightgarden.models.contrasts import Contrasts
from nightgarden.models.encoding import Encoded, Task, encode
from nightgarden.models.glossary import Glossed, in_english
from nightgarden.models.model_files import ModelFile

RELATIONS = ("same", "changes", "narrows", "excepts", "compatible", "unrelated")
SCREENS = ("good", "secret", "junk")
_WHOLE = {"relation": len(RELATIONS), "screen": len(SCREENS), "helps": 1, "keeps": 1}
_TOKEN = {"keep": 1, "category": len(CATEGORIES), "personal": 1, "change": 1, "secret": 1}
# Word pieces read of the first text, and in all. What is longer is read in windows, or cut.
LIMITS: dict[Task, tuple[int, int]] = {
    Task.MESSAGE: (40, 200),
    Task.PAIR: (60, 128),
    Task.WRITE: (0, 128),
    Task.TURN: (48, 112),
    Task.OCCASION: (0, 96),
}
SAME = RELATIONS.index("same")
SAME_READ_AGAIN_MIN = 0.2
STRANGERS = [RELATIONS.index(name) for name in ("compatible", "unrelated")]
STRANGERS_MIN = 0.95  # said by the first network of two statements; the second is not asked then
NOTHING_MAX = 0.05  # the same of a message
Answer = tuple[dict[str, Numbers], dict[str, Numbers]]  # of the whole, and of each of its pieces, by question
WINDOWS_MAX = 24  # of one long text; about 4,000 words
READ_AGAIN_MAX = 64  # messages and their parts whose reading is kept; in memory only


def heads(of: Literal["whole", "token"]) -> dict[str, int]:
    """The questions answered for the whole input, or for each word, and how many numbers each answer has."""
    return _WHOLE if of == "whole" else _TOKEN


def lay_out(task: Task, first: str, second: str) -> Encoded:
    """An input within the limits of its task."""
    return encode(task, first, second, first_max=LIMITS[task][0], tokens_max=LIMITS[task][1])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Networks:
    """What was loaded. The deep ones judge together; without any the small one does."""

    deep: tuple[DeepNetwork, ...]
    small: SmallNetwork
    contrasts: Contrasts

    @property
    def judges(self) -> tuple[ClassifierNetwork, ...]:
        return self.deep or (self.small,)


class BuiltInClassifier:
    """The Classifier port over the packaged networks, loaded at the first question: the deep ones whose published
    weights are given, else the small one. Of statements and messages the deep ones say the mean of what each says, for
    they err in different places; what may be stored and what helps with a turn the first says alone. The small one is
    heard beside them on what is worth keeping of a message and what is chatter. Safe to share between threads."""

    def __init__(
        self, folder: Path | None = None, *, bases: Mapping[str, ModelFile] | None = None, threads: int = 1
    ) -> None:
        self._folder = folder or classifier_folder()
        self._bases = dict(bases or {})
        if not classifier_is_here(self._folder):
            raise ModelUnavailable(
                "the built-in classifier is missing; reinstall nightgarden. Until then rules decide."
            )
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: _Networks | None = None
        self._read = lru_cache(maxsize=READ_AGAIN_MAX)(self._read_message)

    @property
    def deep(self) -> bool:
        return bool(self._open().deep)

    def relate_to(self, newer: str, older: Sequence[str]) -> list[RelationScores]:
        """How one new statement relates to each of several known ones. What may be the same is read the other way round
        as well: the same says the same whichever was told first."""
        read = [(in_english(known, beside=newer).text, in_english(newer, beside=known).text) for known in older]
        inputs = [_pair(known, said) for known, said in read]
        scores = [_softmax(whole["relation"]) for whole, _ in self._run(inputs, _may_relate)]
        if self.deep:
            again = [number for number, score in enumerate(scores) if score[SAME] >= SAME_READ_AGAIN_MIN]
            reverse = self._run([_pair(*reversed(read[number])) for number in again], _may_relate)
            for number, (whole, _) in zip(again, reverse, strict=True):
                scores[number] = _agreed(scores[number], float(_softmax(whole["relation"])[SAME]))
        return [
            RelationScores(**dict(zip(RELATIONS, map(float, score), strict=True)), deep=self.deep) for score in scores
        ]

    def compare_vectors(self, model_name: str, newer: Vector, older: Sequence[Vector]) -> list[VectorScores] | None:
        """The same, from the vectors that an embedding model made of them; None for a model that it does not know."""
        return self._open().contrasts.compare(model_name, newer, older)

    def chatter(self, model_name: str, vector: Vector) -> float | None:
        """Whether a text is chatter, from its vector; log-odds."""
        return self._open().contrasts.chatter(model_name, vector)

    def screen(self, text: str) -> Screening:
        """Whether the text may be stored. What is not English is read as it stands and word by word in English, and the
        mean counts: the one sees the shape of a credential, the other what is said of it."""
        glossed = in_english(text)
        as_it_stands = self._screen(text)
        if not glossed.replaced:
            return as_it_stands
        said = self._screen(glossed.text)
        secret = share_of((_log_odds(as_it_stands.secret) + _log_odds(said.secret)) / 2)
        return replace(as_it_stands, secret=secret, junk=said.junk)

    def _screen(self, text: str) -> Screening:
        """A long text is as bad as its worst window, and as good as its best."""
        windows = list(_windows(Task.WRITE, "", text))
        inputs = [encoded for _, encoded in windows]
        answers = self._run_first(inputs)
        spans: list[tuple[int, int, float]] = []
        classes = []
        for (offset, encoded), (whole, token) in zip(windows, answers, strict=True):
            classes.append(_softmax(whole["screen"]))
            scores = _by_word(_sigmoid(token["secret"][:, 0]), encoded)
            spans += [(offset + a, offset + b, float(s)) for (a, b), s in zip(encoded.spans, scores, strict=True)]
        if not classes:
            return Screening(secret=0.0, junk=1.0, spans=())
        by_both = [_softmax(whole["screen"]) for whole, _ in self._run_all(inputs, answers, voices=1)]
        secret, junk = SCREENS.index("secret"), SCREENS.index("junk")
        return Screening(
            secret=max(float(each[secret]) for each in classes),
            junk=min(float(each[junk]) for each in by_both),
            spans=tuple(spans),
            deep=self.deep,
        )

    def read_message(self, text: str, *, previous: str) -> MessageScores:
        """Word by word, what of a user's message is worth keeping. What was asked a moment ago is not read again: one
        statement is read for its kind, as news and as a part of its message."""
        return self._read(text, previous)

    def _read_message(self, text: str, previous: str) -> MessageScores:
        glossed = in_english(text, beside=previous)
        windows = list(_windows(Task.MESSAGE, in_english(previous).text, glossed.text))
        words: list[WordScores] = []
        keeps = 0.0
        inputs = [encoded for _, encoded in windows]
        read = self._run_all(inputs, self._run(inputs, _may_keep), voices=len(self._open().deep))
        for (offset, encoded), (whole, token) in zip(windows, read, strict=True):
            keeps = max(keeps, float(_sigmoid(whole["keeps"])[0]))
            words += _word_scores(offset, encoded, token)
        return MessageScores(keeps=keeps, words=tuple(_as_told(words, glossed)))

    def read_turn(self, turn: str) -> TurnReading | None:
        """What would help with what the user just said, by the first deep network, as a vector among those of the
        embedding model that it stands on; None without it."""
        networks = self._open().deep
        if not networks:
            return None
        numbers = networks[0].occasion(lay_out(Task.OCCASION, "", in_english(turn).text))
        return TurnReading(model_name=networks[0].model_name, vector=numbers[:-1], nothing=float(numbers[-1]))

    def helps(self, turn: str, memories: Sequence[str]) -> list[float]:
        """How likely each memory helps with what the user just said."""
        said = in_english(turn).text
        known = [in_english(memory, beside=turn).text for memory in memories]
        answers = self._run_first([lay_out(Task.TURN, said, memory) for memory in known])
        return [float(_sigmoid(whole["helps"])[0]) for whole, _ in answers]

    def load(self) -> None:
        """Loads the networks now. Raises ModelDamaged, naming the file, when one cannot be."""
        self._open()

    def _open(self) -> _Networks:
        with self._lock:
            if self._loaded is None:
                self._loaded = _Networks(
                    small=SmallNetwork(self._folder, threads=self._threads),
                    contrasts=Contrasts(self._folder),
                    deep=tuple(
                        DeepNetwork(self._folder / name, base, threads=self._threads)
                        for name, base in self._bases.items()
                    ),
                )
            return self._loaded

    def _run_all(self, inputs: Sequence[Encoded], answers: Sequence[Answer], *, voices: int) -> Sequence[Answer]:
        """The mean of what the deep networks and the small one say, given the mean of so many deep ones."""
        if not self.deep:
            return answers
        return _mean([*voices * [answers], _answers(self._open().small, inputs)])

    def _run_first(self, inputs: Sequence[Encoded]) -> list[Answer]:
        return _answers(self._open().judges[0], inputs)

    def _run(self, inputs: Sequence[Encoded], doubtful: Callable[[Answer], bool]) -> list[Answer]:
        """What the networks that judge say. Where the first is sure that there is nothing to it, no other is asked: it
        mostly is, and each costs as much time as the first."""
        others = self._open().judges[1:]
        answers = self._run_first(inputs)
        asked = [number for number, answer in enumerate(answers) if others and doubtful(answer)]
        voices = [_answers(network, [inputs[number] for number in asked]) for network in others]
        for number, answer in zip(asked, _mean([[answers[number] for number in asked], *voices]), strict=True):
            answers[number] = answer
        return answers


def _answers(network: ClassifierNetwork, inputs: Sequence[Encoded]) -> list[Answer]:
    """For each input the numbers of the whole and of each of its pieces, by question."""
    return [(_named(whole, _WHOLE), _named(token, _TOKEN)) for whole, token in network.run(inputs)]


def _may_relate(answer: Answer) -> bool:
    """Whether two statements may have to do with each other."""
    scores = _softmax(answer[0]["relation"])
    return float(scores[STRANGERS].sum()) < STRANGERS_MIN


def _may_keep(answer: Answer) -> bool:
    """Whether a message may hold something worth keeping."""
    return float(_sigmoid(answer[0]["keeps"])[0]) > NOTHING_MAX


def _mean(voices: Sequence[Sequence[Answer]]) -> list[Answer]:
    """The mean of what several networks say of the same inputs."""
    return [
        (_mean_of([whole for whole, _ in each]), _mean_of([token for _, token in each]))
        for each in zip(*voices, strict=True)
    ]


def _mean_of(answers: Sequence[Mapping[str, Numbers]]) -> dict[str, Numbers]:
    return {name: np.mean([answer[name] for answer in answers], axis=0) for name in answers[0]}


def _pair(known: str, newer: str) -> Encoded:
    return lay_out(Task.PAIR, known, newer)


def _agreed(scores: Numbers, same_reversed: float) -> Numbers:
    """The scores with as much of "same" as both directions agree upon; what is taken from it goes to the rest."""
    same = float(np.sqrt(scores[SAME] * same_reversed))
    rest = np.delete(scores, SAME).sum()
    agreed: Numbers = scores * ((1.0 - same) / max(float(rest), 1e-9))
    agreed[SAME] = same
    return agreed


def _windows(task: Task, first: str, text: str) -> Iterator[tuple[int, Encoded]]:
    """The text in pieces that fit, each with the place it starts at."""
    offset = 0
    for _ in range(WINDOWS_MAX):
        rest = text[offset:]
        if not rest.strip():
            return
        encoded = lay_out(task, first, rest)
        if not encoded.spans:
            return
        yield offset, encoded
        offset += encoded.complete


def _word_scores(offset: int, encoded: Encoded, token: Mapping[str, Numbers]) -> list[WordScores]:
    keep, personal, change = (_by_word(_sigmoid(token[name][:, 0]), encoded) for name in ("keep", "personal", "change"))
    category = _by_word(_softmax(token["category"]), encoded)
    return [
        WordScores(
            start=offset + start,
            end=offset + end,
            keep=float(keep[n]),
            personal=float(personal[n]),
            change=float(change[n]),
            categories=tuple(map(float, category[n])),
        )
        for n, (start, end) in enumerate(encoded.spans)
    ]


def _by_word(values: Numbers, encoded: Encoded) -> Numbers:
    """The mean over each word's pieces."""
    words = np.asarray(encoded.words)
    inside = words >= 0
    counts = np.bincount(words[inside], minlength=len(encoded.spans))
    if values.ndim == 1:
        sums: Numbers = np.bincount(words[inside], weights=values[inside], minlength=len(encoded.spans))
        return sums / counts
    columns = [
        np.bincount(words[inside], weights=values[inside, c], minlength=len(encoded.spans))
        for c in range(values.shape[1])
    ]
    return np.stack(columns, axis=1) / counts[:, None]


def _named(numbers: Numbers, sizes: Mapping[str, int]) -> dict[str, Numbers]:
    answer, start = {}, 0
    for name, size in sizes.items():
        answer[name] = numbers[..., start : start + size]
        start += size
    return answer


def _sigmoid(x: Numbers) -> Numbers:
    return 1.0 / (1.0 + np.exp(-x))


def _softmax(x: Numbers) -> Numbers:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    shares: Numbers = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def _as_told(words: Sequence[WordScores], glossed: Glossed) -> Iterator[WordScores]:
    """The words of the original: one that takes several in English scores their mean."""
    if not glossed.replaced:
        yield from words
        return
    spans = [glossed.original(word.start, word.end) for word in words]
    together: list[tuple[tuple[int, int], list[WordScores]]] = []
    for (start, end), word in zip(spans, words, strict=True):
        if together and start < together[-1][0][1]:
            (first, last), of_one = together[-1]
            together[-1] = ((first, max(last, end)), [*of_one, word])
        else:
            together.append(((start, end), [word]))
    for (start, end), of_one in together:
        yield WordScores(
            start=start,
            end=end,
            keep=fmean(word.keep for word in of_one),
            personal=fmean(word.personal for word in of_one),
            change=fmean(word.change for word in of_one),
            categories=tuple(map(fmean, zip(*(word.categories for word in of_one), strict=True))),
        )


def _log_odds(share: float) -> float:
    return log_odds(share, least=1e-6)
