"""Pictures, videos and GIFs: offered only with switch, server, model and budget; the text goes in any case."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from nightgarden.errors import ModelUnavailable
from nightgarden.initiative.media.make import Videos, offered
from nightgarden.initiative.thoughts import MediaKind
from nightgarden.settings.initiative import InitiativeDiscoverySettings
from tests.initiative.conftest import Mind, OpenTown, decide, make_settings
from tests.initiative.web_server import Site, web_server

PNG = b"\x89PNG\r\n\x1a\n" + b"x" * 20
FULL: dict[str, Any] = {
    "image_url": "http://i.example/v1", "allowed_image_models": ("painter",), "video_url": "http://v.example/v1",
    "allowed_video_models": ("filmer",), "gif_url": "http://g.example/v1",
}  # fmt: skip


@pytest.fixture
def site() -> Iterator[Site]:
    with web_server() as served:
        yield served


@pytest.mark.parametrize(
    ("more", "made", "kinds"),
    [
        ({}, {}, {"image", "video", "gif"}),
        ({"allow_image_posts": False, "allow_reply_gifs": False}, {}, {"video"}),
        ({"allowed_image_models": (), "allowed_video_models": ()}, {}, {"gif"}),
        ({"image_url": "", "gif_url": ""}, {}, {"video"}),
        ({"max_videos_per_day": 0}, {}, {"image", "gif"}),
        ({}, {"image": 10, "gif": 60}, {"video"}),
    ],
)
def test_what_is_offered(more: dict[str, Any], made: dict[str, int], kinds: set[str]) -> None:
    assert set(offered(InitiativeDiscoverySettings(**(FULL | more)), made, {})) == kinds


def test_nothing_is_offered_by_default() -> None:
    assert offered(InitiativeDiscoverySettings(), {}, {}) == {}


async def test_a_picture_goes_with_the_post_and_counts_against_the_budget(site: Site, open_town: OpenTown) -> None:
    body = json.dumps({"data": [{"b64_json": base64.b64encode(PNG).decode()}]})
    site.serve("/v1/images/generations", body, "application/json")
    settings = make_settings(
        text={"min_minutes_between_posts": 1},
        discovery={
            "image_url": f"{site.url}/v1", "allowed_image_models": ("painter",), "max_images_per_day": 1,
            "media_key_env": "PAINT_KEY",
        },
    )  # fmt: skip
    texts = iter(["first", "second"])
    mind = Mind(lambda _: decide("post_now", next(texts), media_directive="image", media_prompt="a fern"))
    async with open_town(settings=settings, mind=mind, env={"PAINT_KEY": "k123"}) as town:
        await town.initiative.tick()
        assert "image (1 left today)" in mind.prompts[0]
        town.clock.pass_(minutes=2)
        await town.initiative.tick()
        assert "Media you may ask for: none" in mind.prompts[1]
        first, second = town.chat.sent.values()
        assert first.attachment is not None
        assert first.attachment.content == PNG
        assert second.attachment is None
        [(_, headers, sent)] = site.requests
        assert headers["Authorization"] == "Bearer k123"
        assert json.loads(sent) == {"model": "painter", "prompt": "a fern", "n": 1, "response_format": "b64_json"}


@pytest.mark.parametrize(
    "answer", ["{}", '{"data": []}', '{"data": [{"b64_json": "bm90IGEgcGljdHVyZQ=="}]}', "no json"]
)
async def test_a_picture_that_cannot_be_made_leaves_the_text(site: Site, open_town: OpenTown, answer: str) -> None:
    site.serve("/v1/images/generations", answer, "application/json")
    settings = make_settings(discovery={"image_url": f"{site.url}/v1", "allowed_image_models": ("painter",)})
    mind = Mind(lambda _: decide("post_now", "words", media_directive="image", media_prompt="a fern"))
    async with open_town(settings=settings, mind=mind) as town:
        await town.initiative.tick()
        [sent] = town.chat.sent.values()
        assert (sent.text, sent.attachment) == ("words", None)
        assert "initiative_failed" in await town.acts()


async def test_a_gif_becomes_a_link(site: Site, open_town: OpenTown) -> None:
    found = {"data": [{"images": {"original": {"url": "https://gifs.example/frog.gif?utm_source=x"}}}]}
    site.serve("/v1/gifs/search", json.dumps(found), "application/json")
    settings = make_settings(discovery={"gif_url": f"{site.url}/v1", "gif_key_env": "GIF"})
    mind = Mind(lambda _: decide("post_now", "ribbit", media_directive="gif", media_prompt="frog"))
    async with open_town(settings=settings, mind=mind, env={"GIF": "g1"}) as town:
        await town.initiative.tick()
        assert town.chat.texts == ["ribbit\nhttps://gifs.example/frog.gif"]
        assert "api_key=g1" in site.requests[0][0]
        assert "rating=g" in site.requests[0][0]


async def test_a_video_is_waited_for_and_given_up_when_the_server_does(site: Site) -> None:
    states = iter(["in_progress", "completed"])
    site.serve("/v1/videos", '{"id": "job1", "status": "queued"}', "application/json")
    site.serve("/v1/videos/job1/content", b"film", "video/mp4")

    async def pause(_: float) -> None:
        site.serve("/v1/videos/job1", json.dumps({"id": "job1", "status": next(states)}), "application/json")

    made = await Videos(url=f"{site.url}/v1", model="filmer", headers={}, pause=pause).make("rain")
    assert made.attachment is not None
    assert (made.attachment.content, made.attachment.content_type) == (b"film", "video/mp4")
    site.serve("/v1/videos", '{"id": "job2", "status": "failed"}', "application/json")
    with pytest.raises(ModelUnavailable):
        await Videos(url=f"{site.url}/v1", model="filmer", headers={}, pause=pause).make("rain")


async def test_media_that_is_not_offered_is_not_made(open_town: OpenTown) -> None:
    mind = Mind(lambda _: decide("post_now", "words", media_directive="video", media_prompt="rain"))
    async with open_town(mind=mind) as town:
        await town.initiative.tick()
        [sent] = town.chat.sent.values()
        assert sent.attachment is None
        assert MediaKind.VIDEO not in await town.initiative.presence.media_left()


async def test_a_picture_is_made_and_paid_for_once_however_often_it_is_tried(site: Site, open_town: OpenTown) -> None:
    picture = base64.b64encode(PNG).decode()
    site.serve("/v1/images/generations", json.dumps({"data": [{"b64_json": picture}]}), "application/json")
    discovery = {"image_url": f"{site.url}/v1", "allowed_image_models": ("painter",)}
    mind = Mind(lambda _: decide("post_now", "Look.", media_directive="image", media_prompt="a tulip"))
    async with open_town(settings=make_settings(discovery=discovery), mind=mind) as town:
        await town.initiative.presence.learn_channels()
        town.chat.down = True
        for _ in range(5):
            await town.initiative.tick()
            town.clock.pass_(minutes=1)
        town.chat.down = False
        await town.initiative.tick()
        (message,) = town.chat.sent.values()
        assert message.attachment is not None
        assert len(site.requests) == 1
