"""What the people of the replayed year say: templates by kind of fact, remarks nobody needs, tasks. Values only.

`{s}` is what a fact is about, `{v}` its value, `{o}` the value it had before. What is asked shares as few words with
what was told as people's questions do. Not every wording is one that extraction takes: then only a passage knows it.
"""

from __future__ import annotations

from dataclasses import dataclass

PROJECTS: dict[str, tuple[str, ...]] = {
    "atlas": (
        "checkout", "catalog", "search", "login", "invoice", "mail", "coupon", "refund", "stock", "shipping", "review",
        "wishlist", "tax", "gift card", "returns",
    ),
    "lumen": (
        "sync", "push", "camera", "player", "upload", "map", "feed", "chat", "profile", "widget", "onboarding",
        "subscription", "offline", "subtitle", "download",
    ),
    "quarry": (
        "ingest", "crawler", "parser", "dedupe", "scheduler", "exporter", "warehouse", "report", "alerting", "archive",
        "labelling", "sampling", "geocoder", "translation", "audit",
    ),
}  # fmt: skip

_PEOPLE = ("Priya", "Marek", "Ines", "Tomás", "Yuki", "Greta", "Oskar", "Leila", "Bruno", "Noor", "Piet", "Hana")
_PLACES = ("Frankfurt", "Dublin", "Paris", "Oslo", "Milan", "Warsaw", "Madrid", "Zurich", "Lisbon", "Helsinki")
_STORES = ("PostgreSQL", "MySQL", "MongoDB", "DynamoDB", "Cassandra", "MariaDB", "CockroachDB", "ClickHouse")
_DEPLOYS = ("Helm", "Ansible", "Terraform", "Nomad", "ArgoCD", "Fabric", "Kamal", "Pulumi")
_QUEUES = ("RabbitMQ", "Kafka", "NATS", "SQS", "Celery", "Pulsar", "Redis streams", "ZeroMQ")
_TESTS = ("pytest", "Jest", "Playwright", "Cypress", "Vitest", "Robot Framework", "Mocha", "Selenium")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of fact: how it is told at first, told again, changed, and asked for."""

    name: str
    values: tuple[str, ...]
    told: tuple[str, ...]
    changed: tuple[str, ...]
    asked: tuple[str, ...]


KINDS: tuple[Kind, ...] = (
    Kind(
        name="port",
        values=tuple(str(port) for port in range(4100, 9900, 37)),
        told=(
            "the {s} service listens on port {v}",
            "fyi the port of the {s} service is {v}",
            "our {s} service runs on port {v}",
            "remember that {s} is reachable on port {v}",
        ),
        changed=(
            "the {s} service listens on port {v} now",
            "fyi the port of the {s} service is {v} now, no longer {o}",
            "no, the {s} service runs on port {v} since the move",
            "we moved the {s} service from port {o} to {v}",
        ),
        asked=(
            "which port do I connect to for {s}?",
            "what's the port number of the {s} thing again?",
            "I need to curl the {s} service locally, which port?",
        ),
    ),
    Kind(
        name="nightly",
        values=tuple(f"{hour:02d}:{minute:02d}" for hour in range(1, 6) for minute in (5, 15, 20, 35, 40, 50)),
        told=(
            "the nightly {s} job runs at {v}",
            "our {s} batch starts at {v} every night",
            "btw the {s} job is scheduled for {v}",
            "remember: {s} cron fires at {v}",
        ),
        changed=(
            "the nightly {s} job runs at {v} now",
            "the {s} job now starts at {v} instead of {o}",
            "our {s} batch starts at {v} every night from now on",
        ),
        asked=(
            "at what time is the {s} batch started?",
            "when does the nightly {s} run happen?",
            "how early does the cron job for {s} go off?",
        ),
    ),
    Kind(
        name="owner",
        values=_PEOPLE,
        told=(
            "{v} owns the {s} code",
            "{v} is responsible for {s}",
            "{v} maintains the {s} module",
            "questions about {s} go to {v}",
        ),
        changed=(
            "{v} owns the {s} code now",
            "{v} is responsible for {s} now, {o} changed teams",
            "{v} took over {s} from {o}",
            "{v} maintains the {s} module now",
        ),
        asked=(
            "who should review my change to {s}?",
            "whom do I ask about {s}?",
            "who looks after the {s} part?",
        ),
    ),
    Kind(
        name="timeout",
        values=tuple(str(seconds) for seconds in range(3, 95, 4)),
        told=(
            "the {s} timeout is {v} seconds",
            "we use a timeout of {v} seconds for {s} calls",
            "our {s} client gives up after {v} seconds",
            "note that {s} requests time out after {v} seconds",
        ),
        changed=(
            "the {s} timeout is {v} seconds now",
            "we use a timeout of {v} seconds for {s} calls now, {o} was wrong",
            "we changed the {s} timeout from {o} to {v} seconds",
        ),
        asked=(
            "how long do we wait before a {s} request is abandoned?",
            "after how many seconds does a {s} call fail?",
            "what is the time limit of {s}?",
        ),
    ),
    Kind(
        name="database",
        values=_STORES,
        told=(
            "we store {s} data in {v}",
            "the {s} database is {v}",
            "our {s} tables live in {v}",
            "the {s} service uses {v} for its data",
        ),
        changed=(
            "we store {s} data in {v} now, not in {o}",
            "the {s} database is {v} now",
            "we migrated {s} from {o} to {v}",
            "we use {v} for {s} data now instead of {o}",
        ),
        asked=(
            "where does {s} persist its rows?",
            "what kind of storage is behind {s}?",
            "which db engine do I need for {s}?",
        ),
    ),
    Kind(
        name="retention",
        values=tuple(str(days) for days in range(7, 400, 13)),
        told=(
            "we keep {s} logs for {v} days",
            "{s} logs are kept for {v} days",
            "the retention of {s} logs is {v} days",
        ),
        changed=(
            "we keep {s} logs for {v} days now",
            "the retention of {s} logs is {v} days now, it was {o}",
            "legal wants it: {s} logs are kept for {v} days from now on",
        ),
        asked=(
            "when do old {s} log files get deleted?",
            "how many days back can I look into {s} logs?",
            "how long until logs of {s} are gone?",
        ),
    ),
    Kind(
        name="region",
        values=_PLACES,
        told=(
            "the {s} service is hosted in {v}",
            "our {s} servers are in {v}",
            "the {s} cluster lives in {v}",
        ),
        changed=(
            "the {s} service is hosted in {v} now",
            "our {s} servers are in {v} now, {o} was closed",
            "the {s} cluster moved to {v}",
        ),
        asked=(
            "in which data centre does {s} run?",
            "where are the machines of {s} located?",
            "which city hosts {s}?",
        ),
    ),
    Kind(
        name="meeting",
        values=tuple(f"{day} at {time}" for day in _DAYS for time in ("9:00", "9:45", "10:30", "11:00", "14:30")),
        told=(
            "our {s} sync meeting is on {v}",
            "we meet for {s} every {v}",
            "the weekly {s} call is {v}",
        ),
        changed=(
            "our {s} sync meeting is on {v} now",
            "the weekly {s} call is {v} from now on",
            "we moved the {s} meeting to {v}",
        ),
        asked=(
            "when do we talk about {s} each week?",
            "what's the slot for the regular {s} meeting?",
        ),
    ),
    Kind(
        name="deploy",
        values=_DEPLOYS,
        told=(
            "we deploy the {s} service with {v}",
            "the {s} service is deployed with {v}",
            "we use {v} to roll out {s}",
        ),
        changed=(
            "we deploy the {s} service with {v} now",
            "we use {v} to roll out {s} now instead of {o}",
            "the {s} service is deployed with {v} now, no more {o}",
        ),
        asked=(
            "how does a new version of {s} get to production?",
            "what tool do we use for releasing {s}?",
        ),
    ),
    Kind(
        name="queue",
        values=_QUEUES,
        told=(
            "we use {v} as the message queue of {s}",
            "the {s} queue is {v}",
            "our {s} events go through {v}",
        ),
        changed=(
            "we use {v} as the message queue of {s} now",
            "the {s} queue is {v} now",
            "our {s} events go through {v} now, not {o}",
        ),
        asked=(
            "how are {s} events delivered?",
            "what broker does {s} publish to?",
        ),
    ),
    Kind(
        name="tests",
        values=_TESTS,
        told=(
            "we test {s} with {v}",
            "I prefer {v} for the {s} tests",
            "the {s} tests are written in {v}",
        ),
        changed=(
            "we test {s} with {v} now",
            "I prefer {v} for the {s} tests now, {o} was too slow",
            "the {s} tests are written in {v} now",
        ),
        asked=(
            "which framework should a new spec for {s} use?",
            "with what do I write a test for {s}?",
        ),
    ),
    Kind(
        name="workers",
        values=tuple(str(number) for number in range(2, 40, 3)),
        told=(
            "the {s} pool must have at most {v} workers",
            "we run {s} with {v} workers",
            "our {s} needs {v} workers in production",
        ),
        changed=(
            "the {s} pool must have at most {v} workers now",
            "we run {s} with {v} workers now",
            "we raised {s} from {o} to {v} workers",
        ),
        asked=(
            "how many processes may {s} start?",
            "what concurrency is set for {s}?",
        ),
    ),
)

# Said once, needed never; most of them have the form of a fact, so that extraction takes them.
REMARKS: tuple[str, ...] = (
    "our coffee machine is next to the {s} desk {n}",
    "we have {n} plants in the {s} room",
    "the meeting room of the {s} demo is called Orchid {n}",
    "I use the blue mug number {n} for {s} reviews",
    "our mascot for {s} is a hedgehog of {n} grams",
    "remember that the {s} demo had a lovely slide {n} with otters",
    "the {s} poster in the hallway is {n} cm wide",
    "our {s} stickers are on shelf {n}",
    "the song we play after a {s} release is track {n}",
    "I like the {s} drawing that hangs near door {n}",
    "the {s} page feels slow on attempt {n}",
    "our demo of {s} went fine with {n} people",
    "we got {n} mails about the colours of {s}",
    "the {s} retro had {n} notes on the board",
    "my desk is number {n} when I work on {s}",
    "the picture of the {s} team is from row {n}",
)

# Hold for a while, as their words say; {n} makes each its own.
FOR_NOW: tuple[tuple[str, int], ...] = (
    ("just for today use port {n} for {s}", 1),
    ("for today the {s} worker runs on my laptop, slot {n}", 1),
    ("during release week we deploy {s} {m} times a day", 14),
    ("in launch week all {s} changes need {m} approvals", 14),
    ("for this week nobody merges to {s}, ticket {n}", 7),
    ("until friday the {s} test account is demo{n}", 5),
    ("the {s} staging machine is down until thursday, incident {n}", 5),
    ("during the code freeze {s} fixes need {m} signatures", 14),
)

TASKS: tuple[tuple[str, str], ...] = (
    ("run the {s} tests again", "{n} passed in 3.1 s."),
    ("why is the {s} total rounded twice here?", "Because the helper rounds and the caller rounds again, line {n}."),
    ("rename the loop variable in the {s} parser", "Renamed in {m} places."),
    ("add a docstring to the {s} handler please", "Added."),
    ("the {s} build is red, can you have a look?", "A missing import in step {m}. Fixed."),
    ("make the {s} error message friendlier", "It now says what to do next."),
    ("what does this stack trace in {s} mean?", "A None came back from the cache at line {n}."),
    ("split the big {s} function in two", "Done, both halves are under {n} lines."),
    ("can you write a quick script that counts {s} rows?", "Here it is; it found {n} rows."),
    ("undo the last change in {s}", "Reverted."),
    ("bump the copyright year in the {s} header", "Bumped."),
    ("draft a commit message for the {s} change", "Tidy {s}: {m} small fixes."),
    ("is there a shorter way to write this {s} query?", "Use a join; it saves {m} lines."),
    ("ok, looks good, merge {s}", "Merged as #{n}."),
)

NODS: tuple[str, ...] = ("Noted.", "OK.", "Understood.", "Got it.", "Thanks, I will keep to that.", "Good to know.")
