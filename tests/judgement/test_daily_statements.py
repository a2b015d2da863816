"""What becomes of statements as people make them day by day, with the shipped classifier and the local model."""

from __future__ import annotations

from pathlib import Path

import pytest

from nightgarden import Garden
from nightgarden.domain.verdict import Flagged, Refused, Reinforced, Saved, Superseded, Verdict
from nightgarden.models.classifier_files import FOLDER_VARIABLE
from nightgarden.remember.refuse import NOT_LASTING
from nightgarden.settings import Settings
from tests.conftest import Ticking

# A narrower permission, a qualifier that the known one lacks, or a change of something else ends no rule.
KEPT_BESIDE = (
    ("Never push directly to main", "You may push directly to main for docs-only changes"),
    ("Never deploy on Fridays", "Deploying on Fridays is fine for hotfixes"),
    ("We have three environments: dev, staging, prod", "we upgraded prod to postgres 16.2 last night"),
    ("UI strings live in i18n/, never hard-code them", "we dropped Svelte for the admin UI, it's React now"),
    ("Max upload size is 50 MB", "Max upload size for avatars is 2 MB"),
    ("The retry limit is 5", "Retry limit for webhooks is 10"),
    ("Line length is 120", "In the docs folder the line length is 80"),
    ("Wir haben beschlossen, das Monorepo zu behalten", "Wir haben das Monorepo doch aufgeteilt"),
    ("Priya is the PM of the payments team; demos on Thursdays", "Priya moved the demos to Wednesdays"),
    ("Our designer is Mateo, he works in Figma and is off on Fridays", "Mateo is off on Mondays"),
    ("The design is described in docs/architecture.md", "See docs/guide.md for the architecture"),
    ("Max upload size for avatars is 2 MB", "max upload size is now 50 MB"),
    ("The staging bucket is called foo-stage", "The staging database now listens on 5440"),
    ("Staging deploys happen automatically", "staging logs are kept in Loki now"),
    ("Invoices are due after 14 days", "We have 30 invoices now"),
    ("Code freeze from December 12 to January 3", "Code freeze starts December 15"),
)
REPLACED = (
    ("CI has 4 self-hosted runners", "we have 6 runners now"),
    ("We use Node 20", "Node is now 22.3"),
    ("Anna reviews everything under payments/", "Anna left; Tomas reviews payments/ now"),
    ("The config loader is in src/config.ts", "the config loader moved to src/settings/load.ts"),
    ("El backend usa Java 17", "Ahora el backend usa Java 21"),
    ("Backups are kept for 30 days", "backup retention is 90 days now"),
    ("The office is in Hamburg", "we moved the office to Berlin"),
    ("We use Stripe for payments", "we switched from Stripe to Adyen"),
    ("Terraform is owned by Marek", "Terraform is now owned by Lena"),
    ("The frontend is Vue", "the frontend is React now"),
    ("Standup is at 9:30", "standup moved to 10"),
    ("The docs live in Confluence", "our docs moved to Notion"),
    ("My working hours are 8 to 16", "I work from 9 to 17 now"),
    ("Our SLA is 99.9 % uptime", "SLA is now 99.95%"),
)
REPEATED = (
    ("The retry limit is 5", "retry limit is 5"),
    ("Every migration must have a down script", "Each migration needs a down script"),
    ("SMS goes out through Twilio", "Twilio delivers our text messages"),
    ("Deploys go out on Tuesdays", "we ship on Tuesdays"),
    ("Backups are kept for 30 days", "we keep backups for thirty days"),
)
# Alone most of them say too little, and are refused where nothing is known of the matter.
OVER = (
    ("We chat on Slack", "Slack is gone"),
    ("Wir chatten über Slack", "Slack ist weg"),
    ("El servidor de staging es tucan", "El servidor tucan ya no existe"),
    ("Ich trinke keinen Kaffee", "Ich trinke wieder Kaffee"),
)
CHATTER = (
    ("CI runs on Jenkins", "CI is red again"),
    ("We deploy on Tuesdays", "deploy is done now"),
    ("Tests run with pytest", "tests are green now"),
    ("Nous utilisons Slack", "Slack, c'est fini"),  # not surely enough
)


@pytest.fixture
async def garden(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.delenv(FOLDER_VARIABLE)
    async with Garden.open(tmp_path / "garden.db", settings=Settings(), clock=Ticking(), directory=tmp_path) as made:
        yield made


async def become(garden: Garden, known: str, said: str) -> Verdict:
    assert isinstance(await garden.remember(known), Saved)
    await garden.settle()  # until it can be found by meaning
    return await garden.remember(said)


@pytest.mark.parametrize(("known", "said"), KEPT_BESIDE)
async def test_an_exception_or_another_change_ends_no_rule(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Flagged | Saved)
    assert known in [memory.content for memory in await garden.list()]


@pytest.mark.parametrize(("known", "said"), REPLACED)
async def test_a_change_in_passing_replaces_what_it_ends(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Superseded)


@pytest.mark.parametrize(("known", "said"), REPEATED)
async def test_a_repeat_in_other_words_is_known(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Reinforced)


@pytest.mark.parametrize(("known", "said"), OVER)
async def test_what_is_over_ends_what_is_known_of_it(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Superseded)


@pytest.mark.parametrize("said", [OVER[1][1]])
async def test_what_is_over_says_nothing_where_nothing_is_known_of_it(garden: Garden, said: str) -> None:
    verdict = await garden.remember(said)
    assert isinstance(verdict, Refused)
    assert verdict.rule is NOT_LASTING


@pytest.mark.parametrize(("known", "said"), CHATTER)
async def test_chatter_ends_nothing(garden: Garden, known: str, said: str) -> None:
    assert isinstance(await become(garden, known, said), Refused)
    assert known in [memory.content for memory in await garden.list()]
