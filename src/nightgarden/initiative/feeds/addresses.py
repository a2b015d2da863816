"""Which addresses may be fetched, and how a link is written so that two writings of it are one. Pure but for `resolve`.

A name is resolved first and every address it has is looked at; the connection is then made to an address that was
looked at, so that a name which answers differently the second time gains nothing.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit, urlunsplit

from nightgarden.errors import NightgardenError

URL_CHARS_MAX = 2_000
# What marketing puts behind an address: beginnings of names, and whole names.
_TRACKING = ("utm_", "mc_", "pk_", "piwik_", "hsa_", "oly_", "vero_", "at_")
_TRACKING_NAMES = frozenset(
    "fbclid gclid dclid gbraid wbraid msclkid yclid twclid igshid igsh si ref ref_src ref_url feature share_id rdt "
    "mkt_tok _hsenc _hsmi spm cmpid ncid ocid sr_share taid __twitter_impression s_cid trk".split()
)
# Networks that lead to this machine or its neighbours in ways that `is_private` of some Pythons does not know.
_INSIDE = tuple(
    ipaddress.ip_network(each) for each in ("100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "64:ff9b::/96")
)


_HOST = re.compile(r"[a-z0-9._:-]{1,253}")


class RefusedAddress(NightgardenError):
    """An address that is not fetched; the message says why."""


class HostUnknown(RefusedAddress):
    """There is no such host, or nobody can be asked for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchTarget:
    """An address that may be connected to."""

    scheme: str
    host: str  # for the Host header and the certificate
    port: int
    ip: str  # the address that was looked at
    path: str  # with the query


def canonical(url: str) -> str:
    """The link without tracking parameters, fragment, default port, and with its host in lower case. Raises Refused
    for what is not an http address."""
    parts = _split(url)
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _tracks(name)]
    host = _ascii_host(parts)
    shown = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}[parts.scheme]
    netloc = shown if parts.port in (None, usual) else f"{shown}:{parts.port}"
    return urlunsplit((parts.scheme, netloc, _ascii_path(parts), urlencode(kept), ""))


def _tracks(name: str) -> bool:
    return name.lower().startswith(_TRACKING) or name.lower() in _TRACKING_NAMES


def _split(url: str) -> SplitResult:
    if len(url) > URL_CHARS_MAX or any(ord(character) <= 32 for character in url):
        raise RefusedAddress("the address is too long or contains spaces")
    try:
        parts = urlsplit(url)
        _ = parts.port
        host = _ascii_host(parts)
    except (ValueError, UnicodeError):
        raise RefusedAddress("the address cannot be read") from None
    if parts.scheme not in ("http", "https") or not host:
        raise RefusedAddress("only http and https addresses are fetched")
    if not _HOST.fullmatch(host):
        raise RefusedAddress("the address has no valid host")
    if parts.username or parts.password:
        raise RefusedAddress("the address contains a user name")
    return parts


def _ascii_host(parts: SplitResult) -> str:
    return (parts.hostname or "").encode("idna").decode("ascii")


def _ascii_path(parts: SplitResult) -> str:
    """Only what needs no quoting: spaces and line ends of other scripts would let an address read like a text."""
    return quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")


def is_inside(ip: str, *, allow_loopback: bool) -> bool:
    """Whether an address lies on this machine or in a private or special network."""
    try:
        address = ipaddress.ip_address(ip.partition("%")[0])
    except ValueError:
        return True
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        elif address.sixtofour is not None:
            address = address.sixtofour
        elif address.teredo is not None:
            return True
    if address.is_loopback:
        return not allow_loopback
    special = address.is_private or address.is_link_local or address.is_multicast or address.is_reserved
    return (
        special
        or address.is_unspecified
        or any(address in network for network in _INSIDE if network.version == address.version)
    )


def resolve(url: str, *, allow_loopback: bool) -> FetchTarget:
    """What to connect to. Blocks. Raises Refused when any address of the host lies inside, or when it has none."""
    parts = _split(url)
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    host = _ascii_host(parts)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise HostUnknown(f"the host {host} cannot be found") from None
    addresses: Sequence[str] = list(dict.fromkeys(str(each[4][0]) for each in found))
    if not addresses or any(is_inside(ip, allow_loopback=allow_loopback) for ip in addresses):
        raise RefusedAddress(f"the host {host} leads to a private address")
    path = _ascii_path(parts) + (f"?{parts.query}" if parts.query else "")
    return FetchTarget(scheme=parts.scheme, host=host, port=port, ip=addresses[0], path=path)
