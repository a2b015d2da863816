"""Labelled rows become what the network learns from: laid-out inputs with a target for each question they answer."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from nightgarden.domain.classify import CATEGORIES
from nightgarden.models.classifier import RELATIONS, SCREENS, lay_out
from nightgarden.models.encoding import Encoded, Task
from nightgarden.models.glossary import Glossed, in_english
from nightgarden.recall.query import focus
from nightgarden.remember.extract.clauses import clause_spans
from nightgarden.remember.extract.learned import trimmed
from nightgarden.remember.extract.spans import sentence_spans
from train.as_noted import ALIKE, Asides, noted_pairs, rarities, shared_rarity
from train.corpus import Corpus, Row

CHATTER = {"chatter", "thanks", "status", "vague"}  # messages that are junk as a memory, too
TIMES = 2  # messages, and pairs that belong to no family, are read per epoch: the one are few, the other varied
PART_CHARS_MAX = 700  # of a message, about as much as one input takes
PIECE_GOLD_MIN, PIECE_OWN_MIN = 0.6, 0.8  # of the words of what is to be kept, or of its own, for a piece to be good
SCREENED_SHARE = 0.6  # of messages without a credential that are read for one, per epoch
STORED_SHARE = 0.15  # of statements in pairs and notebooks that are read as good ones to store, per epoch
DERIVED = 2  # pairs between two members of a family, per family and epoch
STRANGERS = 2  # of what was said later of one statement, per epoch, each beside another statement of that writer
TOLD_BESIDE = 2  # earlier statements of the same person beside which one is read, per epoch
NOTED_TIMES, NOTED_BESIDE = 2, 2  # the same of notes, which are what the product compares
NOTED_CLEAN = 0.3  # of notes that are read as the clean statement instead
ASIDE = 0.3  # of statements in pairs that get a question or an aside beside them, as in sessions; of repetitions half
SAID_LATER = ("changes", "same", "narrows", "excepts")
NEGATIVES = 2  # memories of the same garden that do not help, per turn, one of them by shared words
OCCASION_TIMES = 3  # a turn is read alone per epoch: it is held against its whole garden, and costs little
HARD_NEGATIVES, HARDEST = 3, 6  # and so many of the nearest by meaning and occasion
_english = cache(in_english)  # each text is read many times per epoch
NOT_SAME = ("narrows", "compatible", "unrelated")  # two memories of one garden are one of these, nobody said which


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One input. A question that is not in a target mapping has no answer here and is not learned from."""

    task: Task
    encoded: Encoded
    whole: dict[str, tuple[int, ...]] = field(default_factory=dict)  # several numbers: any of them is right
    token: dict[str, tuple[int, ...]] = field(default_factory=dict)  # per word of the second text; -1: not asked
    garden: str = ""  # whose memories an occasion is held against
    helps: tuple[int, ...] = ()  # which of them matter, by their place
    weight: float = 1.0
    glossed: bool = False  # whether it was said in another language, see nightgarden/models/glossary.py


def examples(corpus: Corpus, rng: random.Random) -> list[Example]:
    """Everything that can be learned from a corpus, made anew for each epoch (other negatives, other swaps)."""
    found = [*_turns(corpus, rng), *TIMES * [*_messages(corpus.messages)], *_writes(corpus, rng)]
    found += [piece for row in TIMES * corpus.messages for piece in pieces(row, rng)]
    found += OCCASION_TIMES * occasions(corpus)
    found += [*_pairs(corpus, rng), *_derived(corpus, rng), *_strangers(corpus, rng), *_told(corpus, rng)]
    found += _noted(corpus, rng)
    rng.shuffle(found)
    return found


def message(row: Row) -> Example:
    glossed = _english(row["text"], beside=row["prev"])
    encoded = lay_out(Task.MESSAGE, _english(row["prev"]).text, glossed.text)
    spans = _spans(encoded, glossed)
    size = len(spans)
    keep, category, personal, change = [0] * size, [-1] * size, [-1] * size, [-1] * size
    for kept in row["keep"]:
        start = row["text"].find(kept["from"])
        for number, (left, right) in enumerate(spans):
            if left < start + len(kept["from"]) and right > start:
                keep[number] = 1
                category[number] = CATEGORIES.index(kept["cat"])
                personal[number] = int(kept["whose"] == "me")
                change[number] = int(kept["change"])
    token = {"keep": keep, "category": category, "personal": personal, "change": change}
    return Example(
        task=Task.MESSAGE,
        encoded=encoded,
        whole={"keeps": (int(bool(row["keep"])),)},
        token={name: tuple(values) for name, values in token.items()},
        glossed=bool(glossed.replaced),
    )


