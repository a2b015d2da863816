"""Who may ask. Pure: decides on a request's headers alone.

A web page the user visits can send requests to any local port; it can neither forge Host and Origin nor read a file.
So Host must be this server's own loopback name (against rebinding of names), Origin, if there is one, this server's
own, and the token must be there. The dashboard gets a cookie that is made from the token and cannot be used in its
place: browsers send cookies to every port of a machine, so another program there may see it. Does not cover other
programs of the same user: these can read the token's file.
"""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie

from nightgarden.surfaces.http.wire import HttpAnswer, HttpRequest, json_answer


def cookie_name(port: int) -> str:
    """With the port: browsers keep one cookie of a name for all ports of a machine."""
    return f"nightgarden_{port}"


def cookie_value(token: str, port: int) -> str:
    """What the dashboard shows instead of the token; from it the token cannot be had."""
    return hmac.new(token.encode(), f"dashboard {port}".encode(), "sha256").hexdigest()


def refuse_stranger(request: HttpRequest, port: int) -> HttpAnswer | None:
    """The answer to a request from another site, or None when it may go on."""
    own = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
    if request.headers.get("host", "").lower() not in own:
        return _no(403, "wrong Host: ask http://127.0.0.1 with this server's port")
    origin = request.headers.get("origin")
    if origin is not None and origin.lower() not in {f"http://{name}" for name in own}:
        return _no(403, "requests from other sites are not answered")
    return None


def refuse_unknown(request: HttpRequest, token: str, port: int) -> HttpAnswer | None:
    """The answer to a request without the token, or None when it may go on."""
    if has_token(request, token, port):
        return None
    words = "send the token of the file daemon/token in the data folder as `Authorization: Bearer TOKEN`"
    return _no(401, words, {"WWW-Authenticate": 'Bearer realm="nightgarden"'})


def has_token(request: HttpRequest, token: str, port: int) -> bool:
    """By header, or by the dashboard's cookie."""
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    return (kind.lower() == "bearer" and same(given.strip(), token)) or has_session(request, token, port)


def has_session(request: HttpRequest, token: str, port: int) -> bool:
    """Whether it comes from the dashboard, where a person logged in: by its cookie, which no program has to send."""
    try:
        cookie = SimpleCookie(request.headers.get("cookie", "")).get(cookie_name(port))
    except CookieError:
        return False
    return cookie is not None and same(cookie.value, cookie_value(token, port))


def same(given: str, token: str) -> bool:
    """Takes as long whatever is given."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def _no(status: int, sentence: str, headers: dict[str, str] | None = None) -> HttpAnswer:
    return json_answer({"error": {"kind": "NotAllowed", "message": sentence}}, status, headers)
