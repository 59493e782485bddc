"""False findings: rules that the document cannot express, each with the reason. Texts are exact, so that nothing else is excluded."""

import json

NOT_BUILT = {"createSignInToken", "createPortalUrl"}

# By text of the refusal: rules that depend on several fields, on the clock, or on an earlier response.
REFUSED_FIELDS = {
    "Must be a cursor from an earlier page of the same list": "a cursor comes from an earlier answer",
    "The cursor cannot be read": "a cursor comes from an earlier answer",
    "Must not hold a NUL character": "said of the whole document: no text may hold one",
    "Must be an https URL, http to localhost, or use a scheme that is registered for the team": "schemes are registered for a team",
    "Is not a cursor of this query": "a cursor comes from an earlier answer",
    "Must not lie before start_date": "the end of a range lies behind its beginning",
    "Must not lie before since": "the end of a range lies behind its beginning",
    "The range must not end before it begins": "the end of a range lies behind its beginning",
    "Must not lie in the future": "depends on the clock",
    "The range must not begin before 1970-01-01T00:00:00Z": "JSON Schema has no bounds for date-times",
    "Exactly one of user_id and client_user_id must be given": "OpenAPI has no rules between parameters",
    "Superseded messages are only skipped with the ordering per_user": "depends on what is stored, for a change",
    "An ed25519 key is whsk_ and the base64 of its seed and its public key, 64 bytes": "a key pair cannot be made up",
    "A header with this name is set by the service": "a list of names that are ours",
    "There are too many headers, or a name appears twice": "header names have no case, names of fields have",
}

# By text of the refusal with 400: rules that depend on stored data.
STATE = {
    "The endpoint is disabled; enable it first",
    "This user is not deleted",
    "A new user has taken this client_user_id",
    "This user has no connections",
    "This client_user_id is already in use",
    "The body contains no user fields",
    "The link token is not valid",
    "This link token has made its connection already",
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
    return REFUSED_FIELDS.get(error["msg"])


def rejected_valid(case, response):
    body = body_of(response)
    if response.status_code == 422 and isinstance(body, dict) and isinstance(body.get("detail"), list):
        reasons = [reason_of(error) for error in body["detail"]]
        return None if None in reasons or not reasons else " + ".join(sorted(set(reasons)))
    if response.status_code == 400 and isinstance(body, dict):
        detail = body.get("detail", body.get("error"))
        text = detail.get("error_message") if isinstance(detail, dict) else detail
        return f"400, what is stored decides: {text}" if text in STATE else None
    if response.status_code == 400 and case.operation.path == "/v2/link/connect/{provider}":
        return "a page for browsers: the state is a link token"
    return None


def explanation(check, case, response):
    """Why this finding is false; None when it is real."""
    status = response.status_code
    operation = case.operation.definition.raw.get("operationId")
    if check == "RejectedPositiveData":
        return rejected_valid(case, response)
    if check == "ServerError" and status == 501 and operation in NOT_BUILT:
        return "documented 501: not built"
    body = body_of(response)
    if check in ("AcceptedNegativeData", "MissingHeaderNotRejected"):
        if status in (413, 431):
            return f"refused with {status}, which the check does not know"
        if status == 200 and isinstance(body, dict) and body.get("state") == "error" and body.get("error_type") == "invalid_token":
            return "refused, by a link result: its status is 200 also for errors"
    return None
