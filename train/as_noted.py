"""What statements look like once they were noted in sessions: something stands beside them. Pure."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from nightgarden.remember.extract.spans import sentence_spans
from train.corpus import Corpus, Row, writers

ASIDE_WORDS = (3, 14)
ALIKE = 4  # strangers are mostly taken from so many of the likest


@dataclass(frozen=True, slots=True, kw_only=True)
class Asides:
    """What stands beside statements in sessions: the assistant's questions and the user's passing words, by language.
    A note has some of them left in it, and says the same with and without."""

    questions: Mapping[str, Sequence[str]]
    passing: Mapping[str, Sequence[str]]
    languages: Mapping[str, str]  # by writer

    @classmethod
    def of(cls, corpus: Corpus) -> Asides:
        languages = {w: row["language"] for w, row in writers().items()}
        questions, passing = defaultdict(list), defaultdict(list)
        for row in corpus.messages:
            language = languages.get(row["w"], "en")
            asked = [row["prev"][start:end] for start, end in sentence_spans(row["prev"])][-1:]
            questions[language] += [each for each in asked if each.endswith("?") and _is_aside(each)]
            if not row["keep"] and row["why"] != "secret":
                said = (row["text"][start:end] for start, end in sentence_spans(row["text"]))
                passing[language] += [each for each in said if _is_aside(each)]
        return cls(questions=questions, passing=passing, languages=languages)

    def beside(self, text: str, writer: str, rng: random.Random) -> str:
        language = self.languages.get(writer, "en")
        questions, passing = self.questions.get(language), self.passing.get(language)
        if not questions or not passing:
            return text
        form = rng.randrange(4)
        if form == 0:
            return f"{rng.choice(questions)} {text}"
        aside = rng.choice(passing).rstrip(".!")
        if form == 1:
            return f"{aside}{rng.choice(('.', ',', ':'))} {text}"
        return f"{text.rstrip('.')}{rng.choice(('.', ','))} {aside}"


def _is_aside(text: str) -> bool:
    least, most = ASIDE_WORDS
    return least <= len(text.split()) <= most


def noted_pairs(
    notes: Sequence[Row], told: Sequence[Row], rng: random.Random, *, strangers: int, clean: float = 0.0
) -> Iterator[tuple[str, str, tuple[str, ...], float]]:
    """An older note, a newer one, how they relate, and a weight."""
    rows, groups = {row["n"]: row for row in told}, related(told)
    matter: dict[object, object] = {}
    for row in told:
        matter[row["n"]] = matter[row["of"]] if "rel" in row else row["n"]
    weights = rarities(note["text"] for note in notes)

    def read(note: Row, id: object) -> str:
        text: str = rows[id]["text"] if rng.random() < clean else note["text"]
        return text

    for number, newer in enumerate(notes):
        about = {matter[id] for id in newer["says"]}
        earlier = [each for each in notes[:number] if each["text"] != newer["text"]]
        for id in newer["says"]:
            if id not in groups:
                continue
            relation, before = groups[id]
            for older in earlier:
                shared = [each for each in older["says"] if each in before]
                if shared and id not in older["says"]:
                    yield read(older, shared[0]), read(newer, id), (relation,), 1.0
        others = [each for each in earlier if not about & {matter[id] for id in each["says"]}]
        if not newer["says"] or not others:
            continue
        alike = sorted(others, key=lambda each: -shared_rarity(each["text"], newer["text"], weights))[:ALIKE]
        for _ in range(strangers):
            stranger = rng.choice(alike if rng.random() < 0.7 else others)
            yield stranger["text"], newer["text"], ("compatible", "unrelated"), 0.7


def related(told: Sequence[Row]) -> dict[object, tuple[str, set[object]]]:
    """Of each statement that has to do with earlier ones: how, and with which, all of which say one thing."""
    same: dict[object, set[object]] = {}  # by each of them
    found = {}
    for row in told:
        if "rel" in row:
            found[row["n"]] = (row["rel"], set(same[row["of"]]))
        same[row["n"]] = same[row["of"]] if row.get("rel") == "same" else set()
        same[row["n"]].add(row["n"])
    return found


def rarities(texts: Iterable[str]) -> dict[str, float]:
    bags = [set(text.lower().split()) for text in texts]
    counts = Counter(word for bag in bags for word in bag)
    return {word: math.log(len(bags) / count) for word, count in counts.items()}


def shared_rarity(one: str, other: str, weights: Mapping[str, float]) -> float:
    common = set(one.lower().split()) & set(other.lower().split())
    return sum(weights.get(word, 0.0) for word in common)