def _spans(encoded: Encoded, glossed: Glossed) -> list[tuple[int, int]]:
    """Where the words stand in the text as it was said."""
    return [glossed.original(left, right) for left, right in encoded.spans]


def _messages(rows: Iterable[Row]) -> Iterator[Example]:
    for row in rows:
        for part in parts(row):
            yield message(part)


def parts(row: Row) -> Iterator[Row]:
    """A message as it is read: what is too long for one input in several, each of whole sentences."""
    text = row["text"]
    start = end = 0
    for _, stop in sentence_spans(text) if len(text) > PART_CHARS_MAX else ():
        if end > start and stop - start > PART_CHARS_MAX:
            yield _part(row, start, end)
            start = end
        end = stop
    yield _part(row, start, len(text)) if start else row


def _part(row: Row, start: int, end: int) -> Row:
    places = [(kept, _place(row["text"], kept)) for kept in row["keep"]]
    keep = [kept for kept, (left, right) in places if start <= left and right <= end]
    return {**row, "text": row["text"][start:end], "keep": keep}


def pieces(row: Row, rng: random.Random) -> Iterator[Example]:
    """The sentences of a message, each alone with what was said before it; of half of those that have several clauses,
    some clauses in a row. Extraction reads them alone once more. What overlaps a little with what is to be kept is left
    out: nobody said which it is."""
    text = row["text"]
    places = [_place(text, kept) for kept in row["keep"]]
    for start, end in sentence_spans(text):
        clauses = list(clause_spans(text, start, end))
        if len(clauses) > 1 and rng.random() < 0.5:
            left, right = sorted(rng.choices(range(len(clauses)), k=2))
            start, end = clauses[left][0], clauses[right][1]
        said = trimmed(text[start:end])
        if not said or said == trimmed(text):
            continue
        inside = [
            {**kept, "from": trimmed(text[max(start, left) : min(end, right)])}
            for kept, (left, right) in zip(row["keep"], places, strict=True)
            if left < end and right > start
        ]
        if all(_is_piece_of(kept["from"], said, gold["from"]) for kept, gold in _matched(inside, row["keep"])):
            yield message({**row, "text": said, "prev": text[:start].strip() or row["prev"], "keep": inside})


def _place(text: str, kept: Row) -> tuple[int, int]:
    start = text.find(kept["from"])
    return start, start + len(kept["from"])


