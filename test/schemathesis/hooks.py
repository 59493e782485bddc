"""Extends Schemathesis for this API: formats, valid ids and tokens, false findings, and hostile requests."""

import atexit
import collections
import datetime
import json
import os
import uuid
import zoneinfo

import schemathesis
from hypothesis import strategies as st

import hostile
from explained import explanation

SUBJECT = json.loads(os.environ["SUBJECT"])
counts = collections.defaultdict(collections.Counter)

schemathesis.openapi.format("time-zone", st.sampled_from(sorted(zoneinfo.available_timezones() - {"localtime", "Factory"})))
schemathesis.openapi.format("ip-network", st.one_of(st.ip_addresses().map(str), st.sampled_from(["203.0.113.0/24", "2001:db8::/32"])))
schemathesis.openapi.format("uri", st.sampled_from(["https://receiver.test/hook", "https://app.test/done?a=b", "https://a.test"]))
# RFC 3339 has offsets of whole minutes; those of zones before 1900 have seconds.
offsets = st.integers(-14 * 60, 14 * 60).map(lambda minutes: datetime.timezone(datetime.timedelta(minutes=minutes)))
schemathesis.openapi.format("date-or-date-time", st.one_of(st.dates().map(str), st.datetimes(timezones=offsets).map(lambda at: at.isoformat())))
schemathesis.openapi.format("phone", st.from_regex(r"\A\+?1?[0-9]{10}\Z"))

tokens = {"token": None, "left": 0}


def link_token():
    if tokens["left"] == 0:
        reply = hostile.send("POST", "/v2/link/token", {"content-type": "application/json"}, json.dumps({"user_id": SUBJECT["userId"]}).encode())
        # Refused while the user has too many: each lives for an hour.
        tokens.update(token=json.loads(reply.body).get("link_token", tokens["token"]), left=20)
    tokens["left"] -= 1
    return tokens["token"]


@schemathesis.hook
def before_call(context, case, kwargs):
    hostile.base = case.operation.base_url
    counts["cases"]["all"] += 1
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    names = case.path_parameters or {}
    # A key that revokes or restricts itself would end the run; the user with data must not be deleted.
    for name, kept in (("key_id", SUBJECT["keyId"]), ("user_id", SUBJECT["userId"])):
        if names.get(name) == kept and (name == "key_id" or case.method == "DELETE"):
            names[name] = str(uuid.uuid4())
    if isinstance(case.body, dict) and case.body.get("wait_for_completion") is True:
        # No process runs imports here, so each would wait forever.
        case.body["wait_for_completion"] = False
    if case.operation.path == "/v2/user/refresh/{user_id}" and isinstance(case.query, dict):
        # It waits for pulls that nobody makes here, longer than a response may take.
        case.query["timeout"] = 1
    if not is_valid:
        return
    number = counts["cases"]["all"]
    if "x-service-link-token" in case.headers and number % 3 > 0:
        case.headers["x-service-link-token"] = link_token()
    if "user_id" in names and number % 3 == 0 and case.method != "DELETE":
        names["user_id"] = SUBJECT["userId"]
    if "segment" in names and number % 2 == 0:
        names["segment"] = SUBJECT["segments"].get(names.get("provider"), "x")


# Resources with a limit per team: at the limit, existing ones are deleted so that more can be created.
LIMITED = ("/v2/team/webhook", "/v2/team/api_key")


@schemathesis.hook
def after_call(context, case, response):
    counts["statuses"][str(response.status_code)] += 1
    if response.status_code == 409 and case.method == "POST" and case.path in LIMITED:
        for one in json.loads(hostile.send("GET", case.path, {}, None).body)["data"]:
            if one["id"] != SUBJECT["keyId"]:
                hostile.send("DELETE", f"{case.path}/{one['id']}", {}, None)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    check = type(failure).__name__
    reason = explanation(check, case, response, str(failure))
    if reason is None:
        counts["findings"][check] += 1
        return True
    counts["explained"][f"{check}: {reason}"] += 1
    return False


@schemathesis.check
def hostile_requests(ctx, response, case):
    """Sends a distorted form of every third case, cycling through the forms; the response must be documented and not a server failure."""
    counts["turns"]["all"] += 1
    if counts["turns"]["all"] % 3 > 0:
        return
    variant, reply = hostile.send_variant(case, response, SUBJECT)
    if reply is None:
        return
    counts["hostileVariants"][variant] += 1
    counts["hostileStatuses"][str(reply.status)] += 1
    # Link pages are not in the document, and pushes go to separate operations.
    documented = set(case.operation.responses.status_codes) | ({"200", "303", "413", "415", "429"} if variant == "link page" else set())
    documented |= {"200", "204", "401", "403", "404", "413"} if variant.startswith("push") else set()
    if str(reply.status) not in documented:
        counts["undocumented"]["all"] += 1
        raise AssertionError(f"{variant}: {reply.status} is not in the document: {reply.body[:300]}\n{reply.sent[:600]}")
    if reply.status >= 500 and reply.status != 501:
        raise AssertionError(f"{variant}: failure of ours: {reply.status} {reply.body[:300]}\n{reply.sent[:600]}")


@atexit.register
def write_report():
    hostile_count = sum(counts["hostileStatuses"].values())
    undocumented = counts["findings"]["UndefinedStatusCode"] + counts["undocumented"]["all"]
    with open(SUBJECT["report"], "w") as file:
        report = {name: counts[name] for name in ("statuses", "hostileStatuses", "hostileVariants", "explained", "findings")}
        json.dump({**report, "cases": sum(counts["statuses"].values()), "hostile": hostile_count, "undocumented": undocumented}, file)
