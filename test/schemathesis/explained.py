"""False findings: rules that the document cannot express, each with the reason. Texts are exact, so that nothing else is excluded."""

import json
import re

NOT_BUILT = {"createPortalUrl"}

# By text of the refusal: rules that depend on several fields, on the clock, or on an earlier response.
REFUSED_FIELDS = {
    "Must be a cursor from an earlier page of the same list": "a cursor comes from an earlier response",
    "The cursor cannot be read": "a cursor comes from an earlier response",
    "Must not contain a NUL character": "said of the whole document: no text may hold one",
    "Must be an https URL, http to localhost, or use a scheme that is registered for the team": "schemes are registered for a team",
    "Is not a cursor of this query": "a cursor comes from an earlier response",
    "Must not be before start_date": "the end of a range lies behind its beginning",
    "Must not be before since": "the end of a range lies behind its beginning",
    "The range must not end before it begins": "the end of a range lies behind its beginning",
    "Must not be in the future": "depends on the clock",
    "Must be in the future; to end a key at once, revoke it": "depends on the clock",
    "Must not be before start": "the end of a range lies behind its beginning",
    "The range must not begin before 1970-01-01T00:00:00Z": "JSON Schema has no bounds for date-times",
    "Exactly one of user_id and client_user_id must be given": "OpenAPI has no rules between parameters",
    "A header with this name is set by the service": "a list of names that are ours",
    "Must be at most 366 days before the end of a merged read": "depends on two parameters",
    "skip_superseded requires the ordering per_user": "depends on another field",
    "Derived from sleep cycles; send those as summaries": "no producer but ours",
    "order_ids or start_at must be given": "depends on several fields",
    "Must be the slug of a known sport": "a list of 300 names that the document does not repeat",
    "Must contain at least one sample or summary": "depends on several fields",
    "An ed25519 key must be whsk_ followed by the base64 of 64 bytes: the seed and the public key": "the form depends on the signature of the endpoint",
    "There are too many headers, or a name appears twice": "header names have no case, names of fields have",
}

# By the beginning of the refusal, where it repeats the other field.
REFUSED_BY_BEGINNING = {
    "Must not be after ingestion_end, ": "the end of a range lies behind its beginning",
    "Must not be before ingestion_start, ": "the end of a range lies behind its beginning",
}

# Formats that the server checks; Schemathesis tries an empty string even so, because a format alone is not an assertion in JSON Schema.
FORMATS = {
    "Must be a UUID",
    "Must be a day, YYYY-MM-DD",
    "Must be a date-time, ISO 8601",
    "Must be a day or a date-time, ISO 8601",
    "Must be a telephone number of at least ten digits",
    "Must be an e-mail address",
}

# By text of the refusal with 400: rules that depend on stored data, on the clock or on several fields.
STATE = {
    "The endpoint is disabled; enable it first",
    "This user is not deleted",
    "Another user now has this client_user_id",
    "This user has no connections",
    "This client_user_id is already in use",
    "The body contains no user fields",
    "The link token is not valid",
    "Human review is not enabled for this team",
    "activate_by is in the past",
    "The booking key belongs to another team or kind of appointment",
    "The provider does not accept requests for this ZIP code",
    "Unknown status",
    "The window must not exceed 60 days",
    "add_on requires marker_ids or provider_ids",
    "add_on accepts either marker_ids or provider_ids, not both",
    "add_on contains a marker that the lab does not offer",
    "order_set or lab_test_id must be given",
    "Orders are simulated for sandbox teams only",
    "File 1 is not a PDF, JPEG or PNG",
    "The file is not a PDF, JPEG or PNG",
    "File 1 is empty",
    "This is not a booking key of the team",
    "This link token has already created its connection",
    "The order set contains neither lab tests nor an add_on",
}


def body_of(response):
    try:
        return json.loads(response.content)
    except ValueError:
        return None


def reason_of(error):
    """Why one field of a valid request was legitimately refused; None when there is no reason."""
    value = str(error.get("input"))
    if error["type"] == "datetime_from_date_parsing" and value.startswith(("0001-01-01T", "9999-12-31T")):
        return "the offset takes the instant out of the years 1 to 9999"
    if error["loc"][0] == "path" and value == "None":
        return "Schemathesis follows a link from an empty list: its value is None"
    if value == "" and error["msg"] in FORMATS:
        return "the format excludes an empty string"
    for beginning, reason in REFUSED_BY_BEGINNING.items():
        if error["msg"].startswith(beginning):
            return reason
    return REFUSED_FIELDS.get(error["msg"])


def rejected_valid(case, response):
    body = body_of(response)
    if response.status_code == 422 and isinstance(body, dict) and isinstance(body.get("detail"), list):
        reasons = [reason_of(error) for error in body["detail"]]
        return None if None in reasons or not reasons else " + ".join(sorted(set(reasons)))
    if response.status_code == 400 and isinstance(body, dict):
        detail = body.get("detail", body.get("error"))
        text = detail.get("error_message") if isinstance(detail, dict) else detail
        # Of several files, the message names the first that is none.
        known = re.sub(r"^File \d+ ", "File 1 ", text) if isinstance(text, str) else text
        return f"400, what is stored decides: {known}" if known in STATE else None
    if response.status_code == 400 and case.operation.path == "/v2/link/connect/{provider}":
        return "a page for browsers: the state is a link token"
    return None


def explanation(check, case, response, text=""):
    """Why this finding is false; None when it is real."""
    status = response.status_code
    operation = case.operation.definition.raw.get("operationId")
    if check == "RejectedPositiveData":
        return rejected_valid(case, response)
    if check == "ServerError" and status == 501 and operation in NOT_BUILT:
        return "documented 501: not built"
    body = body_of(response)
    detail = body.get("detail") if isinstance(body, dict) else None
    if check in ("ServerError", "CustomFailure") and status == 503 and detail == "This installation has no access to the partner":
        return "documented 503: the partner is not configured for production teams"
    if check == "IgnoredAuth" and "429" in text:
        return "the limit of unknown keys of an address"
    if check == "RejectedPositiveData" and status == 431:
        return "a long query exceeds the limit of headers"
    if check in ("AcceptedNegativeData", "MissingHeaderNotRejected"):
        if status in (413, 431):
            return f"refused with {status}, which the check does not know"
        if status == 200 and isinstance(body, dict) and body.get("state") == "error" and body.get("error_type") == "invalid_token":
            return "refused, by a link result: its status is 200 also for errors"
    return None