def _matched(inside: Sequence[Row], keep: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    for part in inside:
        yield part, next(kept for kept in keep if kept["say"] == part["say"])


def _is_piece_of(shared: str, said: str, gold: str) -> bool:
    """Whether a piece that shares these words with what is to be kept says it, or a part of it and nothing else."""
    count = len(shared.split())
    return count >= PIECE_GOLD_MIN * len(gold.split()) or count >= PIECE_OWN_MIN * len(said.split())


def write(row: Row, glossed: Glossed | None = None) -> Example:
    """As it was said, or in English words; the product asks about both."""
    read = glossed or Glossed(text=row["text"])
    labels = {"lookalike": ("good",), "message": ("good", "junk")}.get(row["label"], (row["label"],))
    encoded = lay_out(Task.WRITE, "", read.text)
    spans = _spans(encoded, read)
    secret = [0] * len(spans)
    for value in row["values"]:
        start = row["text"].find(value)
        for number, (left, right) in enumerate(spans):
            if left < start + len(value) and right > start:
                secret[number] = 1
    return Example(
        task=Task.WRITE,
        encoded=encoded,
        whole={"screen": tuple(map(SCREENS.index, labels))},
        token={"secret": tuple(secret)},
        glossed=bool(read.replaced),
    )


def _written(row: Row) -> Iterator[Example]:
    yield write(row)
    if (glossed := _english(row["text"])).replaced:
        yield write(row, glossed)


def _writes(corpus: Corpus, rng: random.Random) -> Iterator[Example]:
    for row in corpus.writes:
        yield from _written(row)
    statements = dict.fromkeys(text for row in corpus.pairs for text in (row["a"], row["b"]))
    for text in (*statements, *(row["text"] for rows in corpus.told.values() for row in rows)):
        if rng.random() < STORED_SHARE:
            yield from _written({"text": text, "label": "good", "values": []})
    for row in corpus.messages:
        if row["why"] != "secret" and rng.random() < SCREENED_SHARE:
            yield from _written({"text": row["text"], "label": "message", "values": []})
        if row["why"] in CHATTER and len(row["text"].split()) <= 25 and rng.random() < 0.5:
            yield from _written({"text": row["text"], "label": "junk", "values": []})
        for kept in row["keep"]:
            if rng.random() < 0.5:
                yield from _written({"text": kept["say"], "label": "good", "values": []})


def pair(a: str, b: str, *relations: str, weight: float = 1.0) -> Example:
    older, newer = _english(a, beside=b), _english(b, beside=a)
    return Example(
        task=Task.PAIR,
        encoded=lay_out(Task.PAIR, older.text, newer.text),
        whole={"relation": tuple(RELATIONS.index(name) for name in relations)},
        weight=weight,
        glossed=bool(older.replaced or newer.replaced),
    )


def _pairs(corpus: Corpus, rng: random.Random) -> Iterator[Example]:
    alone = [row for row in corpus.pairs if "family" not in row]
    asides = Asides.of(corpus)
    for row in (*corpus.pairs, *(TIMES - 1) * alone):
        a, b = row["a"], row["b"]
        if row["rel"] in ("same", "compatible", "unrelated") and rng.random() < 0.5:
            a, b = b, a
        share = ASIDE / 2 if row["rel"] == "same" else ASIDE
        yield pair(
            *(asides.beside(each, row["w"], rng) if rng.random() < share else each for each in (a, b)), row["rel"]
        )
        if rng.random() < 0.04:
            yield pair(a, a, "same", weight=0.5)
        swapped = _with_another_number(a, rng)
        if swapped and rng.random() < 0.25:
            yield pair(a, swapped, "changes", weight=0.5)
    for row in corpus.messages:
        for kept in row["keep"]:
            if rng.random() < 0.3 and len(kept["from"].split()) > 3:
                yield pair(*rng.sample((kept["say"], kept["from"]), 2), "same", weight=0.5)
    for garden in corpus.gardens.values():
        texts = [row["text"] for row in garden.values()]
        for text in texts:
            for other in _near(text, texts, 2, rng):
                yield pair(text, other, *NOT_SAME, weight=0.5)
    yield from _said_elsewhere(corpus, rng)


def _said_elsewhere(corpus: Corpus, rng: random.Random) -> Iterator[Example]:
    """What one person said in two messages, as said and not as a clean statement: two different things."""
    said: dict[str, list[str]] = defaultdict(list)
    for row in corpus.messages:
        said[row["w"]] += [kept["from"] for kept in row["keep"] if "id" not in kept]  # in a history things may relate
    for texts in said.values():
        for text in texts if len(texts) > 1 else ():
            other = rng.choice(_near(text, texts, 2, rng))
            yield pair(text, other, *NOT_SAME, weight=0.5)


def _derived(corpus: Corpus, rng: random.Random) -> Iterator[Example]:
    """Pairs that follow from a family, the relations of several statements to one: what says the same as the old
    statement stands to the rest as it does, and a changed value is outdated when the old one is told again."""
    families: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in corpus.pairs:
        if "family" in row:
            families[row["w"], row["family"]].append(row)
    for rows in families.values():
        first, others = rows[0]["a"], [row for row in rows if row["rel"] != "same"]
        same = [row["b"] for row in rows if row["rel"] == "same"]
        found = [pair(one, other, "same") for one in same for other in same if one != other]
        found += [pair(one, row["b"], row["rel"]) for one in same for row in others]
        found += [pair(row["b"], old, "changes") for row in rows if row["rel"] == "changes" for old in (first, *same)]
        yield from rng.sample(found, min(DERIVED, len(found)))


def _strangers(corpus: Corpus, rng: random.Random) -> Iterator[Example]:
    """What was said later, beside known statements that it is not about: a sentence that tells of a change reads like
    one beside any other. In the product each new statement is held against several known ones, most of them such."""
    by_writer: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row in corpus.pairs:
        if row["rel"] in SAID_LATER and "told" not in row:
            by_writer[row["w"]][row["a"]].append(row["b"])
    for known in by_writer.values():
        weights = rarities(known)
        for about, later in known.items():
            others = [each for each in known if each != about]
            for text in rng.sample(later, min(STRANGERS, len(later))):
                alike = sorted(others, key=lambda each: -shared_rarity(each, text, weights))[:ALIKE]
                if alike:
                    stranger = rng.choice(alike) if rng.random() < 0.7 else rng.choice(others)
                    yield pair(stranger, text, "compatible", "unrelated", weight=0.7)


def _told(corpus: Corpus, rng: random.Random) -> Iterator[Example]:
    """Each statement of a year beside earlier ones of the same person that it neither repeats nor changes, mostly the
    likest; and what follows from its relation to an earlier one for whatever says the same as that."""
    for rows in corpus.told.values():
        same: dict[object, list[Row]] = defaultdict(list)
        for row, others in beside(rows):
            if "rel" in row and row["rel"] != "compatible":
                for other in same[row["of"]]:
                    yield pair(_as_said(other, rng), _as_said(row, rng), row["rel"])
            if row.get("rel") == "same":
                same[row["n"]] = same[row["of"]]
            same[row["n"]].append(row)
            for _ in range(TOLD_BESIDE if others else 0):
                stranger = rng.choice(others[:ALIKE] if rng.random() < 0.7 else others)
                yield pair(_as_said(stranger, rng), _as_said(row, rng), "compatible", "unrelated", weight=0.7)


def _noted(corpus: Corpus, rng: random.Random) -> Iterator[Example]:
    """What the product noted of sessions, each note beside earlier ones."""
    for book, notes in NOTED_TIMES * [*corpus.notes.items()]:
        told = corpus.told[f"{book}/history"]
        for older, newer, relations, weight in noted_pairs(notes, told, rng, strangers=NOTED_BESIDE, clean=NOTED_CLEAN):
            yield pair(older, newer, *relations, weight=weight)


def beside(rows: Sequence[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """Each statement that was told, with the earlier ones that it has nothing to do with, the likest by words first."""
    matter: dict[object, object] = {}  # which statements belong together; nothing is said of two of those
    weights = rarities(row["text"] for row in rows)
    for number, row in enumerate(rows):
        matter[row["n"]] = matter[row["of"]] if "rel" in row else row["n"]
        others = [each for each in rows[:number] if matter[each["n"]] != matter[row["n"]]]
        yield row, sorted(others, key=lambda each: -shared_rarity(each["text"], row["text"], weights))


def _as_said(row: Row, rng: random.Random) -> str:
    """The statement, or the words of the message that said it: what is read out of sessions is seldom clean."""
    text: str = row["said"] if "said" in row and rng.random() < 0.5 else row["text"]
    return text


def _with_another_number(text: str, rng: random.Random) -> str:
    """The text with one of its digits changed; empty when it has none."""
    places = [index for index, character in enumerate(text) if character in "0123456789"]
    if not places:
        return ""
    place = rng.choice(places)
    digit = rng.choice([d for d in "123456789" if d != text[place]])
    return text[:place] + digit + text[place + 1 :]


def turn(row: Row, memory: str, *, helps: bool, weight: float = 1.0) -> Example:
    said = f"{row['prev']} {row['turn']}" if row["prev"] else row["turn"]
    glossed = _english(said)
    return Example(
        task=Task.TURN,
        encoded=lay_out(Task.TURN, glossed.text, _english(memory, beside=said).text),
        whole={"helps": (int(helps),)},
        weight=weight,
        glossed=bool(glossed.replaced),
    )


def occasion(row: Row, garden: Mapping[int, Row]) -> Example:
    """A turn alone; which memories of the garden it needs."""
    place = {number: at for at, number in enumerate(garden)}
    glossed = _english(focus(row["turn"])[0])
    return Example(
        task=Task.OCCASION,
        encoded=lay_out(Task.OCCASION, "", glossed.text),
        garden=row["w"],
        helps=tuple(place[number] for number in row["helps"] if number in place),
        glossed=bool(glossed.replaced),
    )


def occasions(corpus: Corpus) -> list[Example]:
    """Every turn whose needs are known."""
    known = [row for row in corpus.turns if row["w"] in corpus.vectors and (row["helps"] or "not" not in row)]
    return [occasion(row, corpus.gardens[row["w"]]) for row in known]


def _turns(corpus: Corpus, rng: random.Random) -> Iterator[Example]:
    for row in corpus.turns:
        garden = corpus.gardens[row["w"]]
        for number in row.get("not", ()):
            yield turn(row, garden[number]["text"], helps=False, weight=1.5)
        if "not" in row:
            continue  # of the other memories nobody said whether they help
        for number in row["helps"]:
            yield turn(row, garden[number]["text"], helps=True, weight=1.5)
        others = {number: memory["text"] for number, memory in garden.items() if number not in row["helps"]}
        nearest = [number for number in corpus.nearest.get((row["w"], row["turn"]), ()) if number in others][:HARDEST]
        hard = [others.pop(number) for number in rng.sample(nearest, min(HARD_NEGATIVES, len(nearest)))]
        for text in (*hard, *_near(row["turn"], list(others.values()), NEGATIVES, rng)):
            yield turn(row, text, helps=False)


def _near(text: str, others: list[str], count: int, rng: random.Random) -> list[str]:
    """Half of them those that share most words with the text, half at random."""
    bag = set(text.lower().split())
    ranked = sorted((o for o in others if o != text), key=lambda other: -len(bag & set(other.lower().split())))
    near, rest = ranked[: count - count // 2], ranked[count - count // 2 :]
    return [*near, *rng.sample(rest, min(count // 2, len(rest)))]
