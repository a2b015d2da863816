"""The tools of one thought or reply: looking something up, searching the community's memory, looking after the feeds.

All of them read, but for the list of sources, which has its own limits. Pages are read only at addresses that the model
was shown in this conversation: one that it was talked into making up, with somebody's words in it, is refused. Calls
are counted; what a tool gives back is quoted as outside text.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from nightgarden.domain.conversation import ToolAnswer, ToolCall, ToolSpec
from nightgarden.domain.memory import Scope
from nightgarden.errors import BadInput, NightgardenError
from nightgarden.garden import Garden
from nightgarden.initiative.chat_prompt import quoted
from nightgarden.initiative.feeds.addresses import RefusedAddress, canonical
from nightgarden.initiative.feeds.collect import FAMILIES, listed
from nightgarden.initiative.feeds.items import check_value
from nightgarden.initiative.initiative_documents import SOURCE, Act, AddedSource, LoggedAction, Stored, source_key
from nightgarden.initiative.web_search import SearchServer, SearXNG, read_page
from nightgarden.settings.initiative import InitiativeSettings

MEMORIES_MAX = 5
Run = Callable[[Mapping[str, Any]], Awaitable[str]]


def _object(**properties: Any) -> dict[str, Any]:
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


_TEXT = {"type": "string"}
_FAMILY = {"type": "string", "enum": list(FAMILIES)}
SPECS = {
    spec.name: spec
    for spec in (
        ToolSpec(name="web_search", description="Searches the web.", parameters=_object(query=_TEXT)),
        ToolSpec(
            name="web_scrape",
            description="Reads the text of one page whose address you were shown.",
            parameters=_object(url=_TEXT),
        ),
        ToolSpec(
            name="browser_browse",
            description="Opens a page whose address you were shown and lists its links, to follow them.",
            parameters=_object(url=_TEXT),
        ),
        ToolSpec(
            name="memory_search",
            description="Searches what is remembered about this community.",
            parameters=_object(query=_TEXT),
        ),
        ToolSpec(name="discovery_source_list", description="Lists your feeds.", parameters=_object()),
        ToolSpec(
            name="discovery_source_add",
            description="Adds a feed: a subreddit, an RSS address, a YouTube channel id, or an account on X.",
            parameters=_object(source_type=_FAMILY, value=_TEXT),
        ),
        ToolSpec(
            name="discovery_source_remove",
            description="Removes a feed.",
            parameters=_object(source_type=_FAMILY, value=_TEXT),
        ),
    )
}


def offered_tools(settings: InitiativeSettings, *, search: bool) -> list[str]:
    """The names of the tools that the settings allow."""
    if settings.text.max_tool_calls == 0 or settings.text.max_tool_steps == 0:
        return []
    names = []
    if settings.text.allow_active_curiosity:
        names += ["web_search"] if search else []
        names += ["web_scrape", "browser_browse"]
    names.append("memory_search")
    if settings.discovery.allow_self_curation:
        names += ["discovery_source_list", "discovery_source_add", "discovery_source_remove"]
    return names


@dataclass(slots=True, kw_only=True)
class ChatTools:
    """The toolbox of one conversation. Closed when the calls are used up."""

    garden: Garden
    stored: Stored
    settings: InitiativeSettings
    scopes: tuple[Scope, ...]  # what memory_search may see: this community, these channels
    known_urls: set[str]  # addresses that the model was shown
    new_id: Callable[[datetime], str]
    search: SearchServer | None
    calls: int = 0
    closed: bool = False
    used: list[str] = field(default_factory=list)

    @property
    def specs(self) -> Sequence[ToolSpec]:
        return [SPECS[name] for name in offered_tools(self.settings, search=self.search is not None)]

    async def call(self, call: ToolCall) -> ToolAnswer:
        if self.closed or self.calls >= self.settings.text.max_tool_calls:
            self.closed = True
            return ToolAnswer(text="No more tool calls: answer with your decision now.", failed=True)
        self.calls += 1
        self.used.append(call.name)
        runs: dict[str, Run] = {
            "web_search": self._web_search,
            "web_scrape": self._web_scrape,
            "browser_browse": self._browse,
            "memory_search": self._memory_search,
            "discovery_source_list": self._source_list,
            "discovery_source_add": self._source_add,
            "discovery_source_remove": self._source_remove,
        }
        if call.name not in {spec.name for spec in self.specs}:
            return ToolAnswer(text=f"There is no tool {call.name[:60]!r}.", failed=True)
        if call.malformed:
            return ToolAnswer(text=f"The arguments cannot be read: {call.malformed[:200]}", failed=True)
        try:
            return ToolAnswer(text=await runs[call.name](call.arguments))
        except NightgardenError as error:
            return ToolAnswer(text=f"That did not work: {error}", failed=True)

    async def _web_search(self, arguments: Mapping[str, Any]) -> str:
        assert self.search is not None
        found = await self.search.search(_argument(arguments, "query"))
        self.known_urls |= {each.url for each in found}
        lines = [f"{each.url}\n{quoted(each.title)}\n{quoted(each.summary)}" for each in found]
        return "\n".join(lines) or "Nothing was found."

    async def _web_scrape(self, arguments: Mapping[str, Any]) -> str:
        page = await read_page(self._known(arguments), allow_loopback=self.settings.discovery.allow_loopback)
        return "\n".join([quoted(page.title), *_lines(page.text)])

    async def _browse(self, arguments: Mapping[str, Any]) -> str:
        page = await read_page(self._known(arguments), allow_loopback=self.settings.discovery.allow_loopback)
        self.known_urls |= {address for _, address in page.links}
        links = [f"{address}\n{quoted(words)}" for words, address in page.links]
        return "\n".join([quoted(page.title), *_lines(page.text)[:4], "Links:", *links])

    def _known(self, arguments: Mapping[str, Any]) -> str:
        try:
            url = canonical(_argument(arguments, "url"))
        except RefusedAddress as error:
            raise BadInput(str(error)) from None
        if url not in self.known_urls:
            raise BadInput("only addresses that you were shown in this conversation can be read")
        return url

    async def _memory_search(self, arguments: Mapping[str, Any]) -> str:
        found = await self.garden.recall(_argument(arguments, "query"), scope=self.scopes, limit=MEMORIES_MAX)
        return "\n".join(quoted(result.content) for result in found.results) or "Nothing is remembered about that."

    async def _source_list(self, _: Mapping[str, Any]) -> str:
        values = listed(self.settings.discovery, await self.stored.all(SOURCE))
        lines = [f"{family}: {value}" for family, each in values.items() for value in each]
        return "\n".join(lines) or "There are no feeds."

    async def _source_add(self, arguments: Mapping[str, Any]) -> str:
        family, value = self._source(arguments)
        known = listed(self.settings.discovery, await self.stored.all(SOURCE))[family]
        if value in known:
            return "It is there already."
        if len(known) >= self.settings.discovery.max_sources_per_type:
            raise BadInput(f"there are {len(known)} {family} sources already; remove one first")
        await self._put_source(family, value, removed=False)
        return "Added."

    async def _source_remove(self, arguments: Mapping[str, Any]) -> str:
        family, value = self._source(arguments)
        if value not in listed(self.settings.discovery, await self.stored.all(SOURCE))[family]:
            raise BadInput("there is no such source")
        await self._put_source(family, value, removed=True)
        return "Removed."

    def _source(self, arguments: Mapping[str, Any]) -> tuple[str, str]:
        family = _argument(arguments, "source_type")
        if family not in FAMILIES or family not in self.settings.discovery.sources:
            raise BadInput(f"sources of type {family[:40]!r} are not switched on")
        return family, check_value(family, _argument(arguments, "value"))

    async def _put_source(self, family: str, value: str, *, removed: bool) -> None:
        now = self.garden.now()
        source = AddedSource(family=family, value=value, at=now, removed=removed)
        await self.stored.put(SOURCE, source_key(f"{family}:{value}"), source, at=now)
        act = Act.SOURCE_REMOVE if removed else Act.SOURCE_ADD
        await self.stored.log(LoggedAction(id=self.new_id(now), act=act, at=now, reason=f"{family}: {value}"))


def _argument(arguments: Mapping[str, Any], name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadInput(f"{name} must be text")
    return value.strip()


def _lines(text: str) -> list[str]:
    """A long text as quotations of one line each."""
    return [quoted(text[start : start + 380]) for start in range(0, len(text), 380)]


def search_of(settings: InitiativeSettings) -> SearchServer | None:
    """The search server of the settings, if there is one."""
    return SearXNG(url=settings.text.search_url) if settings.text.search_url else None
