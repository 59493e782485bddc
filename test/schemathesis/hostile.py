"""Distorted forms of valid requests, sent over plain sockets: HTTP clients refuse to send most of them."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

KEY = json.loads(os.environ["SUBJECT"])["key"]
base = ""
connections = {}
turn = {}
INSTANTS = ["0001-01-01", "0001-01-01T00:00:00+14:00", "0050-06-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "2026-02-30", "-000001-01-01"]
NUMBERS = ["2147483648", "9007199254740993", "1e308", "-0", "47.08", "-9223372036854775809"]
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass
class Reply:
    status: int
    body: bytes
    sent: str


def send(method, target, headers, body):
    """One request on a kept-alive connection; None when the server closed it without a response."""
    place = urlsplit(base).netloc
    headers = {"x-service-api-key": KEY, **headers}
    for attempt in (1, 2):
        connection = connections.get(place) or http.client.HTTPConnection(place, timeout=60)
        connections[place] = connection
        try:
            connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
            connection.putheader("host", place)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body is not None and "transfer-encoding" not in headers:
                connection.putheader("content-length", str(len(body)))
            connection.endheaders()
            if body is not None:
                connection.send(b"%x\r\n%s\r\n0\r\nx-trailer: a\r\n\r\n" % (len(body), body) if "transfer-encoding" in headers else body)
            reply = connection.getresponse()
            return Reply(reply.status, reply.read(), f"{method} {target[:300]} {headers} {body[:300] if body else body}")
        except (http.client.HTTPException, OSError):
            connection.close()
            connections.pop(place, None)
    return None


def leaves(value, change):
    if isinstance(value, dict):
        return {name: leaves(item, change) for name, item in value.items()}
    if isinstance(value, list):
        return [leaves(item, change) for item in value]
    return change(value)


def in_texts(text):
    return lambda body, number: json.dumps(leaves(body, lambda leaf: leaf[:2] + text if isinstance(leaf, str) else leaf)).encode("utf-8", "surrogatepass")


def in_dates(body, number):
    instant = INSTANTS[number % len(INSTANTS)]
    return json.dumps(leaves(body, lambda leaf: instant if isinstance(leaf, str) and DATE.match(leaf) else leaf)).encode()


def in_numbers(body, number):
    mark = NUMBERS[number % len(NUMBERS)]
    made = json.dumps(leaves(body, lambda leaf: "@number@" if isinstance(leaf, (int, float)) and not isinstance(leaf, bool) else leaf))
    return made.replace('"@number@"', mark).encode()


def encoded(body):
    return json.dumps(body).encode()


BODIES = {
    "NUL in texts": in_texts("\0"),
    "lone surrogate in texts": in_texts("\ud800"),
    "escaped lone surrogate": lambda body, number: encoded(leaves(body, lambda leaf: leaf + "@" if isinstance(leaf, str) else leaf)).replace(b"@", b"\\udc00"),
    "invalid UTF-8 in texts": lambda body, number: encoded(leaves(body, lambda leaf: leaf + "@" if isinstance(leaf, str) else leaf)).replace(b"@", b"\xff\xc0\x80"),
    "days at the edge of the calendar": in_dates,
    "numbers at the edge": in_numbers,
    "cut off": lambda body, number: encoded(body)[:-1],
    "brackets": lambda body, number: b"[" * 200_000,
    "many items": lambda body, number: b"[" + b"1," * 100_000 + b"1]",
    "deep list": lambda body, number: b'{"connections":' + b"[" * 100_000,
    "names of the language": lambda body, number: b'{"__proto__":{"a":1},"constructor":{"prototype":1},"toString":null}',
    "a key twice": lambda body, number: (encoded(body)[:-1] + b"," + encoded(body)[1:]) if isinstance(body, dict) and body else b'{"a":1,"a":2}',
    "scalars": lambda body, number: [b"null", b"0", b'""', b"true", b"[]", b"{}", b"\xef\xbb\xbf{}", b" "][number % 8],
}
HEADS = {
    "unknown content type": {"content-type": "application/x-nothing; charset=\"\\"},
    "content type that is none": {"content-type": "/;;"},
    "no content type": {"content-type": ""},
    "expectation": {"expect": "x-nothing"},
    "chunked with a trailer": {"transfer-encoding": "chunked"},
    "large header": {"x-large": "x" * 15_000},
    "too large header": {"x-large": "x" * 20_000},
    "large cookie": {"cookie": "a=b; " * 2_000},
    "conditions": {"if-none-match": "*,\"", "if-modified-since": "0", "range": "bytes=9-1,-", "accept": "\xff", "accept-encoding": "x;q=9"},
    "forged addresses": {"x-forwarded-for": "%00, ::1", "forwarded": "for=\"[::1\"", "x-request-id": "a\tb", "traceparent": "00-0-0-0"},
}
METHODS = ["QUERY", "PROPFIND", "TRACE", "SEARCH", "MKCOL", "OPTIONS", "HEAD", "M-SEARCH"]
ADDRESSES = ["%00", "%FF", "%ED%A0%80", "%", "%2e%2e%2f", "x" * 5000, "%F0%9F%99%82" * 30, "2147483648", "__proto__", "0001-01-01"]
PAGES = [("POST", "/link/form"), ("POST", "/link/code"), ("POST", "/link/confirm"), ("POST", "/link/close"), ("GET", "/link"), ("GET", "/link/start"), ("GET", "/link/confirm")]
FORMS = [b"token=%00", b"token=%FF&email=%ED%A0%80", b"token=" + b"x" * 15_000, b"token=x" * 3_000, b"&" * 10_000, b"%", b"token=a&token=b", b"\xff\xfe", b"", b"[" * 15_000]


def signed(provider, body, secret):
    """Headers with which a push is accepted as authentic."""
    key, now = secret.encode(), str(int(time.time()))
    mac = lambda kind, data: hmac.new(key, data, kind)
    b64 = lambda digest: base64.b64encode(digest).decode()
    if provider == "fitbit":
        return {"x-fitbit-signature": b64(hmac.new(key + b"&", body, hashlib.sha1).digest())}
    if provider == "oura":
        return {"x-oura-timestamp": now, "x-oura-signature": mac(hashlib.sha256, now.encode() + body).hexdigest().upper()}
    if provider == "whoop_v2":
        stamp = str(int(time.time() * 1000))
        return {"x-whoop-signature-timestamp": stamp, "x-whoop-signature": b64(mac(hashlib.sha256, stamp.encode() + body).digest())}
    if provider == "garmin":
        return {"garmin-client-id": "id-garmin"}
    return {}


PUSHED = ["fitbit", "oura", "whoop_v2", "polar", "garmin", "withings", "strava"]
GRACE = {
    "fitbit": {"collectionType": "sleep", "date": "0001-01-01", "ownerId": "a\0b", "ownerType": "user", "subscriptionId": "\ud800"},
    "garmin": {"userId": "a\0b", "summaryId": "\ud800", "startTimeInSeconds": 2147483648, "durationInSeconds": 1e308},
}


def push_of(number, value, subject):
    provider = PUSHED[number % len(PUSHED)]
    kind = list(BODIES)[number // len(PUSHED) % len(BODIES)]
    item = GRACE.get(provider, {"user_id": "a\0b", "event": "x", "timestamp": "0001-01-01", "id": 2147483648})
    plain = {"dailies": [item, value], "epochs": [item] * 9, "userPermissionsChange": [value]} if provider == "garmin" else [item, value]
    body = BODIES[kind](plain, number)
    if provider == "withings":
        body = FORMS[number % len(FORMS)] + b"&userid=1&appli=1&startdate=2147483648&enddate=99999999999999"
    segment = subject["segments"].get(provider)
    path = f"/v2/push/{provider}" + (f"/{segment}" if segment else "")
    return f"push, {kind}", ("POST", path, {"content-type": "application/json", **signed(provider, body, subject["secret"])}, body)


def variant_of(case, request, number, subject):
    target = request.url[len(base.rstrip("/")) :] if request.url.startswith(base.rstrip("/")) else request.path_url
    headers = {"content-type": "application/json"}
    if "x-service-link-token" in request.headers:
        value = request.headers["x-service-link-token"]
        headers["x-service-link-token"] = (value.decode("latin-1") if isinstance(value, bytes) else value) + ("." if number % 2 else "")
    body = case.body if isinstance(case.body, (dict, list)) else None
    data = None if body is None else encoded(body)
    path, _, query = target.partition("?")
    if path.startswith("/v2/push/") and case.method == "POST":
        return push_of(number, body, subject)
    turn["all"] = total = turn.get("all", -1) + 1
    if total % 9 == 8:
        return push_of(total // 9, body, subject)
    if total % 11 == 10:
        method, page = PAGES[total // 11 % len(PAGES)]
        form = FORMS[total // 77 % len(FORMS)]
        if method == "GET":
            return "link page", ("GET", f"{page}?{form.decode('latin-1')[:4000] if all(32 < c < 127 for c in form) else 'token=%FF'}", {}, None)
        return "link page", (method, page, {"content-type": "application/x-www-form-urlencoded"}, form)
    kind = number % 5
    if kind == 0:
        method = METHODS[number // 5 % len(METHODS)]
        return f"method {method}", (method, target, headers, data)
    if kind == 1:
        name = list(HEADS)[number // 5 % len(HEADS)]
        return name, (case.method, target, {**headers, **HEADS[name]}, data if data is not None or case.method in ("GET", "HEAD") else b"{}")
    if kind == 2 and "{" in case.operation.path:
        parts, template = path.split("/"), case.operation.path.split("/")
        variables = [i for i, part in enumerate(template) if part.startswith("{") and i < len(parts)]
        address = ADDRESSES[number // 5 % len(ADDRESSES)]
        if variables:
            parts[variables[number % len(variables)]] = address
        return "address", (case.method, "/".join(parts), headers, data)
    if kind in (2, 3) and data is None:
        names = [parameter.name for parameter in case.operation.query] or ["x"]
        values = ["%00", "%FF", "%ED%A0%80", "x" * 15_000, "0001-01-01", "2147483648", "", "%5B%5D", "e30", "bnVsbA", "W10", "eyJhZnRlciI6WzFdfQ", "47.08", "%", "9999-12-31T23:59:59-14:00"]
        value = values[number // 5 % len(values)]
        more = f"{names[number % len(names)]}={value}"
        return "query", (case.method, f"{path}?{query + '&' if query else ''}{more}", headers, data)
    if case.method in ("GET", "HEAD", "DELETE"):
        return "body where none is", (case.method, target, headers, BODIES["many items"](None, number)[: 1000 if number % 2 else None])
    name = list(BODIES)[number % len(BODIES)]
    return name, (case.method, target, headers, BODIES[name](body if body is not None else {}, number))


def send_variant(case, response, subject):
    number = turn[case.operation.label] = turn.get(case.operation.label, -1) + 1
    variant, (method, target, headers, body) = variant_of(case, response.request, number, subject)
    try:
        target.encode("ascii")
        return variant, send(method, target, {name: value for name, value in headers.items() if value.isprintable()}, body)
    except (UnicodeEncodeError, ValueError, http.client.InvalidURL):
        return variant, None
